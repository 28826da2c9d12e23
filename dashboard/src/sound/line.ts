import { Fault, isRecord } from "../net/ask";

export interface LineReader {
  sound: (pcm: ArrayBuffer) => void;
  hush: () => void;
  ended: (fault: Fault | null) => void;
}

const mostWaiting = 250; // messages, of 20 ms each, that wait for the line to open

// Line carries sound to Solo and back over one WebSocket.
export class Line {
  private readonly socket: WebSocket;
  private waiting: (string | ArrayBuffer)[] = [];
  private fault: Fault | null = null;
  private opened = false;

  constructor(private readonly reader: LineReader) {
    const url = new URL("/ws/audio", location.href);
    url.protocol = url.protocol.replace("http", "ws");
    this.socket = new WebSocket(url);
    this.socket.binaryType = "arraybuffer";
    this.socket.onopen = () => this.flush();
    this.socket.onmessage = (m: MessageEvent<unknown>) => this.take(m.data);
    this.socket.onclose = (e) => this.closed(e);
  }

  get over(): boolean {
    return this.socket.readyState > WebSocket.OPEN;
  }

  press(down: boolean): void {
    this.send(JSON.stringify({ type: down ? "down" : "up" }));
  }

  say(piece: ArrayBuffer): void {
    this.send(piece);
  }

  close(): void {
    this.socket.close();
  }

  private send(message: string | ArrayBuffer): void {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(message);
    else if (!this.over && this.waiting.length < mostWaiting) this.waiting.push(message);
  }

  private flush(): void {
    this.opened = true;
    for (const message of this.waiting) this.socket.send(message);
    this.waiting = [];
  }

  private take(data: unknown): void {
    if (data instanceof ArrayBuffer) return this.reader.sound(data);
    const m = typeof data === "string" ? objectOf(data) : {};
    if (m.type === "hush") this.reader.hush();
    if (m.type === "error" && isRecord(m.error)) this.fault = new Fault(0, "line", String(m.error.message ?? ""), String(m.error.hint ?? ""));
  }

  private broken(): Fault {
    return this.opened
      ? new Fault(0, "line", "The line to Solo broke.", "Hold the button to open it again.")
      : new Fault(0, "line", "Solo took no call from this page.", "Typing works meanwhile; the log may tell more.");
  }

  private closed(e: CloseEvent): void {
    this.waiting = [];
    this.reader.ended(this.fault ?? (e.code === lost ? this.broken() : null));
  }
}

const lost = 1006; // how a browser tells that a socket ended without a word

function objectOf(text: string): Record<string, unknown> {
  try {
    const v: unknown = JSON.parse(text);
    return isRecord(v) ? v : {};
  } catch {
    return {};
  }
}
