import { faultOf, post, type Fault } from "../net/ask";
import type { Done } from "../net/wire";
import { asking, stopAsking } from "./typed";
import { say } from "./toasts";
import { world } from "./live";

// command runs one tool, tells what came of it and offers to undo it. It gives true where it was done.
export async function command(tool: string, args: unknown): Promise<boolean> {
  try {
    const done = await post<Done>("/command", { tool, arguments: args });
    const undo = done.undo;
    if (done.status === "ok") say(done.say || "Done.", "", "good", undo ? () => void command(undo.tool, undo.arguments) : undefined);
    else say(done.say || "That did not work.", done.status === "asked" ? "Say it in Talk, where Solo can ask." : "", "bad");
    return done.status === "ok";
  } catch (err) {
    tellFault(faultOf(err));
    return false;
  }
}

export function tellFault(f: Fault): void {
  say(f.message, f.hint, "bad");
}

// stopSpeech ends what Solo says, and answers that still come. Nothing happens where it is silent.
export async function stopSpeech(): Promise<void> {
  const busy = asking.value > 0 && stopAsking();
  if (!busy && world.value.state !== "speaking") return;
  await post("/command", { tool: "speech.stop", arguments: {} }).catch(() => undefined); // it may have ended by itself
}

// decide grants or refuses an approval. Errors: a Fault.
export async function decide(id: string, granted: boolean): Promise<void> {
  const answer = await post<{ say?: string } | undefined>(`/approvals/${encodeURIComponent(id)}`, { granted });
  world.value = {
    ...world.value,
    approvals: world.value.approvals.map((a) => (a.id === id ? { ...a, decided: granted ? "granted" : "refused", said: answer?.say ?? "" } : a)),
  };
}
