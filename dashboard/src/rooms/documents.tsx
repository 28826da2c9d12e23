import { useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { Bar } from "../parts/bar";
import { Button } from "../parts/button";
import { confirmed } from "../parts/confirm";
import { Icon } from "../parts/icon";
import { Room, Show } from "../parts/room";
import { faultOf, remove } from "../net/ask";
import { upload } from "../net/upload";
import type { Document } from "../net/wire";
import { tellFault } from "../world/deeds";
import { useList } from "../world/list";
import { say } from "../world/toasts";
import { bytes, day, human } from "../words/format";
import { world } from "../world/live";

export function Documents() {
  const list = useList<{ documents: Document[] }>("/documents", "documents");
  const absent = list.fault.value?.absent === true;
  const drop = async (d: Document) => {
    if (!(await confirmed("Remove this document?", `Solo forgets what it read in “${d.name}”.`, "Remove"))) return;
    await remove(`/documents/${encodeURIComponent(d.name)}`);
    list.again();
  };
  return (
    <Room title="Documents" lead="What Solo has read and can answer from.">
      {absent ? null : <Drop done={list.again} />}
      <Reading />
      <Show of={list} is={(d) => d.documents.length === 0} empty="Nothing was given to read yet.">
        {({ documents }) => (
          <ul class="lines">
            {documents.map((d) => (
              <li key={d.name}>
                <Icon name="documents" />
                <div class="grow">
                  <p>{d.name}</p>
                  <p class="quiet meta">
                    <span>{bytes(d.bytes)}</span>
                    {d.pages ? <span>{d.pages === 1 ? "1 page" : `${d.pages} pages`}</span> : null}
                    <time dateTime={d.changed}>{day(d.changed)}</time>
                  </p>
                </div>
                <Button kind="bare" icon="trash" label={`Remove: ${d.name}`} act={() => drop(d)} />
              </li>
            ))}
          </ul>
        )}
      </Show>
    </Room>
  );
}

// Reading shows the jobs that read documents now.
function Reading() {
  const jobs = world.value.jobs.filter((j) => j.state === "running" && /document|index|read/.test(j.kind));
  return (
    <>
      {jobs.map((j) => (
        <div key={j.id} class="reading">
          <p class="quiet">
            {j.title || human(j.kind)} {j.doing}
          </p>
          <Bar share={j.progress ?? 0} label={j.title || "reading"} />
        </div>
      ))}
    </>
  );
}

function Drop({ done }: { done: () => void }) {
  const over = useSignal(false);
  const far = useSignal<{ name: string; share: number } | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const give = async (files: FileList | null | undefined) => {
    over.value = false;
    for (const file of files ?? []) {
      far.value = { name: file.name, share: 0 };
      try {
        await upload("/documents", file, (share) => (far.value = { name: file.name, share }));
        say(`Solo has “${file.name}”.`);
      } catch (err) {
        tellFault(faultOf(err));
      }
      done();
    }
    far.value = null;
    if (input.current) input.current.value = "";
  };
  const dragged = (e: DragEvent, on: boolean) => {
    e.preventDefault();
    over.value = on;
  };
  const now = far.value;
  return (
    <div
      class={over.value ? "drop over" : "drop"} onDragOver={(e) => dragged(e, true)} onDragLeave={(e) => dragged(e, false)}
      onDrop={(e) => (e.preventDefault(), void give(e.dataTransfer?.files))}
    >
      <label class="button">
        <Icon name="plus" />
        Choose files
        <input ref={input} class="hidden" type="file" multiple data-field onChange={(e) => void give(e.currentTarget.files)} />
      </label>
      <p class="quiet">or drop them here. They stay on this machine.</p>
      {now ? (
        <div class="grow-row" role="status">
          <p>{now.name}</p>
          <Bar share={now.share} label={`sending ${now.name}`} />
        </div>
      ) : null}
    </div>
  );
}
