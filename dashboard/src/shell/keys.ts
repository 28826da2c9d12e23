import { signal } from "@preact/signals";
import { silence } from "../sound/talk";
import { stopSpeech } from "../world/deeds";
import { keep, keptIn } from "./kept";
import { nextTheme } from "./theme";
import { go, step } from "./route";

export const helpOpen = signal(false);
export const menuOpen = signal(false);

// single tells whether single letters are shortcuts. Who speaks to a machine by voice may have them off.
export const single = signal(keptIn("keys") !== "off");

export function setSingle(on: boolean): void {
  single.value = on;
  keep("keys", on ? "on" : "off");
}

// writing tells whether keys are meant for a field.
export function writing(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}

const letters: Record<string, () => void> = {
  "?": () => (helpOpen.value = true),
  "[": () => step(-1),
  "]": () => step(1),
  t: () => go("talk"),
  l: () => go("live"),
  d: nextTheme,
  "/": focusField,
};

export function beginKeys(): void {
  matchMedia("(min-width: 861px)").addEventListener("change", () => (menuOpen.value = false)); // the list is not folded there
  addEventListener("keydown", (e) => {
    if (e.defaultPrevented || e.ctrlKey || e.metaKey || e.altKey || document.querySelector("dialog[open]")) return;
    if (e.key === "Escape") return escape(e.target);
    const act = single.value && !writing(e.target) ? letters[e.key] : undefined;
    if (!act) return;
    e.preventDefault();
    act();
  });
}

function escape(target: EventTarget | null): void {
  if (menuOpen.value) menuOpen.value = false;
  else if (writing(target)) (target as HTMLElement).blur();
  else {
    silence();
    void stopSpeech();
  }
}

function focusField(): void {
  document.querySelector<HTMLElement>("main [data-field]")?.focus();
}
