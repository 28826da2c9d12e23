import { useEffect } from "preact/hooks";
import { useSignal, type Signal } from "@preact/signals";
import { Fault, faultOf, get } from "../net/ask";
import { missed, topics, type Topic } from "./topics";

export interface Loaded<T> {
  data: Signal<T | null>;
  fault: Signal<Fault | null>;
  again: () => void;
}

const calm = 150; // ms after which a list is asked for again, so that a burst of events asks once

// useList asks for a list, and again when its address or its topic changes, and every so often where every is set. A page
// in the background does not ask.
export function useList<T>(path: string, topic?: Topic, every = 0): Loaded<T> {
  const data = useSignal<T | null>(null);
  const fault = useSignal<Fault | null>(null);
  const asked = useSignal(0);
  const seen = (topic ? topics[topic].value : 0) + asked.value + missed.value;

  useEffect(() => {
    const stop = new AbortController();
    const load = async () => {
      try {
        data.value = await get<T>(path, stop.signal);
        fault.value = null;
      } catch (err) {
        if (!stop.signal.aborted) fault.value = faultOf(err);
      }
    };
    const first = window.setTimeout(() => void load(), data.value === null ? 0 : calm);
    const visible = () => document.visibilityState === "visible";
    const beat = every > 0 ? window.setInterval(() => visible() && !fault.value?.absent && void load(), every) : 0;
    return () => {
      clearTimeout(first);
      clearInterval(beat);
      stop.abort();
    };
  }, [path, seen, every]);
  return { data, fault, again: () => void asked.value++ };
}
