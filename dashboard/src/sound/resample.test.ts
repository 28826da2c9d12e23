import { describe, expect, test } from "vitest";
import { Pieces, pieceLength } from "./pieces";
import { Queue } from "./queue";
import { Resampler } from "./resample";

const tone = (hz: number, rate: number, n: number) => Float32Array.from({ length: n }, (_, i) => 0.5 * Math.sin((2 * Math.PI * hz * i) / rate));

function through(from: number, to: number, input: Float32Array, size = 128): Float32Array {
  const r = new Resampler(from, to);
  const out: number[] = [];
  for (let at = 0; at < input.length; at += size) out.push(...r.take(input.subarray(at, at + size)));
  return Float32Array.from(out);
}

const rms = (x: Float32Array) => Math.sqrt(x.reduce((a, v) => a + v * v, 0) / x.length);
const middle = (x: Float32Array) => x.subarray(Math.floor(x.length / 4), Math.floor((3 * x.length) / 4));

describe.each([
  [48_000, 16_000],
  [44_100, 16_000],
  [96_000, 16_000],
  [16_000, 48_000],
  [16_000, 44_100],
  [22_050, 16_000],
  [16_000, 16_000],
])("from %i to %i Hz", (from, to) => {
  test("a tone keeps its pitch, its loudness and its time", () => {
    const out = through(from, to, tone(440, from, from));
    const want = tone(440, to, out.length);
    const off = Float32Array.from(out, (v, i) => v - (want[i] as number));
    expect(rms(middle(off)) / rms(want)).toBeLessThan(0.01);
    expect(Math.abs(out.length - to)).toBeLessThan(to / 200);
  });

  test("pieces of any size give the same samples", () => {
    const input = tone(300, from, 5000);
    const whole = through(from, to, input, 5000);
    for (const size of [1, 7, 128, 1024]) {
      const cut = through(from, to, input, size);
      expect(Math.abs(cut.length - whole.length)).toBeLessThanOrEqual(Math.ceil(to / from) + 1);
      const n = Math.min(cut.length, whole.length);
      for (let i = 0; i < n; i++) expect(cut[i]).toBeCloseTo(whole[i] as number, 6);
    }
  });
});

test("what the lower rate cannot hold is taken away", () => {
  const out = through(48_000, 16_000, tone(11_000, 48_000, 48_000));
  expect(20 * Math.log10(rms(middle(out)) / rms(tone(440, 16_000, 16_000)))).toBeLessThan(-40);
});

test("silence stays silence", () => {
  expect(Math.max(...through(44_100, 16_000, new Float32Array(4410)).map(Math.abs))).toBe(0);
});

describe("pieces", () => {
  test("are of 20 ms, the last one with silence behind it", () => {
    const p = new Pieces();
    const got: Int16Array[] = [];
    p.take(new Float32Array(pieceLength * 2 + 10).fill(0.5), (x) => got.push(x));
    p.rest((x) => got.push(x));
    p.rest((x) => got.push(x));
    expect(got.map((x) => x.length)).toEqual([320, 320, 320]);
    expect(got[2]?.filter((v) => v !== 0)).toHaveLength(10);
  });

  test("do not wrap where it is too loud", () => {
    const got: number[] = [];
    new Pieces().take(new Float32Array(pieceLength).fill(3), (x) => got.push(...x));
    expect(new Set(got)).toEqual(new Set([32_767]));
  });
});

describe("a queue", () => {
  test("plays in order, then silence", () => {
    const q = new Queue(8);
    q.put(Float32Array.of(1, 2, 3));
    const out = new Float32Array(2);
    expect([q.take(out), [...out]]).toEqual([2, [1, 2]]);
    q.put(Float32Array.of(4, 5, 6, 7, 8, 9, 10));
    const rest = new Float32Array(10);
    expect([q.take(rest), [...rest]]).toEqual([8, [3, 4, 5, 6, 7, 8, 9, 10, 0, 0]]);
  });

  test("has an end, and drops everything at once", () => {
    const q = new Queue(4);
    q.put(new Float32Array(10).fill(1));
    expect(q.length).toBe(4);
    q.drop();
    expect(q.take(new Float32Array(3))).toBe(0);
  });
});
