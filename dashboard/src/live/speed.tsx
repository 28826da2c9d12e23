import { Chart } from "../charts/chart";
import { Card } from "../parts/card";
import type { Status } from "../net/wire";
import { world } from "../world/live";
import type { Use } from "../world/world";
import { ms, rate } from "../words/format";

const writing = [{ name: "writing", colour: "--curve-1" }];
const reading = [{ name: "reading", colour: "--curve-2" }];

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
        <div class="pair-charts">
          <Chart label={`Tokens written per second, now ${rate(gen)}`} title="writes" curves={writing} data={dataOf(uses, (u) => u.genTps)} shown={rate} points height={96} />
          <Chart label={`Tokens read per second, now ${rate(prompt)}`} title="reads" curves={reading} data={dataOf(uses, (u) => u.promptTps)} shown={rate} points height={96} />
        </div>
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

// dataOf is a curve of the last answers; one that did not measure it leaves a hole.
function dataOf(uses: Use[], of: (u: Use) => number): [number[], (number | null)[]] {
  return [uses.map((u) => u.at / 1000), uses.map((u) => (of(u) > 0 ? of(u) : null))];
}
