// Lays out who publishes what to whom in three columns: publishers, types, subscribers.

import type { Bus } from "../net/wire";

export interface Node {
  id: string;
  name: string;
  x: number;
  y: number;
  hot: boolean; // it loses events, or nobody listens
}

export interface Edge {
  from: Node;
  to: Node;
  weight: number; // 0 to 1, of what is published most
}

export interface Flow {
  width: number;
  height: number;
  nodes: Node[];
  edges: Edge[];
}

export const gap = 26; // between two names of a column
const top = 18;
const columns = [0, 0.5, 1];

export function flowOf(bus: Bus, width: number, margin: number): Flow {
  const publishers = unique(bus.publishers.map((p) => p.name));
  const types = unique([...bus.publishers.map((p) => p.type), ...bus.subscribers.map((s) => s.type)]);
  const subscribers = unique(bus.subscribers.map((s) => s.name));
  const most = Math.max(publishers.length, types.length, subscribers.length, 1);
  const height = 2 * top + (most - 1) * gap;
  const drops = new Set(bus.subscribers.filter((s) => s.dropped > 0).map((s) => s.name));
  const x = (c: number) => margin + (columns[c] as number) * (width - 2 * margin);
  const column = (names: string[], c: number, kind: string, hot: (n: string) => boolean) =>
    names.map((name, i): Node => ({ id: `${kind} ${name}`, name, x: x(c), y: place(i, names.length, height), hot: hot(name) }));
  const nodes = [
    ...column(ordered(publishers, (p) => mean(bus.publishers.filter((b) => b.name === p).map((b) => types.indexOf(b.type)))), 0, "from", () => false),
    ...column(types, 1, "type", () => false),
    ...column(ordered(subscribers, (s) => mean(bus.subscribers.filter((b) => b.name === s).map((b) => types.indexOf(b.type)))), 2, "to", (n) => drops.has(n)),
  ];
  return { width, height, nodes, edges: edgesOf(bus, nodes) };
}

function edgesOf(bus: Bus, nodes: Node[]): Edge[] {
  const by = new Map(nodes.map((n) => [n.id, n]));
  const counts = new Map<string, number>();
  for (const p of bus.publishers) counts.set(p.type, (counts.get(p.type) ?? 0) + p.count);
  const most = Math.max(1, ...bus.publishers.map((p) => p.count), ...counts.values());
  const weight = (n: number) => Math.log1p(n) / Math.log1p(most);
  const edge = (from: string, to: string, n: number): Edge[] => {
    const a = by.get(from);
    const b = by.get(to);
    return a && b ? [{ from: a, to: b, weight: weight(n) }] : [];
  };
  return [
    ...bus.publishers.flatMap((p) => edge(`from ${p.name}`, `type ${p.type}`, p.count)),
    ...bus.subscribers.flatMap((s) => edge(`type ${s.type}`, `to ${s.name}`, counts.get(s.type) ?? 0)),
  ];
}

function place(i: number, n: number, height: number): number {
  return n === 1 ? height / 2 : top + (i * (height - 2 * top)) / (n - 1);
}

function unique(names: string[]): string[] {
  return [...new Set(names)].sort((a, b) => a.localeCompare(b));
}

// ordered puts names near what they are joined to, so that fewer lines cross.
function ordered(names: string[], at: (name: string) => number): string[] {
  return [...names].sort((a, b) => at(a) - at(b) || a.localeCompare(b));
}

function mean(list: number[]): number {
  return list.length === 0 ? 0 : list.reduce((a, b) => a + b, 0) / list.length;
}
