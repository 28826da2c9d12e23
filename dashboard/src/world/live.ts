import { batch, computed, signal } from "@preact/signals";
import { Events } from "../net/events";
import { get } from "../net/ask";
import type { Approval, Dialogue, Line, Status } from "../net/wire";
import { reduce, restarted } from "./reduce";
import { empty, fresh, kept, most, type Exchange, type Times } from "./world";
import { touch, touchAll } from "./topics";

export const world = signal(empty);
export const loudness = signal(-96); // dBFS of Solo's own microphone
export const status = signal<Status | null>(null);

export const waiting = computed(() => world.value.approvals.filter((a) => a.decided === undefined));

const soon = 40; // ms in which events are gathered
const many = 256; // as many are taken at once, whatever the clock says

let gathered: Line[] = [];
let timer = 0;

function gather(line: Line, run: string): void {
  if (line.type === "level") {
    const v = line.dbfs;
    loudness.value = typeof v === "number" ? v : -96;
    return;
  }
  if (run !== world.value.run && gathered.length === 0) world.value = { ...world.value, run };
  gathered.push(line);
  if (gathered.length >= many) take();
  else if (timer === 0) timer = window.setTimeout(take, soon);
}

function take(): void {
  clearTimeout(timer);
  timer = 0;
  const lines = gathered;
  gathered = [];
  batch(() => {
    world.value = lines.reduce(reduce, world.value);
    for (const line of lines) touch(line);
  });
}

// begin reads events for as long as the page lives.
export function begin(): void {
  const events = new Events({
    event: gather,
    news: (news) => {
      take();
      if (news === "restarted") world.value = restarted(world.value, world.value.run);
      if (news !== "resumed") void refresh();
      if (news !== "first") touchAll();
    },
  });
  events.start();
}

// refresh asks for what events do not tell: how things stood before they came.
export async function refresh(): Promise<void> {
  await Promise.allSettled([refreshStatus(), refreshApprovals(), refreshPast()]);
}

export async function refreshStatus(): Promise<void> {
  const s = await get<Status>("/status");
  batch(() => {
    status.value = s;
    world.value = { ...world.value, state: s.state };
  });
}

async function refreshApprovals(): Promise<void> {
  const { approvals } = await get<{ approvals: Approval[] }>("/approvals");
  const decided = world.value.approvals.filter((a) => a.decided !== undefined && !approvals.some((b) => b.id === a.id));
  world.value = { ...world.value, approvals: kept([...decided, ...approvals], most.approvals) };
}

// refreshPast puts what was said before the page was opened above what it has heard itself.
async function refreshPast(): Promise<void> {
  const { dialogues } = await get<{ dialogues: Dialogue[] }>("/dialogues?n=12");
  const own = world.value.exchanges.filter((x) => !x.key.startsWith("past "));
  const first = own.reduce((t, x) => Math.min(t, x.at), Infinity);
  const past = dialogues.map(exchangeOf).reverse().filter((x) => x.at < first - 1000);
  world.value = { ...world.value, exchanges: kept([...past, ...own], most.exchanges) };
}

function exchangeOf(d: Dialogue): Exchange {
  const times: Times = { endpoint: d.endpoint_ms ?? 0, stt: d.stt_ms ?? 0, think: d.think_ms ?? 0, firstAudio: d.first_audio_ms ?? 0 };
  const x = fresh(`past ${d.id}`, 0, Date.parse(d.at) || 0);
  return { ...x, heard: d.heard, sentences: [d.reply || d.spoken].filter((s) => s !== ""), cut: d.outcome === "interrupted", outcome: d.outcome || "answered", times };
}
