import { useEffect, useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";

// Search tells what is looked for once the user stops typing.
export function Search({ label, find }: { label: string; find: (text: string) => void }) {
  const text = useSignal("");
  const timer = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  const typed = (value: string) => {
    text.value = value;
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => find(value.trim()), 200);
  };
  return (
    <input class="field search" type="search" data-field aria-label={label} placeholder={label} value={text.value} onInput={(e) => typed(e.currentTarget.value)} />
  );
}
