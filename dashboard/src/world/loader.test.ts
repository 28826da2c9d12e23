import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Fault } from "../net/ask";
import { Loader } from "./loader";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

// rig is a loader whose answers take a second.
function rig(answer: () => Promise<string> = () => Promise.resolve("list")) {
  const seen = { asked: 0, taken: [] as string[], failed: [] as string[] };
  const slowly = async () => {
    seen.asked++;
    await new Promise((done) => setTimeout(done, 1000));
    return answer();
  };
  const loader = new Loader<string>(slowly, (d) => seen.taken.push(d), (f) => seen.failed.push(f.message));
  return { loader, seen };
}

describe("a loader", () => {
  test("asks once for a burst of wishes, and once more for those that came meanwhile", async () => {
    const { loader, seen } = rig();
    for (let i = 0; i < 100; i++) loader.ask();
    await vi.advanceTimersByTimeAsync(600);
    for (let i = 0; i < 100; i++) loader.ask();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(seen).toEqual({ asked: 2, taken: ["list", "list"], failed: [] });
  });

  test("is not starved by wishes without end", async () => {
    const { loader, seen } = rig();
    for (let at = 0; at < 11_500; at += 50) {
      loader.ask();
      await vi.advanceTimersByTimeAsync(50);
    }
    expect(seen.taken).toHaveLength(10); // 150 ms of calm and a second each
  });

  test("tells what went wrong, and asks again when told to", async () => {
    let broken = true;
    const { loader, seen } = rig(() => (broken ? Promise.reject(new Fault(501, "not_here", "There is none.")) : Promise.resolve("list")));
    loader.ask(0);
    await vi.advanceTimersByTimeAsync(2000);
    broken = false;
    loader.ask(0);
    await vi.advanceTimersByTimeAsync(2000);
    expect(seen).toEqual({ asked: 2, taken: ["list"], failed: ["There is none."] });
  });

  test("is silent once it has ended", async () => {
    const { loader, seen } = rig();
    loader.ask(0);
    await vi.advanceTimersByTimeAsync(500);
    loader.ask();
    loader.end();
    await vi.advanceTimersByTimeAsync(5000);
    expect(seen).toEqual({ asked: 1, taken: [], failed: [] });
  });
});
