// What the page knows of Solo, made of events alone. Every list has an end, so that a page that stays open for weeks does
// not grow.

import type { Action, Approval, Job, State } from "../net/wire";

export interface Times {
  endpoint: number;
  stt: number;
  think: number;
  firstAudio: number;
}

// Exchange is what was said and what Solo answered.
export interface Exchange {
  key: string;
  turn: number; // 0 for one that Solo has not numbered yet
  at: number;
  typed: boolean;
  here: boolean; // typed in this page: its answer comes with the request, not as events
  partial: string;
  heard: string;
  sentences: string[];
  actions: Action[];
  outcome: string; // "" while it is open
  why: string;
  hint: string;
  cut: boolean; // the user spoke over the answer
  times: Times | null;
}

export interface Use {
  at: number;
  engine: string;
  model: string;
  prompt: number; // tokens
  generated: number;
  promptTps: number;
  genTps: number;
  firstToken: number; // ms
}

export interface Wanted extends Approval {
  decided?: "granted" | "refused" | "over";
  said?: string;
}

export interface Notice {
  key: string;
  at: number;
  kind: string;
  text: string;
}

export interface World {
  run: string;
  state: State;
  exchanges: Exchange[]; // the oldest first
  approvals: Wanted[];
  jobs: Job[];
  uses: Use[]; // the oldest first
  notices: Notice[];
}

export const most = { exchanges: 80, sentences: 300, actions: 60, approvals: 30, jobs: 60, uses: 240, notices: 6 } as const;

export const empty: World = { run: "", state: "idle", exchanges: [], approvals: [], jobs: [], uses: [], notices: [] };

// kept leaves the last n of a list.
export function kept<T>(list: T[], n: number): T[] {
  return list.length > n ? list.slice(list.length - n) : list;
}

export function fresh(key: string, turn: number, at: number): Exchange {
  return {
    key, turn, at, typed: false, here: false, partial: "", heard: "", sentences: [], actions: [],
    outcome: "", why: "", hint: "", cut: false, times: null,
  };
}

// replaced is a list in which one item is another, or a new one at its end.
export function replaced<T>(list: T[], same: (item: T) => boolean, item: T): T[] {
  const at = list.findIndex(same);
  return at < 0 ? [...list, item] : list.map((old, i) => (i === at ? item : old));
}
