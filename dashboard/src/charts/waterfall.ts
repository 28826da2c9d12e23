// Lays turns out as bars on one scale, so that they can be compared.

import type { Turn } from "../net/wire";

export interface Stage {
  name: string;
  ms: number;
  from: number; // share of the width, 0 to 1
  to: number;
}

export interface Waterfall {
  stages: Stage[];
  total: number; // ms
}

export const stageNames = ["endpoint", "recognise", "think", "first audio"] as const;

const leastScale = 500; // ms; quick turns shall not look slow

export function timesOf(t: Turn): number[] {
  return [t.endpoint_ms, t.stt_ms, t.think_ms, t.first_audio_ms].map((v) => (Number.isFinite(v) && v > 0 ? v : 0));
}

// scaleOf is the time at the right edge, a round figure that no turn passes.
export function scaleOf(turns: Turn[]): number {
  const longest = turns.reduce((most, t) => Math.max(most, sum(timesOf(t))), leastScale);
  const digit = 10 ** Math.floor(Math.log10(longest));
  const step = [1, 2, 3, 5, 7.5, 10].find((s) => s * digit >= longest) ?? 10;
  return step * digit;
}

export function layOut(t: Turn, scale: number): Waterfall {
  let at = 0;
  const stages = timesOf(t).map((ms, i) => {
    const from = at / scale;
    at += ms;
    return { name: stageNames[i] as string, ms, from: Math.min(1, from), to: Math.min(1, at / scale) };
  });
  return { stages, total: at };
}

function sum(list: number[]): number {
  return list.reduce((a, b) => a + b, 0);
}
