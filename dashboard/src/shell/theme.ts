import { computed, effect, signal } from "@preact/signals";
import { keep, keptIn } from "./kept";

export type Choice = "auto" | "light" | "dark";

const dark = matchMedia("(prefers-color-scheme: dark)");
const asked = signal(dark.matches);
dark.addEventListener("change", (e) => (asked.value = e.matches));

const old = keptIn("theme");
export const choice = signal<Choice>(old === "light" || old === "dark" ? old : "auto");

// theme is what is shown.
export const theme = computed<"light" | "dark">(() => (choice.value === "auto" ? (asked.value ? "dark" : "light") : choice.value));

export function beginTheme(): void {
  effect(() => {
    document.documentElement.dataset.theme = theme.value;
    keep("theme", choice.value);
  });
}

const next: Record<Choice, Choice> = { auto: "light", light: "dark", dark: "auto" };

export function nextTheme(): void {
  choice.value = next[choice.value];
}

// colour reads a colour of the theme for what CSS does not reach.
export function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
