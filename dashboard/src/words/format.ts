// Figures in words, as short as they can be read.

const units = ["B", "KB", "MB", "GB", "TB"];

export function bytes(n: number | undefined): string {
  if (n === undefined || !Number.isFinite(n)) return "–";
  let at = 0;
  for (; Math.abs(n) >= 1000 && at < units.length - 1; at++) n /= 1000;
  return `${n < 10 && at > 0 ? n.toFixed(1) : Math.round(n)} ${units[at] ?? ""}`;
}

export function ms(n: number): string {
  if (!Number.isFinite(n) || n < 0) return "–";
  return n < 1000 ? `${Math.round(n)} ms` : `${(n / 1000).toFixed(n < 10_000 ? 2 : 1)} s`;
}

export function rate(n: number | undefined): string {
  if (n === undefined || !(n > 0)) return "–";
  return n < 10 ? n.toFixed(1) : String(Math.round(n));
}

export function percent(share: number): string {
  return Number.isFinite(share) ? `${Math.round(share * 100)} %` : "–";
}

// left is a time that is yet to pass: "2 h 05 min", "3:07".
export function left(n: number): string {
  const s = Math.max(0, Math.round(n / 1000));
  const days = Math.floor(s / 86_400);
  if (days > 1) return `${days} days`;
  const h = Math.floor(s / 3600);
  if (h >= 10) return `${h} h`;
  if (h > 0) return `${h} h ${pad(Math.floor((s % 3600) / 60))} min`;
  return `${Math.floor(s / 60)}:${pad(s % 60)}`;
}

const pad = (n: number) => String(n).padStart(2, "0");

// long is a time that has passed: "3 days", "2 h 05 min", "40 s".
export function long(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3600)} h ${pad(Math.floor((seconds % 3600) / 60))} min`;
  return `${Math.floor(seconds / 86_400)} days`;
}

export function clock(at: number | string, seconds = false): string {
  const d = new Date(at);
  if (Number.isNaN(d.getTime())) return "–";
  return d.toLocaleTimeString([], { hour: "numeric", minute: "2-digit", ...(seconds ? { second: "2-digit" } : {}) });
}

const zero = "0001-01-01"; // how Go writes no time

// day is a time for people: the clock today, else the day too.
export function day(at: number | string | undefined, now = Date.now()): string {
  if (at === undefined || at === "" || String(at).startsWith(zero)) return "";
  const d = new Date(at);
  if (Number.isNaN(d.getTime())) return "";
  const today = new Date(now);
  if (d.toDateString() === today.toDateString()) return clock(d.getTime());
  const year = d.getFullYear() === today.getFullYear() ? {} : { year: "numeric" as const };
  return `${d.toLocaleDateString([], { day: "numeric", month: "short", ...year })}, ${clock(d.getTime())}`;
}

// shown is a value of JSON as text.
export function shown(v: unknown): string {
  if (v === undefined || v === null) return "";
  if (typeof v === "string") return v;
  return typeof v === "object" ? JSON.stringify(v, null, 2) : String(v);
}

// hiding are signs that turn text round or cannot be seen. Joiners are left out: letters and pictures are made with them.
const hiding = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

// bare is text with what hides in it made visible, for whoever must know exactly what would be done.
export function bare(text: string): string {
  return text.replace(hiding, (c) => `⟨U+${(c.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`);
}

// human makes words of a name: "first_audio" -> "first audio".
export function human(name: string): string {
  return name.replace(/[_.]+/g, " ");
}
