import { Card } from "../parts/card";
import type { Queue } from "../net/wire";

// Queues are the subscriptions of the bus: what waits in each, and what was lost.
export function Queues({ of }: { of: Queue[] }) {
  const sorted = [...of].sort((a, b) => b.dropped - a.dropped || b.len / (b.cap || 1) - a.len / (a.cap || 1) || a.sub.localeCompare(b.sub));
  const lost = of.reduce((n, q) => n + q.dropped, 0);
  return (
    <Card title="Queues" note={lost === 0 ? "nothing lost" : `${lost} lost`}>
      <div class="scroll tall" tabIndex={0} role="region" aria-label="Table of queues">
        <table>
          <thead>
            <tr>
              <th scope="col">Who listens</th>
              <th scope="col">To what</th>
              <th scope="col" class="number">Waits</th>
              <th scope="col" class="number">Lost</th>
            </tr>
          </thead>
          <tbody>
            {sorted.map((q) => (
              <tr key={`${q.sub} ${q.type}`}>
                <th scope="row">{q.sub}</th>
                <td class="quiet">{short(q.type)}</td>
                <td class="number">
                  {q.len}<span class="quiet">/{q.cap}</span>
                </td>
                <td class="number">{q.dropped > 0 ? <span class="tag warn">{q.dropped}</span> : 0}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}

// short leaves the package's path off a type's name.
export function short(type: string): string {
  return type.split("/").pop() ?? type;
}
