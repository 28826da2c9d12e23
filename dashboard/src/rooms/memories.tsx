import { useSignal } from "@preact/signals";
import { Button } from "../parts/button";
import { confirmed } from "../parts/confirm";
import { Room, Show } from "../parts/room";
import { Search } from "../parts/search";
import { remove } from "../net/ask";
import type { Fact } from "../net/wire";
import { Source } from "../talk/source";
import { useList } from "../world/list";
import { say } from "../world/toasts";
import { day } from "../words/format";

export function Memories() {
  const query = useSignal("");
  const list = useList<{ memories: Fact[] }>(`/memories?q=${encodeURIComponent(query.value)}`, "memories");
  const forget = async (f: Fact) => {
    if (!(await confirmed("Forget this?", `“${f.text}” It cannot be brought back.`, "Forget"))) return;
    await remove(`/memories/${encodeURIComponent(f.id)}`);
    say("Forgotten.");
    list.again();
  };
  return (
    <Room title="Memories" lead="What Solo keeps of you, on this machine alone." aside={<Search label="Search memories" find={(q) => (query.value = q)} />}>
      <Show of={list} is={(d) => d.memories.length === 0} empty={query.value ? "Nothing like that is kept." : "Nothing is kept yet. Say “remember that …”."}>
        {({ memories }) => (
          <ul class="lines">
            {memories.map((f) => (
              <li key={f.id}>
                <div class="grow">
                  <p>{f.text}</p>
                  <p class="quiet meta">
                    <time dateTime={f.at}>{day(f.at)}</time>
                    {f.source ? <Source of={f.source} /> : null}
                  </p>
                </div>
                <Button kind="bare" icon="trash" label={`Forget: ${f.text}`} act={() => forget(f)} />
              </li>
            ))}
          </ul>
        )}
      </Show>
    </Room>
  );
}
