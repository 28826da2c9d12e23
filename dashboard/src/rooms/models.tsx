import { Card } from "../parts/card";
import { Room, Show } from "../parts/room";
import type { Engine, Model } from "../net/wire";
import { useList } from "../world/list";
import { bytes, human } from "../words/format";

interface All {
  models: Model[];
  engines: Engine[];
}

export function Models() {
  const list = useList<All>("/models", "services");
  return (
    <Room title="Models and engines" lead="What Solo hears, thinks and speaks with." wide>
      <Show of={list} is={(d) => (d.models ?? []).length + (d.engines ?? []).length === 0} empty="No engine was found.">
        {({ models, engines }) => (
          <div class="cards">
            <Card title="Engines" wide>
              <Engines of={engines ?? []} />
            </Card>
            <Card title="Language models" wide>
              <List of={models ?? []} />
            </Card>
          </div>
        )}
      </Show>
    </Room>
  );
}

function Engines({ of }: { of: Engine[] }) {
  if (of.length === 0) return <p class="empty small">None.</p>;
  return (
    <ul class="engines">
      {of.map((e) => {
        const found = e.found !== false && !e.missing;
        return (
          <li key={`${e.job} ${e.name}`} class={found ? "" : "missing"}>
            <span class="quiet job">{human(e.job)}</span>
            <span class="name">
              {e.name} <span class="quiet">{e.version}</span>
            </span>
            <span class={found ? "tag good" : "tag"}>{found ? "found" : "not found"}</span>
            {found ? null : (
              <span class="mend quiet">{[e.missing, e.mend].filter((t) => t).join(" · ")}</span>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function List({ of }: { of: Model[] }) {
  if (of.length === 0) return <p class="empty small">No language model is there. Solo understands its commands without one.</p>;
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Table of language models">
      <table>
        <thead>
          <tr>
            <th scope="col">Model</th>
            <th scope="col">Engine</th>
            <th scope="col">Used for</th>
            <th scope="col" class="number">Size</th>
            <th scope="col" class="number">Context</th>
            <th scope="col">Where</th>
          </tr>
        </thead>
        <tbody>
          {of.map((m) => (
            <tr key={`${m.engine} ${m.id}`}>
              <th scope="row">
                {m.id} {m.loaded ? <span class="tag good">loaded</span> : null}
              </th>
              <td>{m.engine}</td>
              <td>{(m.for ?? []).join(", ")}</td>
              <td class="number">{m.bytes ? bytes(m.bytes) : "–"}</td>
              <td class="number">{m.context ? m.context.toLocaleString() : "–"}</td>
              <td>{m.cloud ? <span class="tag warn">cloud, asks first</span> : m.gpu_bytes ? `this machine, ${bytes(m.gpu_bytes)} on the GPU` : "this machine"}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
