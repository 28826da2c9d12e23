import { Chart } from "../charts/chart";
import { Bar } from "../parts/bar";
import { Card } from "../parts/card";
import type { Gpu, Status } from "../net/wire";
import { bytes, percent } from "../words/format";
import { beat, cards, keyOf, machine, memory } from "./pulse";
import { Figure } from "./speed";

const cpuCurve = [{ name: "processor", colour: "--curve-1" }];
const memoryCurve = [{ name: "memory", colour: "--curve-2" }];
const gpuCurves = [
  { name: "load", colour: "--curve-1" },
  { name: "memory", colour: "--curve-2" },
];

// Machine is what Solo takes of the processor and the memory.
export function Machine({ of: s }: { of: Status }) {
  const p = s.process;
  void beat.value; // drawn anew with each answer
  if (!p) return null;
  const rss = p.tree_rss_bytes ?? p.rss_bytes;
  return (
    <Card title="This machine" note={p.goroutines ? `${p.goroutines} goroutines` : ""}>
      <dl class="figures">
        <Figure name="processor" value={percent(p.cpu)} unit="of a core" />
        <Figure name="memory" value={bytes(rss)} unit={rss === p.rss_bytes ? "" : `${bytes(p.rss_bytes)} of it Solo itself`} />
      </dl>
      <div class="pair-charts">
        <Chart title="processor" label={`Processor, now ${percent(p.cpu)} of a core`} curves={cpuCurve} data={machine.data} shown={percent} top={0.1} height={96} />
        <Chart title="memory" label={`Memory, now ${bytes(rss)}`} curves={memoryCurve} data={memory.data} shown={bytes} top={1e7} height={96} />
      </div>
      {s.gpu.length === 0 ? <p class="gpu-note quiet">{s.gpu_note || "no NVIDIA GPU found"}</p> : null}
    </Card>
  );
}

export function Cards({ of: s }: { of: Status }) {
  void beat.value;
  return (
    <>
      {s.gpu.map((g, i) => (
        <One key={keyOf(g.name, i)} of={g} at={i} />
      ))}
    </>
  );
}

function One({ of: g, at }: { of: Gpu; at: number }) {
  const series = cards.get(keyOf(g.name, at));
  const share = g.mem_total_bytes > 0 ? g.mem_used_bytes / g.mem_total_bytes : 0;
  const rest = [g.temperature_c ? `${Math.round(g.temperature_c)} °C` : "", g.watts ? `${Math.round(g.watts)} W` : ""].filter((t) => t !== "");
  return (
    <Card title={g.name || "Graphics card"} note={rest.join(" · ")}>
      <dl class="figures">
        <Figure name="load" value={percent(g.util)} unit="" />
        <Figure name="memory" value={bytes(g.mem_used_bytes)} unit={`of ${bytes(g.mem_total_bytes)}`} />
        {g.own_bytes !== undefined ? <Figure name="by Solo" value={bytes(g.own_bytes)} unit="" /> : null}
      </dl>
      <Bar share={share} label="Memory of the card in use" tone={share > 0.92 ? "bad" : ""} />
      {series ? <Chart label={`Load ${percent(g.util)}, memory ${percent(share)}`} curves={gpuCurves} data={series.data} shown={percent} top={1} height={96} /> : null}
    </Card>
  );
}
