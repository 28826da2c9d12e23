// Where a reader of events is, and what a message means for it.

export interface Place {
  run: string;
  after: number;
}

export type News = "nothing" | "first" | "resumed" | "restarted" | "missed" | "event";

export interface Step {
  place: Place | null;
  news: News;
}

// addressOf gives the path to open: with what was read last, so that what followed is told again.
export function addressOf(place: Place | null): string {
  return place ? `/ws?run=${encodeURIComponent(place.run)}&after=${place.after}` : "/ws";
}

interface Told {
  type: string;
  run?: unknown;
  seq?: unknown;
}

// step takes one message. After a restart the numbers begin anew; whoever keeps lists must ask for them again then, and
// when some were missed.
export function step(place: Place | null, m: Told): Step {
  const seq = typeof m.seq === "number" ? m.seq : 0;
  if (m.type === "hello") {
    const run = typeof m.run === "string" ? m.run : "";
    if (place === null) return { place: { run, after: seq }, news: "first" };
    return place.run === run ? { place, news: "resumed" } : { place: { run, after: 0 }, news: "restarted" };
  }
  if (m.type === "gap") return { place, news: "missed" };
  if (place === null || seq === 0) return { place, news: "nothing" };
  return { place: { run: place.run, after: Math.max(place.after, seq) }, news: "event" };
}

const firstWait = 400; // ms
const longestWait = 20_000;

// waitBefore is how long to wait before the nth try in a row, 0 for the first: twice as long each time, and between half
// of it and the whole by chance, so that many pages do not come back at once.
export function waitBefore(nth: number, chance: number): number {
  const most = Math.min(longestWait, firstWait * 2 ** Math.min(nth, 16));
  return Math.round(most * (0.5 + 0.5 * chance));
}
