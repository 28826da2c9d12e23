import { faultOf, post, type Fault } from "../net/ask";
import type { Done } from "../net/wire";
import { asking, stopAsking } from "./typed";
import { say } from "./toasts";
import { world } from "./live";
import type { Wanted } from "./world";

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

const longestTimer = 2 ** 31 - 1; // ms

// outlived ends an approval when its time is over. It gives what calls that off.
export function outlived(a: Wanted): () => void {
  const left = Date.parse(a.until ?? "") - Date.now();
  if (a.decided || !(left < longestTimer)) return () => undefined;
  const timer = window.setTimeout(() => settle(a.id, { decided: "over" }), Math.max(0, left));
  return () => clearTimeout(timer);
}

function settle(id: string, end: Partial<Wanted>): void {
  world.value = { ...world.value, approvals: world.value.approvals.map((a) => (a.id === id && (end.decided !== "over" || !a.decided) ? { ...a, ...end } : a)) };
}

// decide grants or refuses an approval. Errors: a Fault.
export async function decide(id: string, granted: boolean): Promise<void> {
  const answer = await post<{ say?: string } | undefined>(`/approvals/${encodeURIComponent(id)}`, { granted });
  settle(id, { decided: granted ? "granted" : "refused", said: answer?.say ?? "" });
}
