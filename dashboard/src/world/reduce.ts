import { isRecord } from "../net/ask";
import type { Action, Approval, Job, Line, Message, State } from "../net/wire";
import { fresh, kept, most, replaced, type Exchange, type World } from "./world";

type Data = Record<string, unknown>;

const text = (v: unknown): string => (typeof v === "string" ? v : "");
const number = (v: unknown): number => (typeof v === "number" && Number.isFinite(v) ? v : 0);
const states: readonly string[] = ["idle", "listening", "thinking", "speaking", "muted"];

// reduce gives the world after an event. Kinds that it does not know change nothing.
export function reduce(w: World, line: Line): World {
  const take = Object.hasOwn(takers, line.type) ? takers[line.type] : undefined;
  return take ? take(w, line.data ?? {}, line) : w;
}

// restarted is the world after Solo began anew: turns are counted from 1 again, and what was open will not end.
export function restarted(w: World, run: string): World {
  const exchanges = w.exchanges.map((x) => (x.outcome === "" && !x.here ? { ...x, outcome: "failed", why: "Solo was restarted." } : x));
  return { ...w, run, exchanges, state: "idle" };
}

type Taker = (w: World, d: Data, line: Line) => World;

const takers: Record<string, Taker> = {
  state: (w, d) => (states.includes(text(d.state)) ? { ...w, state: d.state as State } : w),
  woke: (w, _, line) => turn(w, line, (x) => x),
  partial: (w, d, line) => turn(w, line, (x) => ({ ...x, partial: text(d.text) })),
  heard: (w, d, line) => heard(w, text(d.text), text(d.engine) === "typed", line),
  misheard: (w, d, line) => turn(w, line, (x) => ({ ...x, partial: "", outcome: "misheard", why: text(d.why) })),
  acted: (w, d, line) => answer(w, line, (x) => ({ ...x, actions: kept([...x.actions, actionOf(d)], most.actions) })),
  replied: (w, d, line) => answer(w, line, (x) => ({ ...x, sentences: kept([...x.sentences, text(d.text)], most.sentences) })),
  interrupted: (w, _, line) => answer(w, line, (x) => ({ ...x, cut: true })),
  turned: (w, d, line) => turned(w, d, line),
  usage: (w, d, line) => (number(d.generated) === 0 ? w : { ...w, uses: kept([...w.uses, useOf(d, timeOf(line))], most.uses) }),
  job: (w, d) => ({ ...w, jobs: kept(replaced(w.jobs, (j) => j.id === d.id, jobOf(d)), most.jobs) }),
  approval: (w, d) => ({ ...w, approvals: kept(replaced(w.approvals, (a) => a.id === d.id, approvalOf(d)), most.approvals) }),
  decided: (w, d) => ({ ...w, approvals: w.approvals.map((a) => (a.id === d.id ? { ...a, decided: d.granted === true ? "granted" : "refused" } : a)) }),
  due: (w, d, line) => ({
    ...w,
    notices: kept([...w.notices, { key: `due ${w.run} ${line.seq ?? 0}`, at: timeOf(line), kind: text(d.kind), text: text(d.text) }], most.notices),
  }),
};

const timeOf = (line: Line): number => (line.at ? Date.parse(line.at) || Date.now() : Date.now());
const same = (w: World, n: number) => (x: Exchange) => x.turn === n && x.key.startsWith(w.run + " ");

// turn changes the exchange of an event's turn, or begins it.
function turn(w: World, line: Line, change: (x: Exchange) => Exchange): World {
  const n = line.turn ?? 0;
  if (n === 0) return w;
  const is = same(w, n);
  const old = w.exchanges.find(is) ?? fresh(`${w.run} ${n}`, n, timeOf(line));
  return { ...w, exchanges: kept(replaced(w.exchanges, is, change(old)), most.exchanges) };
}

// answer changes the exchange of an event's turn, unless its answer comes to this page another way.
function answer(w: World, line: Line, change: (x: Exchange) => Exchange): World {
  return turn(w, line, (x) => (x.here ? x : change(x)));
}

// heard notes what the user said. A text that was typed in this page gets the number of its turn here.
function heard(w: World, said: string, typed: boolean, line: Line): World {
  const n = line.turn ?? 0;
  const own = typed && n > 0 ? w.exchanges.find((x) => x.here && x.turn === 0 && x.heard === said) : undefined;
  if (own !== undefined) return { ...w, exchanges: replaced(w.exchanges, (x) => x === own, { ...own, key: `${w.run} ${n}`, turn: n }) };
  return turn(w, line, (x) => ({ ...x, heard: said, partial: "", typed }));
}

function turned(w: World, d: Data, line: Line): World {
  const times = { endpoint: number(d.endpoint_ms), stt: number(d.stt_ms), think: number(d.think_ms), firstAudio: number(d.first_audio_ms) };
  return turn(w, line, (x) => {
    const spoken = x.sentences.length === 0 && !x.here && text(d.spoken) !== "" ? [text(d.spoken)] : x.sentences;
    return { ...x, heard: x.heard || text(d.heard), partial: "", sentences: spoken, times, outcome: text(d.outcome) || "answered" };
  });
}

export function actionOf(d: Data): Action {
  return { tool: text(d.tool), arguments: d.arguments, status: text(d.status), source: text(d.source) };
}

function useOf(d: Data, at: number) {
  return {
    at, engine: text(d.engine), model: text(d.model), prompt: number(d.prompt), generated: number(d.generated),
    promptTps: number(d.prompt_tps), genTps: number(d.gen_tps), firstToken: number(d.first_token_ms),
  };
}

function jobOf(d: Data): Job {
  return {
    id: number(d.id), kind: text(d.kind), title: text(d.title), state: text(d.state),
    progress: typeof d.progress === "number" ? d.progress : null, doing: text(d.doing), why: text(d.why),
  };
}

export function approvalOf(d: Data): Approval {
  const messages = Array.isArray(d.messages) ? d.messages.filter(isRecord).map((m): Message => m) : [];
  return {
    id: text(d.id), say: text(d.say), tool: text(d.tool), arguments: d.arguments, provider: text(d.provider), model: text(d.model),
    messages, until: text(d.until),
  };
}
