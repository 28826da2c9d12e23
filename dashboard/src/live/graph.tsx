import { useMemo } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { flowOf, type Edge, type Flow, type Node } from "../charts/flow";
import { Card } from "../parts/card";
import { Show } from "../parts/room";
import type { Bus } from "../net/wire";
import { useList } from "../world/list";
import { short } from "./queues";

const width = 900;
const margin = 210;

// Graph shows who publishes what to whom.
export function Graph() {
  const bus = useList<Bus>("/bus", undefined, 10_000);
  return (
    <Card title="Who tells whom" wide>
      <Show of={bus} is={(b) => b.publishers.length + b.subscribers.length === 0} empty="Nobody tells anybody anything.">
        {(b) => (
          <>
            <Picture of={b} />
            <details class="past">
              <summary>As a table</summary>
              <Table of={b} />
            </details>
          </>
        )}
      </Show>
    </Card>
  );
}

function Picture({ of }: { of: Bus }) {
  const flow = useMemo(() => flowOf(of, width, margin), [of]);
  const looked = useSignal("");
  const joined = near(flow, looked.value);
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Picture of who tells whom; the table below says the same">
      <svg class={looked.value ? "flow looked" : "flow"} viewBox={`0 0 ${flow.width} ${flow.height}`} role="img" aria-label={`${flow.edges.length} connections between ${flow.nodes.length} names`} onPointerLeave={() => (looked.value = "")}>
        {flow.edges.map((e) => (
          <path key={`${e.from.id} ${e.to.id}`} d={curve(e)} class={joined.has(e.from.id) && joined.has(e.to.id) ? "near" : ""} style={{ strokeWidth: `${(0.75 + 2 * e.weight).toFixed(2)}px` }} />
        ))}
        {flow.nodes.map((n) => (
          <Name key={n.id} of={n} near={joined.has(n.id)} look={() => (looked.value = n.id)} />
        ))}
      </svg>
    </div>
  );
}

function Name({ of: n, near: isNear, look }: { of: Node; near: boolean; look: () => void }) {
  const kind = n.id.split(" ")[0] ?? "";
  const at = { from: { x: n.x - 12, anchor: "end" }, type: { x: n.x, anchor: "middle" }, to: { x: n.x + 12, anchor: "start" } }[kind];
  const text = short(n.name);
  const half = text.length * 3.6 + 10;
  return (
    <g class={`${kind}${n.hot ? " hot" : ""}${isNear ? " near" : ""}`} onPointerEnter={look}>
      {kind === "type" ? <rect x={n.x - half} y={n.y - 11} width={2 * half} height={22} rx={11} /> : <circle cx={n.x} cy={n.y} r={4} />}
      <text x={at?.x ?? n.x} y={n.y + 4} text-anchor={at?.anchor ?? "middle"}>
        {text}
      </text>
    </g>
  );
}

function curve(e: Edge): string {
  const middle = (e.from.x + e.to.x) / 2;
  return `M${e.from.x} ${e.from.y}C${middle} ${e.from.y} ${middle} ${e.to.y} ${e.to.x} ${e.to.y}`;
}

// near are the names that a name is joined to, through the types that it tells or hears.
function near(flow: Flow, id: string): Set<string> {
  const found = new Set(id === "" ? [] : [id]);
  const direct = flow.edges.filter((e) => e.from.id === id || e.to.id === id);
  for (const e of direct) found.add(e.from.id).add(e.to.id);
  if (id.startsWith("type ")) return found;
  const types = new Set([...found].filter((f) => f.startsWith("type ")));
  for (const e of flow.edges) if ((types.has(e.from.id) && id.startsWith("from ")) || (types.has(e.to.id) && id.startsWith("to "))) found.add(e.from.id).add(e.to.id);
  return found;
}

function Table({ of }: { of: Bus }) {
  const types = [...new Set([...of.publishers, ...of.subscribers].map((x) => x.type))].sort();
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Who tells whom, as a table">
      <table>
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">Who tells it</th>
            <th scope="col">Who listens</th>
            <th scope="col" class="number">How often</th>
          </tr>
        </thead>
        <tbody>
          {types.map((t) => (
            <tr key={t}>
              <th scope="row">{short(t)}</th>
              <td>{of.publishers.filter((p) => p.type === t).map((p) => p.name).join(", ") || "nobody"}</td>
              <td>{of.subscribers.filter((s) => s.type === t).map((s) => s.name).join(", ") || "nobody"}</td>
              <td class="number">{of.publishers.filter((p) => p.type === t).reduce((n, p) => n + p.count, 0).toLocaleString()}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
