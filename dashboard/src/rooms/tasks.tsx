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
  return (
    <Room title="Tasks" lead="What is to be done.">
      {list.fault.value?.absent ? null : <Add done={list.again} />}
      <Show of={list} is={(d) => d.tasks.length === 0} empty="Nothing is to be done.">
        {({ tasks }) => (
          <>
            <ul class="lines">
              {tasks.filter((t) => !t.done).map((t) => (
                <Row key={t.id} of={t} list={list} />
              ))}
            </ul>
            <Past of={tasks.filter((t) => t.done)} />
          </>
        )}
      </Show>
    </Room>
  );
}

function Past({ of }: { of: Task[] }) {
  if (of.length === 0) return null;
  return (
    <details class="past">
      <summary>Done ({of.length})</summary>
      <ul class="lines">
        {of.map((t) => (
          <li key={t.id} class="done">
            <Icon name="check" />
            <span class="grow">{t.text}</span>
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
