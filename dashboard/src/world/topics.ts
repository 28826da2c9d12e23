import { signal, type Signal } from "@preact/signals";
import type { Line } from "../net/wire";

// Topics count what happened to each of Solo's lists, so that a room that shows one asks for it again.
const names = ["tasks", "projects", "promises", "memories", "documents", "dialogues", "jobs", "services", "approvals"] as const;

export type Topic = (typeof names)[number];

export const topics = Object.fromEntries(names.map((n) => [n, signal(0)])) as Record<Topic, Signal<number>>;

const byTool = new Map<string, Topic>([
  ["tasks", "tasks"], ["projects", "projects"], ["timers", "promises"], ["alarms", "promises"], ["reminders", "promises"], ["memory", "memories"], ["profile", "memories"], ["documents", "documents"],
]);

const byEvent = new Map<string, Topic>([
  ["due", "promises"], ["turned", "dialogues"], ["job", "jobs"], ["service", "services"], ["approval", "approvals"], ["decided", "approvals"], ["documents", "documents"],
]);

export function touch(line: Line): void {
  const topic = byEvent.get(line.type) ?? (line.type === "acted" ? topicOf(line.data?.tool) : undefined);
  if (topic) topics[topic].value++;
}

function topicOf(tool: unknown): Topic | undefined {
  return typeof tool === "string" ? byTool.get(tool.split(".")[0] ?? "") : undefined;
}

// missed counts how often events may have been lost: every list is asked for again then.
export const missed = signal(0);

export function touchAll(): void {
  missed.value++;
}
