import { useSignal } from "@preact/signals";
import { Button } from "../parts/button";
import { confirmed } from "../parts/confirm";
import { Room, Show } from "../parts/room";
import { faultOf, send } from "../net/ask";
import type { Project } from "../net/wire";
import { command, tellFault } from "../world/deeds";
import { useList, type Loaded } from "../world/list";

type Projects = { projects: Project[] };

export function Projects() {
  const list = useList<Projects>("/projects", "projects");
  return (
    <Room title="Projects" lead="What you work towards.">
      {list.fault.value?.absent ? null : <Add done={list.again} />}
      <Show of={list} is={(d) => d.projects.length === 0} empty="There are no projects yet. Say “add a project called garden”.">
        {({ projects }) => (
          <ul class="lines">
            {projects.map((p) => (
              <Row key={p.id} of={p} below={projects.some((o) => o.path.startsWith(p.path + " / "))} list={list} />
            ))}
          </ul>
        )}
      </Show>
    </Room>
  );
}

function Row({ of: p, below, list }: { of: Project; below: boolean; list: Loaded<Projects> }) {
  const set = async (args: Record<string, unknown>) => {
    await command("projects.update", { name: p.path, ...args });
    list.again();
  };
  const remove = async () => {
    if (!below) await command("projects.delete", { name: p.path });
    else if (await confirmed(`Remove ${p.name}?`, "All that is below it is removed too.", "Remove it")) await send("DELETE", `/projects/${encodeURIComponent(p.id)}`).catch((err) => tellFault(faultOf(err)));
    list.again();
  };
  return (
    <li style={{ paddingInlineStart: `${p.depth * 1.5}rem` }}>
      <span class="grow">{p.name}</span>
      {p.status === "active" ? null : <span class="tag">{p.status}</span>}
      {p.open_tasks > 0 ? <span class="tag">{p.open_tasks} open</span> : null}
      <progress max={100} value={p.progress} aria-label={`${p.name}: ${p.progress} percent`} />
      <span class="quiet">{p.progress} %</span>
      {p.status === "done" ? null : <Button kind="bare" icon="check" label={`Done: ${p.name}`} act={() => set({ status: "done" })} />}
      <Button kind="bare" icon="trash" label={`Remove: ${p.name}`} act={remove} />
    </li>
  );
}

function Add({ done }: { done: () => void }) {
  const text = useSignal("");
  const add = async () => {
    const name = text.value.trim();
    if (name !== "" && (await command("projects.create", { name }))) {
      text.value = "";
      done();
    }
  };
  return (
    <form class="row add" onSubmit={(e) => (e.preventDefault(), void add())}>
      <input class="field grow" data-field aria-label="New project" placeholder="New project" maxLength={200} value={text.value} onInput={(e) => (text.value = e.currentTarget.value)} />
      <button class="button main" type="submit" disabled={text.value.trim() === ""}>
        Add
      </button>
    </form>
  );
}
