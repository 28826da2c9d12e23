// What the door sends. Fields that an older Solo lacks are optional.

export type State = "idle" | "listening" | "thinking" | "speaking" | "muted";

export interface Service {
  name: string;
  state: string;
  restarts: number;
  since: string;
  error?: string;
}

export interface Gpu {
  name: string;
  mem_used_bytes: number;
  mem_total_bytes: number;
  own_bytes?: number;
  util: number;
  temperature_c?: number;
  watts?: number;
}

export interface Queue {
  sub: string;
  type: string;
  len: number;
  cap: number;
  dropped: number;
}

export interface Turn {
  turn: number;
  at: string;
  outcome: string;
  heard?: string;
  spoken?: string;
  endpoint_ms: number;
  stt_ms: number;
  think_ms: number;
  first_audio_ms: number;
  total_ms?: number;
}

export interface Llm {
  engine: string;
  model: string;
  prompt_tps: number;
  gen_tps: number;
  first_token_ms?: number;
  cloud?: boolean;
}

export interface Process {
  cpu: number; // share of one core
  rss_bytes: number;
  tree_rss_bytes?: number;
  goroutines?: number;
}

export interface Status {
  state: State;
  version: string;
  uptime_seconds: number;
  services: Service[];
  engines: Record<string, string>;
  llm: Llm;
  database: { engine: string; ok: boolean; bytes: number };
  memory: { facts: number; documents: number; tasks: number; timers: number };
  gpu: Gpu[];
  gpu_note?: string;
  bus: Queue[];
  audio: { input: string; output: string; level_dbfs: number; muted: boolean };
  turns: Turn[];
  lacks: string[];
  process?: Process;
}

export interface Bus {
  publishers: { name: string; type: string; count: number }[];
  subscribers: { name: string; type: string; len: number; cap: number; dropped: number; policy: string }[];
}

export interface Dialogue {
  id: number | string;
  at: string;
  heard: string;
  reply?: string; // what Solo meant to say
  spoken: string; // what was said of it
  intent?: string;
  outcome: string;
  endpoint_ms?: number;
  stt_ms?: number;
  think_ms?: number;
  first_audio_ms?: number;
  total_ms?: number;
}

export interface Fact {
  id: number | string;
  text: string;
  source: string;
  at: string;
}

export interface Task {
  id: number;
  text: string;
  due?: string;
  done: boolean;
  status: "open" | "doing" | "blocked" | "done";
  stuck_on?: string;
  project?: string;
  created: string;
}

export interface Project {
  id: number;
  name: string;
  path: string;
  depth: number;
  status: "active" | "paused" | "done" | "dropped";
  priority: number;
  progress: number;
  open_tasks: number;
}

export interface Receipt {
  id: number;
  at: string;
  step: string;
  channel?: string;
  kind: string;
  text: string;
  late_ms: number;
  again?: boolean;
  note?: string;
}

export interface Promised {
  id: number;
  kind: "timer" | "alarm" | "reminder" | "briefing" | "routine";
  text: string;
  at: string;
  every?: string;
  left_ms: number;
  ringing?: boolean;
}

export interface Message {
  role?: string;
  text?: string;
}

export interface Approval {
  id: string;
  say: string;
  tool?: string;
  arguments?: unknown;
  provider?: string;
  model?: string;
  messages?: Message[];
  until?: string;
}

export interface Document {
  name: string;
  bytes: number;
  changed: string;
  state: string; // "waiting", "reading", "read" or "broken"
  progress: number; // 0 to 1, while it is read
  why?: string; // it is broken
  title?: string;
  pages?: number;
  same?: string[]; // other names of the same content
  handed: boolean; // it lies in Solo's own folder: removing it deletes it
}

export interface Found {
  kind: string; // "document" or "memory"
  id: number;
  document?: string;
  page?: number;
  heading?: string;
  text: string;
  score: number;
}

export interface Setting {
  key: string;
  value: unknown;
  origin: string;
  doc?: string;
  default?: unknown;
  secret?: boolean;
}

export interface LogLine {
  at: string;
  level: string;
  part?: string;
  message: string;
  fields?: Record<string, unknown>;
}

export interface Model {
  engine: string;
  id: string;
  bytes?: number;
  context?: number;
  loaded?: boolean;
  gpu_bytes?: number;
  cloud?: boolean;
  for?: string[];
}

export interface Engine {
  job: string;
  name: string;
  version?: string;
  found?: boolean;
  missing?: string;
  mend?: string;
}

export interface Job {
  id: number;
  kind: string;
  title: string;
  state: string;
  progress: number | null;
  doing?: string;
  say?: string;
  why?: string;
  approval?: string;
  created?: string;
  changed?: string;
}

export interface Action {
  tool: string;
  arguments?: unknown;
  status: string;
  source?: string;
}

export interface Answer {
  reply: string;
  actions: Action[];
  turn: number;
  session_id: string;
  asks?: boolean;
  wants?: Approval;
}

export interface Done {
  tool: string;
  status: "ok" | "asked" | "failed";
  say?: string;
  data?: unknown;
  undo?: { tool: string; arguments?: unknown };
  ask?: unknown;
}

// Line is an event as /ws tells it.
export interface Line {
  type: string;
  seq?: number;
  at?: string;
  turn?: number;
  from?: string;
  data?: Record<string, unknown>;
  dbfs?: number | null; // of "level" alone
}
