import { describe, expect, test } from "vitest";
import type { Turn } from "../net/wire";
import { flowOf } from "./flow";
import { Series } from "./series";
import { layOut, scaleOf } from "./waterfall";

const turn = (...ms: [number, number, number, number]): Turn => ({
  turn: 1, at: "", outcome: "answered", endpoint_ms: ms[0], stt_ms: ms[1], think_ms: ms[2], first_audio_ms: ms[3],
});

describe("a waterfall", () => {
  test("puts each stage behind the one before", () => {
    const { stages, total } = layOut(turn(100, 200, 300, 400), 2000);
    expect(total).toBe(1000);
    expect(stages.map((s) => [s.from, s.to])).toEqual([[0, 0.05], [0.05, 0.15], [0.15, 0.3], [0.3, 0.5]]);
  });

  test("takes no room for what did not happen or was not measured", () => {
    const { stages, total } = layOut(turn(-5, Number.NaN, 0, 250), 500);
    expect(total).toBe(250);
    expect(stages.map((s) => s.to - s.from)).toEqual([0, 0, 0, 0.5]);
  });

  test("never leaves its track", () => {
    expect(layOut(turn(900, 900, 900, 900), 1000).stages.every((s) => s.from <= 1 && s.to <= 1)).toBe(true);
  });

  test.each([
    [[], 500],
    [[turn(1, 1, 1, 1)], 500],
    [[turn(100, 100, 500, 100)], 1000],
    [[turn(0, 0, 2400, 0), turn(1, 1, 1, 1)], 3000],
    [[turn(0, 0, 61_000, 0)], 75_000],
  ])("has a round scale %#", (turns, want) => {
    expect(scaleOf(turns)).toBe(want);
  });
});

describe("the flow of the bus", () => {
  const bus = {
    publishers: [{ name: "dialog", type: "Heard", count: 4 }, { name: "jobs", type: "Changed", count: 0 }],
    subscribers: [
      { name: "web", type: "Heard", len: 0, cap: 8, dropped: 3, policy: "" },
      { name: "log", type: "Lonely", len: 0, cap: 8, dropped: 0, policy: "" },
    ],
  };

  test("joins publishers to subscribers by type", () => {
    const f = flowOf(bus, 900, 200);
    expect(f.edges.map((e) => `${e.from.id} > ${e.to.id}`).sort()).toEqual(["from dialog > type Heard", "from jobs > type Changed", "type Heard > to web", "type Lonely > to log"]);
    expect(f.nodes.filter((n) => n.hot).map((n) => n.name)).toEqual(["web"]);
    expect(f.nodes.every((n) => n.y >= 0 && n.y <= f.height && n.x >= 0 && n.x <= f.width)).toBe(true);
  });

  test("of nobody is empty", () => {
    expect(flowOf({ publishers: [], subscribers: [] }, 900, 200)).toMatchObject({ nodes: [], edges: [] });
  });
});

describe("a series", () => {
  test("keeps the last values", () => {
    const s = new Series(1, 3);
    for (let i = 0; i < 10_000; i++) s.add(i, [i]);
    expect(s.data).toEqual([[9997, 9998, 9999], [9997, 9998, 9999]]);
  });

  test("is broken where nothing was known", () => {
    const s = new Series(1);
    s.add(1, [5]);
    s.add(1, [6]);
    s.add(60, [7]);
    expect(s.data[1]).toEqual([5, null, 7]);
  });
});
