import { signal } from "@preact/signals";
import { get, locked } from "./ask";
import { addressOf, step, waitBefore, type News, type Place } from "./resume";
import type { Line } from "./wire";

export type Connection = "connecting" | "open" | "reconnecting";

export const connection = signal<Connection>("connecting");

export interface Reader {
  event: (line: Line, run: string) => void;
  news: (news: News) => void;
}

const steady = 5_000; // ms that a connection must last before its end counts as a first failure again

// Events keeps a WebSocket to the door open and goes on where it broke off.
export class Events {
  private place: Place | null = null;
  private socket: WebSocket | null = null;
  private failures = 0;
  private opened = 0;
  private timer = 0;

  constructor(private readonly reader: Reader) {}

  start(): void {
    addEventListener("online", () => this.hurry());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.hurry());
    this.open();
  }

  // hurry ends a wait for the next try.
  hurry(): void {
    if (this.socket !== null) return;
    clearTimeout(this.timer);
    this.open();
  }

  private open(): void {
    const url = new URL(addressOf(this.place), location.href);
    url.protocol = url.protocol.replace("http", "ws");
    const socket = new WebSocket(url);
    this.socket = socket;
    socket.onmessage = (m: MessageEvent<unknown>) => this.take(m.data);
    socket.onclose = () => this.closed();
  }

  private take(data: unknown): void {
    if (typeof data !== "string") return;
    const line = parse(data);
    if (line === null) return;
    const { place, news } = step(this.place, line);
    this.place = place;
    if (line.type === "hello") {
      this.opened = Date.now();
      connection.value = "open";
      locked.value = false;
    }
    if (news !== "nothing" && news !== "event") this.reader.news(news);
    if (news === "event" || line.type === "level") this.reader.event(line, place?.run ?? "");
  }

  private closed(): void {
    this.socket = null;
    if (this.opened === 0 && this.failures % 4 === 1) void get("/status").catch(() => undefined); // tells whether the door is locked
    if (this.opened > 0 && Date.now() - this.opened > steady) this.failures = 0;
    this.opened = 0;
    connection.value = "reconnecting";
    this.timer = window.setTimeout(() => this.open(), waitBefore(this.failures++, Math.random()));
  }
}

function parse(text: string): Line | null {
  try {
    const v: unknown = JSON.parse(text);
    return typeof v === "object" && v !== null && "type" in v && typeof v.type === "string" ? (v as Line) : null;
  } catch {
    return null;
  }
}
