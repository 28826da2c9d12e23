import { signal } from "@preact/signals";

// Fault is an error of the door: what happened, and what mends it.
export class Fault extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly hint = "",
  ) {
    super(message);
  }

  // absent tells that this Solo has no such part.
  get absent(): boolean {
    return this.status === 501 || this.status === 404;
  }
}

// locked turns true when the door no longer knows this browser.
export const locked = signal(false);

export const away = () => new Fault(0, "away", "Solo does not answer.", "Is it running? This page goes on by itself once it is.");

export function faultFrom(status: number, body: unknown): Fault {
  const told = isRecord(body) && isRecord(body.error) ? body.error : {};
  const text = (v: unknown) => (typeof v === "string" ? v : "");
  if (status === 401) locked.value = true;
  return new Fault(status, text(told.code), text(told.message) || `The answer was ${status}.`, text(told.hint));
}

export function isRecord(v: unknown): v is Record<string, unknown> {
  return typeof v === "object" && v !== null && !Array.isArray(v);
}

export function faultOf(err: unknown): Fault {
  return err instanceof Fault ? err : new Fault(0, "page", err instanceof Error ? err.message : String(err));
}

export async function send(method: string, path: string, init: RequestInit = {}): Promise<Response> {
  let answer: Response;
  try {
    answer = await fetch(path, { method, credentials: "same-origin", ...init });
  } catch (err) {
    if (err instanceof DOMException && err.name === "AbortError") throw err;
    throw away();
  }
  if (!answer.ok) throw faultFrom(answer.status, await answer.json().catch(() => null));
  return answer;
}

// get asks for JSON.
export async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  const answer = await send("GET", path, { headers: { Accept: "application/json" }, ...(signal ? { signal } : {}) });
  return (await answer.json()) as T;
}

// post sends JSON and gives the JSON that came back, if any.
export async function post<T>(path: string, body: unknown): Promise<T> {
  const answer = await send("POST", path, {
    headers: { "Content-Type": "application/json", Accept: "application/json" },
    body: JSON.stringify(body),
  });
  return answer.status === 204 ? (undefined as T) : ((await answer.json()) as T);
}

export async function remove(path: string): Promise<void> {
  await send("DELETE", path);
}
