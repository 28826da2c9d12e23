import { signal } from "@preact/signals";
import { chat } from "../net/chat";
import { faultOf } from "../net/ask";
import type { Answer } from "../net/wire";
import { world } from "./live";
import { actionOf, approvalOf } from "./reduce";
import { fresh, kept, most, replaced, type Exchange } from "./world";

// asking counts the texts whose answers still come.
export const asking = signal(0);

let count = 0;
const running = new Set<AbortController>();

// type asks Solo in writing and shows the answer as it comes.
export async function type(message: string): Promise<void> {
  let key = `typed ${++count}`;
  const at = Date.now();
  show({ ...fresh(key, 0, at), heard: message, typed: true, here: true });
  const change = (f: (x: Exchange) => Exchange) => {
    const now = world.value.exchanges.find((x) => x.key === key || (x.here && x.at === at && x.heard === message));
    if (now === undefined) return;
    key = now.key;
    show(f(now), key);
  };
  const stop = new AbortController();
  running.add(stop);
  asking.value++;
  try {
    const answer = await chat(message, "web", listener(change), stop.signal);
    change((x) => finish(x, answer));
    if (answer.turn > 0) forgetTwin(answer.turn, key);
  } catch (err) {
    const f = faultOf(err);
    const text = stop.signal.aborted ? { why: "Stopped.", hint: "" } : { why: f.message, hint: f.hint };
    change((x) => ({ ...x, outcome: "failed", ...text }));
  } finally {
    running.delete(stop);
    asking.value--;
  }
}

// stopAsking ends the answers that still come.
export function stopAsking(): boolean {
  for (const stop of running) stop.abort();
  return running.size > 0;
}

function listener(change: (f: (x: Exchange) => Exchange) => void) {
  return {
    sentence: (s: string) => change((x) => ({ ...x, sentences: kept([...x.sentences, s], most.sentences) })),
    action: (a: object) => change((x) => ({ ...x, actions: kept([...x.actions, actionOf({ ...a })], most.actions) })),
    approval: (a: object) => {
      const wanted = approvalOf({ ...a });
      if (wanted.id === "" || world.value.approvals.some((b) => b.id === wanted.id)) return;
      world.value = { ...world.value, approvals: kept([...world.value.approvals, wanted], most.approvals) };
    },
  };
}

function finish(x: Exchange, answer: Answer): Exchange {
  const sentences = x.sentences.length > 0 || !answer.reply ? x.sentences : [answer.reply];
  return { ...x, sentences, outcome: "answered" };
}

function show(x: Exchange, key = x.key): void {
  world.value = { ...world.value, exchanges: kept(replaced(world.value.exchanges, (y) => y.key === key, x), most.exchanges) };
}

// forgetTwin drops what events told of a turn before the page knew that it was its own.
function forgetTwin(turn: number, key: string): void {
  const { exchanges, run } = world.value;
  world.value = { ...world.value, exchanges: exchanges.filter((x) => x.key === key || x.key !== `${run} ${turn}`) };
}
