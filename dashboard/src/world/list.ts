import { useEffect, useRef } from "preact/hooks";
import { useSignal, type Signal } from "@preact/signals";
import { get, type Fault } from "../net/ask";
import { Loader } from "./loader";
import { missed, topics, type Topic } from "./topics";

export interface Loaded<T> {
  data: Signal<T | null>;
  fault: Signal<Fault | null>;
  again: () => void;
}

// useList asks for a list, and again when its address or its topic changes, and every so often where every is set. A page
// in the background does not ask.
export function useList<T>(path: string, topic?: Topic, every = 0): Loaded<T> {
  const data = useSignal<T | null>(null);
  const fault = useSignal<Fault | null>(null);
  const loader = useRef<Loader<T> | null>(null);
  const changes = (topic ? topics[topic].value : 0) + missed.value;

  useEffect(() => {
    const take = (d: T) => ((data.value = d), (fault.value = null));
    const l = new Loader<T>((signal) => get<T>(path, signal), take, (f) => (fault.value = f));
    loader.current = l;
    l.ask(0);
    const seen = () => document.visibilityState === "visible" && !fault.value?.absent;
    const beat = every > 0 ? window.setInterval(() => seen() && l.ask(0), every) : 0;
    return () => {
      clearInterval(beat);
      l.end();
    };
  }, [path, every]);
  useEffect(() => loader.current?.ask(), [changes]);
  return { data, fault, again: () => loader.current?.ask(0) };
}
