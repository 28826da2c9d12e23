import { Chart } from "../charts/chart";
import { Card } from "../parts/card";
import type { Status } from "../net/wire";
import { world } from "../world/live";
import type { Use } from "../world/world";
import { ms, rate } from "../words/format";

const curves = [
  { name: "reading", colour: "--curve-2" },
  { name: "writing", colour: "--curve-1" },
];

// Speed is how fast the language model reads and writes.
export function Speed({ of: s }: { of: Status }) {
  const { uses } = world.value;
  const last = uses[uses.length - 1];
  const prompt = last?.promptTps || s.llm.prompt_tps;
  const gen = last?.genTps || s.llm.gen_tps;
  const first = last?.firstToken || s.llm.first_token_ms || 0;
  const name = s.llm.model || "no language model";
  return (
    <Card title="Thinking" note={<>{name}{s.llm.cloud ? <span class="tag warn">cloud</span> : null}</>}>
      <dl class="figures">
        <Figure name="writes" value={rate(gen)} unit="tokens/s" />
        <Figure name="reads" value={rate(prompt)} unit="tokens/s" />
        <Figure name="first token" value={first > 0 ? ms(first) : "–"} unit="" />
      </dl>
      {uses.length > 1 ? (
        <Chart
          label={`Tokens per second of the last ${uses.length} answers. Now it reads ${rate(prompt)} and writes ${rate(gen)}.`}
          curves={curves} data={dataOf(uses)} shown={rate} points height={110}
        />
      ) : (
        <p class="empty small">Each answer of the model draws a point here.</p>
      )}
    </Card>
  );
}

export function Figure({ name, value, unit }: { name: string; value: string; unit: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <strong>{value}</strong> <span class="quiet">{unit}</span>
      </dd>
    </div>
  );
}

function dataOf(uses: Use[]): [number[], (number | null)[], (number | null)[]] {
  const some = (v: number) => (v > 0 ? v : null);
  return [uses.map((u) => u.at / 1000), uses.map((u) => some(u.promptTps)), uses.map((u) => some(u.genTps))];
}
