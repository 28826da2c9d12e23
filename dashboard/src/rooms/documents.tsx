import { useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { Bar } from "../parts/bar";
import { Button } from "../parts/button";
import { confirmed } from "../parts/confirm";
import { Icon } from "../parts/icon";
import { Room, Show } from "../parts/room";
import { faultOf, get, remove } from "../net/ask";
import { upload } from "../net/upload";
import type { Document, Found } from "../net/wire";
import { tellFault } from "../world/deeds";
import { useList } from "../world/list";
import { say } from "../world/toasts";
import { bytes, day } from "../words/format";

export function Documents() {
  const list = useList<{ documents: Document[] }>("/documents", "documents");
  const absent = list.fault.value?.absent === true;
  const drop = async (d: Document) => {
    const what = d.handed ? "and deletes its copy" : "Your file stays where it is";
    if (!(await confirmed("Remove this document?", `Solo forgets what it read in “${d.name}”${d.handed ? " " : ". "}${what}.`, "Remove"))) return;
    await remove(`/documents/${encodeURIComponent(d.name)}`);
    list.again();
  };
  return (
    <Room title="Documents" lead="What Solo has read and can answer from.">
      {absent ? null : <Drop done={list.again} />}
      <Search />
      <Show of={list} is={(d) => d.documents.length === 0} empty="Nothing was given to read yet.">
        {({ documents }) => (
          <ul class="lines">
            {documents.map((d) => (
              <li key={d.name}>
                <Icon name="documents" />
                <div class="grow">
                  <p>{d.name}</p>
                  <p class="quiet meta">
                    <State of={d} />
                    <span>{bytes(d.bytes)}</span>
                    {d.pages ? <span>{d.pages === 1 ? "1 page" : `${d.pages} pages`}</span> : null}
                    <time dateTime={d.changed}>{day(d.changed)}</time>
                    {d.same?.length ? <span>the same as {d.same.join(", ")}</span> : null}
                  </p>
                  {d.state === "reading" ? <Bar share={d.progress} label={`reading ${d.name}`} /> : null}
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

// State says whether a document was read.
function State({ of: d }: { of: Document }) {
  if (d.state === "broken") return <span><span class="tag bad">not read</span> {d.why ?? "It is broken."}</span>;
  if (d.state === "reading") return <span role="status">reading {Math.round(d.progress * 100)} %</span>;
  return <span>{d.state === "waiting" ? "waits to be read" : "read"}</span>;
}

// Search finds passages in the documents.
function Search() {
  const text = useSignal("");
  const found = useSignal<{ of: string; list: Found[] } | null>(null);
  const find = async (e: Event) => {
    e.preventDefault();
    const of = text.value.trim();
    if (!of) return void (found.value = null);
    try {
      found.value = { of, list: (await get<{ found: Found[] }>(`/search?kind=document&k=8&q=${encodeURIComponent(of)}`)).found };
    } catch (err) {
      tellFault(faultOf(err));
    }
  };
  const now = found.value;
  return (
    <>
      <form class="grow-row" role="search" onSubmit={(e) => void find(e)}>
        <input
          type="search" aria-label="Search the documents" placeholder="Search the documents" value={text.value} data-field
          onInput={(e) => (text.value = e.currentTarget.value)}
        />
        <button class="button" type="submit">Search</button>
      </form>
      {now ? (
        <ul class="lines" aria-label={`Passages about ${now.of}`}>
          {now.list.length === 0 ? <li>Nothing was found about “{now.of}”.</li> : null}
          {now.list.map((f) => (
            <li key={f.id}>
              <div class="grow">
                <p class="quiet meta">
                  <span>{f.document}</span>
                  <span>page {f.page}</span>
                  {f.heading ? <span>{f.heading}</span> : null}
                </p>
                <p>{f.text}</p>
              </div>
            </li>
          ))}
        </ul>
      ) : null}
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
