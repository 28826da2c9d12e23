import { Cards, Machine } from "../live/machine";
import { Graph } from "../live/graph";
import { Kept } from "../live/kept";
import { Now } from "../live/now";
import { fault, usePulse } from "../live/pulse";
import { Queues } from "../live/queues";
import { Services } from "../live/services";
import { Speed } from "../live/speed";
import { Turns } from "../live/turns";
import { Empty, Room, Trouble } from "../parts/room";
import { status } from "../world/live";

export function Live() {
  usePulse();
  const s = status.value;
  return (
    <Room title="Live" lead="How everything is, now." wide>
      {fault.value ? <Trouble fault={fault.value} /> : null}
      {s === null ? <Empty>One moment…</Empty> : null}
      {s ? (
        <>
          {s.lacks.length > 0 ? (
            <ul class="lacks" aria-label="What is missing">
              {s.lacks.map((l) => (
                <li key={l}>{l}</li>
              ))}
            </ul>
          ) : null}
          <div class="cards">
            <Now of={s} />
            <Speed of={s} />
            <Turns of={s.turns} />
            <Machine of={s} />
            <Cards of={s} />
            {s.gpu.length === 0 ? <Kept of={s} /> : null}
            <Services of={s.services} />
            <div class="stack">
              {s.gpu.length > 0 ? <Kept of={s} /> : null}
              <Queues of={s.bus} />
            </div>
            <Graph />
          </div>
        </>
      ) : null}
    </Room>
  );
}
