import { signal } from "@preact/signals";

export interface Toast {
  id: number;
  text: string;
  hint: string;
  mood: "good" | "bad";
  undo?: () => void;
}

export const toasts = signal<Toast[]>([]);

const most = 4;
let count = 0;

// say shows a sentence for a while. Bad news, and what can be undone, stays longer.
export function say(text: string, hint = "", mood: Toast["mood"] = "good", undo?: () => void): void {
  const id = ++count;
  toasts.value = [...toasts.value, { id, text, hint, mood, ...(undo ? { undo } : {}) }].slice(-most);
  window.setTimeout(() => dismiss(id), mood === "bad" || undo ? 12_000 : 5_000);
}

export function dismiss(id: number): void {
  toasts.value = toasts.value.filter((t) => t.id !== id);
}
