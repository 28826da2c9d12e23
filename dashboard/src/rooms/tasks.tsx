import { useSignal } from "@preact/signals";
import { Button } from "../parts/button";
import { Icon } from "../parts/icon";
import { Room, Show } from "../parts/room";
import type { Task } from "../net/wire";
import { command } from "../world/deeds";
import { useList, type Loaded } from "../world/list";
import { day } from "../words/format";

type Tasks = { tasks: Task[] };

export function Tasks() {
  const list = useList<Tasks>("/tasks", "tasks");
  const past = useList<Tasks>("/tasks?done=true", "tasks");
  return (
    <Room title="Tasks" lead="What is to be done.">
      {list.fault.value?.absent ? null : <Add done={list.again} />}
      <Show of={list} is={(d) => d.tasks.length === 0} empty="Nothing is to be done.">
        {({ tasks }) => (
          <>
            <ul class="lines">
              {tasks.map((t) => (
                <Row key={t.id} of={t} list={list} />
              ))}
            </ul>
          </>
        )}
      </Show>
      <Past of={past.data.value?.tasks ?? []} again={past.again} />
    </Room>
  );
}

function Past({ of, again }: { of: Task[]; again: () => void }) {
  const reopen = async (t: Task) => {
    await command("tasks.resume", { description: t.text });
    again();
  };
  if (of.length === 0) return null;
  return (
    <details class="past">
      <summary>Done ({of.length})</summary>
      <ul class="lines">
        {of.map((t) => (
          <li key={t.id} class="done">
            <Icon name="check" />
            <span class="grow">{t.text}</span>
            <Button kind="bare" icon="again" label={`Open again: ${t.text}`} act={() => reopen(t)} />
          </li>
        ))}
      </ul>
    </details>
  );
}

function Row({ of: t, list }: { of: Task; list: Loaded<Tasks> }) {
  const act = async (tool: string) => {
    await command(tool, { description: t.text });
    list.again();
  };
  const due = day(t.due);
  const late = due !== "" && Date.parse(t.due ?? "") < Date.now();
  return (
    <li>
      <label class="check grow">
        <input type="checkbox" checked={false} onChange={() => void act("tasks.complete")} />
        <span>{t.text}</span>
      </label>
      {t.project ? <span class="tag">{t.project}</span> : null}
      {t.status === "blocked" ? <span class="tag warn">{t.stuck_on ? `stuck on ${t.stuck_on}` : "stuck"}</span> : null}
      {due ? (
        <time class={late ? "tag warn" : "tag"} dateTime={t.due}>
          {due}
        </time>
      ) : null}
      <Button kind="bare" icon="trash" label={`Delete: ${t.text}`} act={() => act("tasks.delete")} />
    </li>
  );
}

function Add({ done }: { done: () => void }) {
  const text = useSignal("");
  const add = async () => {
    const description = text.value.trim();
    if (description !== "" && (await command("tasks.create", { description }))) {
      text.value = "";
      done();
    }
  };
  return (
    <form class="row add" onSubmit={(e) => (e.preventDefault(), void add())}>
      <input class="field grow" data-field aria-label="New task" placeholder="New task" maxLength={500} value={text.value} onInput={(e) => (text.value = e.currentTarget.value)} />
      <button class="button main" type="submit" disabled={text.value.trim() === ""}>
        Add
      </button>
    </form>
  );
}
