import { describe, expect, test } from "vitest";
import { addressOf, step, waitBefore, type Place } from "./resume";

// follow takes messages in turn and gives the last place and all news.
function follow(from: Place | null, ...messages: { type: string; run?: unknown; seq?: unknown }[]) {
  let place = from;
  const news: string[] = [];
  for (const m of messages) {
    const s = step(place, m);
    place = s.place;
    news.push(s.news);
  }
  return { place, news };
}

describe("a reader of events", () => {
  test("begins with what is new", () => {
    expect(addressOf(null)).toBe("/ws");
    const { place, news } = follow(null, { type: "hello", run: "a", seq: 12 }, { type: "heard", seq: 13 });
    expect(place).toEqual({ run: "a", after: 13 });
    expect(news).toEqual(["first", "event"]);
  });

  test("goes on where it broke off", () => {
    expect(addressOf({ run: "a/b", after: 13 })).toBe("/ws?run=a%2Fb&after=13");
    const { place, news } = follow({ run: "a", after: 13 }, { type: "hello", run: "a", seq: 20 }, { type: "replied", seq: 14 });
    expect(place).toEqual({ run: "a", after: 14 });
    expect(news).toEqual(["resumed", "event"]);
  });

  test("breaks off before it was told everything and loses nothing", () => {
    const { place } = follow({ run: "a", after: 13 }, { type: "hello", run: "a", seq: 20 });
    expect(place).toEqual({ run: "a", after: 13 });
  });

  test("begins anew after a restart, whose numbers are small again", () => {
    const { place, news } = follow({ run: "a", after: 900 }, { type: "hello", run: "b", seq: 2 }, { type: "gap" }, { type: "heard", seq: 1 }, { type: "replied", seq: 2 });
    expect(place).toEqual({ run: "b", after: 2 });
    expect(news).toEqual(["restarted", "missed", "event", "event"]);
  });

  test("is told of a gap while it reads", () => {
    const { place, news } = follow({ run: "a", after: 5 }, { type: "gap" }, { type: "heard", seq: 700 });
    expect(place).toEqual({ run: "a", after: 700 });
    expect(news).toEqual(["missed", "event"]);
  });

  test("leaves loudness and what it does not know where it is", () => {
    const { place, news } = follow({ run: "a", after: 5 }, { type: "level" }, { type: "heard", seq: "7" }, { type: "hello" });
    expect(news).toEqual(["nothing", "nothing", "restarted"]);
    expect(place).toEqual({ run: "", after: 0 });
  });

  test("has no place before hello", () => {
    expect(follow(null, { type: "heard", seq: 3 }).place).toBeNull();
  });
});

describe("the wait before a try", () => {
  test.each([
    [0, 0, 200],
    [0, 1, 400],
    [1, 1, 800],
    [3, 0, 1600],
    [6, 1, 20_000],
    [5000, 1, 20_000],
  ])("number %i with chance %d is %i ms", (nth, chance, want) => {
    expect(waitBefore(nth, chance)).toBe(want);
  });
});
