import { connection } from "../net/events";
import { loudness, world } from "../world/live";
import { hold, own, speaking, voice } from "../sound/talk";

// Orb shows what Solo does, and breathes with what is heard or said.
export function Orb({ size = "small" }: { size?: "small" | "large" }) {
  const state = stateNow();
  const far = size === "large" ? loudnessNow(state) : 0;
  return <span class={`orb ${size} ${state}`} style={{ "--far": far.toFixed(2) }} aria-hidden="true" />;
}

export function stateNow(): string {
  if (speaking.value) return "speaking";
  return hold.value === "held" ? "listening" : world.value.state;
}

function loudnessNow(state: string): number {
  if (state === "speaking") return voice.value;
  if (hold.value === "held") return own.value;
  return state === "listening" ? Math.max(0, (loudness.value + 60) / 60) : 0;
}

const words: Record<string, string> = { idle: "Ready", listening: "Listening", thinking: "Thinking", speaking: "Speaking", muted: "Microphone off" };

export function stateWords(): string {
  if (connection.value === "reconnecting") return "Out of reach";
  return words[stateNow()] ?? "Ready";
}
