import { useEffect } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { Button } from "../parts/button";
import { confirmed } from "../parts/confirm";
import { Room, Show } from "../parts/room";
import { remove } from "../net/ask";
import type { Promised } from "../net/wire";
import { useList } from "../world/list";
import { clock, day, left } from "../words/format";
import { repeats } from "../words/repeats";

const kinds: readonly [Promised["kind"], string][] = [
  ["timer", "Timers"],
  ["alarm", "Alarms"],
  ["reminder", "Reminders"],
];

export function Reminders() {
  const list = useList<{ promises: Promised[] }>("/promises", "promises", 30_000);
  const now = useClock();
  const cancel = async (p: Promised) => {
    if (p.kind !== "timer" && !(await confirmed(`Cancel this ${p.kind}?`, p.text || `It is set for ${day(p.at)}.`, "Cancel it"))) return;
    await remove(`/promises/${encodeURIComponent(p.id)}?kind=${p.kind}`);
    list.again();
  };
  return (
    <Room title="Reminders" lead="What Solo promised to tell you in time.">
      <Show of={list} is={(d) => d.promises.length === 0} empty="Nothing is promised. Say “set a timer for ten minutes”.">
        {({ promises }) => kinds.map(([kind, name]) => <Group key={kind} name={name} of={promises.filter((p) => p.kind === kind)} now={now} cancel={cancel} />)}
      </Show>
    </Room>
  );
}

interface GroupProps {
  name: string;
  of: Promised[];
  now: number;
  cancel: (p: Promised) => Promise<void>;
}

function Group({ name, of, now, cancel }: GroupProps) {
  if (of.length === 0) return null;
  const sorted = [...of].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  return (
    <section class="group">
      <h2>{name}</h2>
      <ul class="lines">
        {sorted.map((p) => (
          <li key={p.id}>
            <span class={p.ringing ? "when rings" : "when"}>{whenOf(p, now)}</span>
            <div class="grow">
              <p>{p.text || p.kind}</p>
              <p class="quiet meta">
                <time dateTime={p.at}>{day(p.at)}</time>
                {p.every ? <span class="tag">{repeats(p.every)}</span> : null}
              </p>
            </div>
            <Button kind="bare" icon="close" label={`Cancel: ${p.text || p.kind}`} act={() => cancel(p)} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function whenOf(p: Promised, now: number): string {
  if (p.ringing) return "now";
  return p.kind === "alarm" ? clock(p.at) : left(Date.parse(p.at) - now);
}

// useClock is the time, renewed each second while it is seen.
function useClock(): number {
  const now = useSignal(Date.now());
  useEffect(() => {
    const beat = window.setInterval(() => document.visibilityState === "visible" && (now.value = Date.now()), 1000);
    return () => clearInterval(beat);
  }, []);
  return now.value;
}
