import { describe, expect, test } from "vitest";
import type { Line } from "../net/wire";
import { reduce, restarted } from "./reduce";
import { empty, fresh, most, type World } from "./world";

const start: World = { ...empty, run: "a" };
const at = "2026-03-04T10:00:00Z";

function after(w: World, ...lines: [string, Record<string, unknown>?, number?][]): World {
  return lines.map(([type, data, turn], i): Line => ({ type, seq: i + 1, at, data: data ?? {}, ...(turn ? { turn } : {}) })).reduce(reduce, w);
}

describe("a spoken turn", () => {
  const steps: [string, Record<string, unknown>?, number?][] = [
    ["woke", {}, 7],
    ["partial", { text: "set a" }, 7],
    ["heard", { text: "set a timer", engine: "x" }, 7],
    ["acted", { tool: "timers.set", status: "ok", arguments: { minutes: 5 }, source: "" }, 7],
    ["replied", { text: "Five minutes." }, 7],
    ["turned", { outcome: "answered", endpoint_ms: 100, stt_ms: 50, think_ms: 20, first_audio_ms: 70 }, 7],
  ];

  test("shows what is heard so far", () => {
    const [x] = after(start, ...steps.slice(0, 2)).exchanges;
    expect(x).toMatchObject({ turn: 7, partial: "set a", heard: "", outcome: "" });
  });

  test("ends with all that was said and done, and its times", () => {
    const { exchanges } = after(start, ...steps);
    expect(exchanges).toHaveLength(1);
    expect(exchanges[0]).toMatchObject({
      heard: "set a timer", partial: "", typed: false, sentences: ["Five minutes."], outcome: "answered",
      actions: [{ tool: "timers.set", status: "ok", arguments: { minutes: 5 } }],
      times: { endpoint: 100, stt: 50, think: 20, firstAudio: 70 },
    });
  });

  test("of which only the end is known still shows", () => {
    const [x] = after(start, ["turned", { outcome: "interrupted", heard: "stop", spoken: "All" }, 3]).exchanges;
    expect(x).toMatchObject({ heard: "stop", sentences: ["All"], outcome: "interrupted" });
  });

  test("without words says why", () => {
    const [x] = after(start, ["woke", {}, 4], ["misheard", { why: "nothing was said" }, 4]).exchanges;
    expect(x).toMatchObject({ outcome: "misheard", why: "nothing was said" });
  });
});

describe("a text typed in this page", () => {
  const own = { ...fresh("typed 1", 0, 1), heard: "hello", typed: true, here: true };

  test("takes its number from the event, and its answer not", () => {
    const { exchanges } = after({ ...start, exchanges: [own] }, ["heard", { text: "hello", engine: "typed" }, 9], ["replied", { text: "Hi." }, 9], ["acted", { tool: "x" }, 9]);
    expect(exchanges).toHaveLength(1);
    expect(exchanges[0]).toMatchObject({ turn: 9, key: "a 9", sentences: [], actions: [], here: true });
  });

  test("is not that of another page", () => {
    const { exchanges } = after({ ...start, exchanges: [own] }, ["heard", { text: "other", engine: "typed" }, 9], ["replied", { text: "Hi." }, 9]);
    expect(exchanges.map((x) => [x.heard, x.sentences])).toEqual([["hello", []], ["other", ["Hi."]]]);
  });
});

describe("a restart", () => {
  const before = after(start, ["heard", { text: "one" }, 1], ["turned", { outcome: "answered" }, 1], ["heard", { text: "two" }, 2]);

  test("ends what was open", () => {
    const [one, two] = restarted(before, "b").exchanges;
    expect(one).toMatchObject({ outcome: "answered" });
    expect(two).toMatchObject({ outcome: "failed", why: "Solo was restarted." });
  });

  test("counts turns anew", () => {
    const { exchanges } = after(restarted(before, "b"), ["heard", { text: "three" }, 1]);
    expect(exchanges.map((x) => x.heard)).toEqual(["one", "two", "three"]);
  });
});

describe("approvals and jobs", () => {
  test("an approval is decided once", () => {
    const w = after(start, ["approval", { id: "x", say: "May I?", tool: "mail.send", arguments: { to: "a" } }], ["approval", { id: "x", say: "May I?" }], ["decided", { id: "x", granted: true }]);
    expect(w.approvals).toHaveLength(1);
    expect(w.approvals[0]).toMatchObject({ id: "x", decided: "granted" });
  });

  test("a job moves on", () => {
    const w = after(start, ["job", { id: 3, title: "t", state: "running", progress: null }], ["job", { id: 3, title: "t", state: "running", progress: 0.5 }]);
    expect(w.jobs).toMatchObject([{ id: 3, progress: 0.5 }]);
  });
});

test("what is not known, or has another shape, changes nothing and breaks nothing", () => {
  const w = after(start, ["nonsense", { a: 1 }], ["state", { state: "flying" }], ["heard"], ["toString"], ["__proto__"]);
  expect(w.exchanges).toEqual([]);
  expect(w.state).toBe("idle");
  for (const type of ["heard", "acted", "replied", "turned", "usage", "job", "approval", "decided", "due", "misheard"]) {
    for (const data of [{}, { text: 5, id: {}, messages: "x", tool: [], progress: "1", why: null }]) expect(() => after(start, [type, data, 1])).not.toThrow();
  }
});

test("ten thousand events of each kind leave every list at its end", () => {
  let w = start;
  for (let i = 1; i <= 10_000; i++) {
    w = after(w, ["heard", { text: `${i}` }, i], ["usage", { gen_tps: 1, generated: 1 }], ["job", { id: i }], ["approval", { id: `${i}` }], ["due", { kind: "timer" }], ["replied", { text: "x" }, 10_000], ["acted", { tool: "t" }, 10_000]);
  }
  expect(w.exchanges).toHaveLength(most.exchanges);
  expect(w.exchanges[0]).toMatchObject({ heard: "9921" });
  expect(w.uses).toHaveLength(most.uses);
  expect(w.jobs).toHaveLength(most.jobs);
  expect(w.approvals).toHaveLength(most.approvals);
  expect(w.notices).toHaveLength(most.notices);
  expect(w.exchanges.at(-1)?.sentences.length).toBeLessThanOrEqual(most.sentences);
});
