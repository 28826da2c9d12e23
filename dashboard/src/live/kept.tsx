import { Card } from "../parts/card";
import type { Status } from "../net/wire";
import { bytes, human } from "../words/format";

const rooms: readonly [keyof Status["memory"], string, string][] = [
  ["facts", "memories", "memories"],
  ["documents", "documents", "documents"],
  ["tasks", "tasks", "tasks"],
  ["timers", "reminders", "timers"],
];

// Kept is what Solo keeps, and what it is made of.
export function Kept({ of: s }: { of: Status }) {
  return (
    <Card title="Kept" note={`${s.database.engine || "no database"}${s.database.bytes > 0 ? `, ${bytes(s.database.bytes)}` : ""}`}>
      <dl class="figures">
        {rooms.map(([key, room, name]) => (
          <div key={key}>
            <dt>
              <a href={`#/${room}`}>{name}</a>
            </dt>
            <dd>
              <strong>{s.memory[key]}</strong>
            </dd>
          </div>
        ))}
      </dl>
      <dl class="facts">
        {Object.entries(s.engines).map(([job, name]) => (
          <div key={job}>
            <dt>{human(job)}</dt>
            <dd>{name}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
