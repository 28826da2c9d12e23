import { useEffect } from "preact/hooks";
import { signal } from "@preact/signals";
import { Series } from "../charts/series";
import { faultOf, type Fault } from "../net/ask";
import type { Status } from "../net/wire";
import { refreshStatus, status } from "../world/live";

const every = 2000; // ms

export const machine = new Series(1); // CPU, share of one core
export const memory = new Series(1); // bytes
export const cards = new Map<string, Series>(); // load and memory of each card
export const beat = signal(0); // grows with each answer
export const fault = signal<Fault | null>(null);

// usePulse asks for the status for as long as the room is seen.
export function usePulse(): void {
  useEffect(() => {
    let asking = false;
    const ask = async () => {
      if (asking || document.visibilityState !== "visible") return;
      asking = true;
      try {
        await refreshStatus();
        fault.value = null;
        if (status.value) note(status.value, Date.now() / 1000);
        beat.value++;
      } catch (err) {
        fault.value = faultOf(err);
      } finally {
        asking = false;
      }
    };
    void ask();
    const timer = window.setInterval(() => void ask(), every);
    const seen = () => void ask();
    document.addEventListener("visibilitychange", seen);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", seen);
    };
  }, []);
}

function note(s: Status, at: number): void {
  if (s.process) {
    machine.add(at, [s.process.cpu]);
    memory.add(at, [s.process.tree_rss_bytes ?? s.process.rss_bytes]);
  }
  s.gpu.forEach((g, i) => {
    const key = keyOf(g.name, i);
    const series = cards.get(key) ?? new Series(2);
    cards.set(key, series);
    series.add(at, [g.util, g.mem_total_bytes > 0 ? g.mem_used_bytes / g.mem_total_bytes : null]);
  });
}

export function keyOf(name: string, i: number): string {
  return `${i} ${name}`;
}
