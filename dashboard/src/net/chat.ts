import { Fault, faultFrom, isRecord, send } from "./ask";
import { SentEvents, type Sent } from "./sse";
import type { Action, Answer, Approval } from "./wire";

export interface Listener {
  sentence: (text: string) => void;
  action: (action: Action) => void;
  approval: (approval: Approval) => void;
}

// chat asks the assistant and tells what comes while it answers.
export async function chat(message: string, session: string, listener: Listener, signal: AbortSignal): Promise<Answer> {
  const answer = await send("POST", "/chat", {
    headers: { "Content-Type": "application/json", Accept: "text/event-stream" },
    body: JSON.stringify({ message, session_id: session }),
    signal,
  });
  let last: Answer | null = null;
  for await (const sent of eventsOf(answer)) {
    const v = read(sent);
    if (v === null) continue;
    if (sent.event === "error") throw faultFrom(500, v);
    if (sent.event === "answer") last = v as unknown as Answer;
    else tell(v, listener);
  }
  if (last === null) throw new Fault(0, "cut", "The answer broke off.", "Ask again; the log tells more.");
  return last;
}

function tell(v: Record<string, unknown>, listener: Listener): void {
  if (typeof v.sentence === "string" && v.sentence !== "") listener.sentence(v.sentence);
  if (isRecord(v.action)) listener.action(v.action as unknown as Action);
  if (isRecord(v.wants)) listener.approval(v.wants as unknown as Approval);
}

function read(sent: Sent): Record<string, unknown> | null {
  try {
    const v: unknown = JSON.parse(sent.data);
    return isRecord(v) ? v : null;
  } catch {
    return null;
  }
}

async function* eventsOf(answer: Response): AsyncGenerator<Sent> {
  if (answer.body === null) return;
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  const events = new SentEvents();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield* events.take(value);
    }
  } finally {
    await reader.cancel().catch(() => undefined); // it may be over
  }
}
