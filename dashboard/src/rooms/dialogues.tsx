import { useSignal } from "@preact/signals";
import { Button } from "../parts/button";
import { Room, Show } from "../parts/room";
import { get } from "../net/ask";
import type { Dialogue } from "../net/wire";
import { useList } from "../world/list";
import { day, human, ms } from "../words/format";

const page = 50;
const most = 500; // shown; older ones are left to the search of the memory

export function Dialogues() {
  const first = useList<{ dialogues: Dialogue[] }>(`/dialogues?n=${page}`, "dialogues");
  const older = useSignal<Dialogue[]>([]);
  const over = useSignal(false);
  const more = async (last: Dialogue) => {
    const { dialogues } = await get<{ dialogues: Dialogue[] }>(`/dialogues?n=${page}&before=${encodeURIComponent(last.id)}`);
    over.value = dialogues.length < page;
    older.value = [...older.value, ...dialogues];
  };
  return (
    <Room title="Dialogues" lead="What was said, the newest first.">
      <Show of={first} is={(d) => d.dialogues.length === 0} empty="Nothing was said yet.">
        {({ dialogues }) => {
          const seen = new Set(dialogues.map((d) => d.id));
          const all = [...dialogues, ...older.value.filter((d) => !seen.has(d.id))];
          const last = all[all.length - 1];
          return (
            <>
              <ol class="dialogues">
                {all.map((d) => (
                  <Said key={d.id} of={d} />
                ))}
              </ol>
              {last && !over.value && all.length >= page && all.length < most ? <Button act={() => more(last)}>Show older ones</Button> : null}
            </>
          );
        }}
      </Show>
    </Room>
  );
}

function Said({ of: d }: { of: Dialogue }) {
  return (
    <li>
      <p class="said">{d.heard || <em class="quiet">nothing was understood</em>}</p>
      {d.reply || d.spoken ? <p class="reply">{d.reply || d.spoken}</p> : null}
      {d.reply && d.outcome === "interrupted" ? <p class="quiet meta">You spoke on after “{d.spoken || "…"}”</p> : null}
      <p class="quiet meta">
        <time dateTime={d.at}>{day(d.at)}</time>
        {d.intent ? <span class="tag">{human(d.intent)}</span> : null}
        {d.outcome && d.outcome !== "answered" ? <span class="tag warn">{d.outcome}</span> : null}
        {d.total_ms ? <span>{ms(d.total_ms)}</span> : null}
      </p>
    </li>
  );
}
