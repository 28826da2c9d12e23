import { layOut, scaleOf, stageNames } from "../charts/waterfall";
import { Card } from "../parts/card";
import type { Turn } from "../net/wire";
import { clock, ms } from "../words/format";

const most = 8;

// Turns shows where the time of the last turns went.
export function Turns({ of }: { of: Turn[] }) {
  const turns = of.slice(0, most);
  const scale = scaleOf(turns);
  const note = (
    <span class="keys-inline">
      {stageNames.map((n, i) => (
        <span key={n} class="key">
          <i class={`stage-${i}`} />
          {n}
        </span>
      ))}
    </span>
  );
  return (
    <Card title="Last turns" note={note} wide>
      {turns.length === 0 ? (
        <p class="empty small">No turn yet.</p>
      ) : (
        <table class="turns">
          <thead class="hidden">
            <tr>
              <th scope="col">When</th>
              <th scope="col">Said</th>
              <th scope="col">Time to the first sound, by stage</th>
              <th scope="col">Total</th>
            </tr>
          </thead>
          <tbody>
            {turns.map((t) => (
              <Row key={`${t.turn} ${t.at}`} of={t} scale={scale} />
            ))}
          </tbody>
        </table>
      )}
      {turns.length > 0 ? (
        <p class="scale quiet" aria-hidden="true">
          <span>0</span>
          <span>{ms(scale)}</span>
        </p>
      ) : null}
    </Card>
  );
}

function Row({ of: t, scale }: { of: Turn; scale: number }) {
  const { stages, total } = layOut(t, scale);
  const words = stages.map((s) => `${s.name} ${ms(s.ms)}`).join(", ");
  return (
    <tr>
      <td class="quiet">{clock(t.at, true)}</td>
      <th scope="row" title={t.heard ?? ""}>
        {t.heard || t.outcome}
      </th>
      <td class="waterfall" title={words}>
        <span class="hidden">{words}</span>
        <span class="track" aria-hidden="true">
          {stages.map((s, i) => (
            <i key={s.name} class={`stage-${i}`} style={{ left: `${s.from * 100}%`, width: `${(s.to - s.from) * 100}%` }} />
          ))}
        </span>
      </td>
      <td class="number">
        <strong>{total > 0 ? ms(total) : "–"}</strong>
      </td>
    </tr>
  );
}
