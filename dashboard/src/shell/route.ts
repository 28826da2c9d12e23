import { signal } from "@preact/signals";

export interface Room {
  id: string;
  name: string;
  about: string;
  icon: string;
}

// rooms in their order. The first five stand in the bar of a phone.
export const rooms: readonly Room[] = [
  { id: "talk", name: "Talk", about: "Speak or write with Solo", icon: "talk" },
  { id: "live", name: "Live", about: "How everything is, now", icon: "live" },
  { id: "tasks", name: "Tasks", about: "What is to be done", icon: "tasks" },
  { id: "reminders", name: "Reminders", about: "Timers, alarms and reminders", icon: "reminders" },
  { id: "dialogues", name: "Dialogues", about: "What was said", icon: "dialogues" },
  { id: "projects", name: "Projects", about: "What you work towards", icon: "projects" },
  { id: "memories", name: "Memories", about: "What Solo keeps of you", icon: "memories" },
  { id: "documents", name: "Documents", about: "What Solo has read", icon: "documents" },
  { id: "models", name: "Models", about: "Models and engines", icon: "models" },
  { id: "jobs", name: "Jobs", about: "Work in the background", icon: "jobs" },
  { id: "settings", name: "Settings", about: "How Solo is set up, and where that comes from", icon: "settings" },
  { id: "log", name: "Log", about: "What Solo notes down", icon: "log" },
];

const first = rooms[0] as Room;

const here = (): Room => rooms.find((r) => r.id === location.hash.replace(/^#\/?/, "")) ?? first;

export const room = signal(here());

export function beginRoute(): void {
  addEventListener("hashchange", () => (room.value = here()));
}

export function go(id: string): void {
  location.hash = "#/" + id;
}

// step goes to the room before or behind.
export function step(by: number): void {
  const at = rooms.indexOf(room.value);
  go((rooms[(at + by + rooms.length) % rooms.length] ?? first).id);
}
