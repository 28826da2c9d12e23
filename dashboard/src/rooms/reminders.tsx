import { useEffect } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { Button } from "../parts/button";
import { confirmed } from "../parts/confirm";
import { Room, Show } from "../parts/room";
import { remove } from "../net/ask";
import type { Promised, Receipt } from "../net/wire";
import { command } from "../world/deeds";
import { useList } from "../world/list";
import { clock, day, left } from "../words/format";
import { repeats } from "../words/repeats";

const kinds: readonly [Promised["kind"], string][] = [
  ["timer", "Timers"],
  ["alarm", "Alarms"],
  ["reminder", "Reminders"],
  ["briefing", "Briefings"],
  ["routine", "Routines"],
];

export function Reminders() {
  const list = useList<{ promises: Promised[] }>("/promises", "promises", 30_000);
  const past = useList<{ receipts: Receipt[] }>("/receipts?n=50", "promises", 30_000);
  const now = useClock();
  const act = async (p: Promised, tool: string) => {
    await command(tool, { id: p.id });
    list.again();
    past.again();
  };
  const cancel = async (p: Promised) => {
    if (p.kind !== "timer" && !(await confirmed(`Cancel this ${p.kind}?`, p.text || `It is set for ${day(p.at)}.`, "Cancel it"))) return;
    await remove(`/promises/${encodeURIComponent(p.id)}?kind=${p.kind}`);
    list.again();
  };
  return (
    <Room title="Reminders" lead="What Solo promised to tell you in time.">
      <Show of={list} is={(d) => d.promises.length === 0} empty="Nothing is promised. Say “set a timer for ten minutes”.">
        {({ promises }) => kinds.map(([kind, name]) => <Group key={kind} name={name} of={promises.filter((p) => p.kind === kind)} now={now} cancel={cancel} act={act} />)}
      </Show>
      <Past of={past.data.value?.receipts ?? []} />
    </Room>
  );
}

interface GroupProps {
  name: string;
  of: Promised[];
  now: number;
  cancel: (p: Promised) => Promise<void>;
  act: (p: Promised, tool: string) => Promise<void>;
}

// Past is what was said when, and what the user answered.
function Past({ of }: { of: Receipt[] }) {
  const told = of.filter((r) => r.step !== "begun");
  if (told.length === 0) return null;
  return (
    <details class="past">
      <summary>What was told ({told.length})</summary>
      <ul class="lines">
        {told.map((r) => (
          <li key={r.id}>
            <time class="when" dateTime={r.at}>
              {day(r.at)}
            </time>
            <div class="grow">
              <p>{r.text || r.kind}</p>
              <p class="quiet meta">
                {r.step}
                {r.channel ? ` (${r.channel})` : ""}
                {r.step === "spoken" && r.late_ms >= 60_000 ? `, ${left(r.late_ms)} late` : ""}
                {r.again ? ", as a repeat" : ""}
                {r.note ? `: ${r.note}` : ""}
              </p>
            </div>
          </li>
        ))}
      </ul>
    </details>
  );
}

function Group({ name, of, now, cancel, act }: GroupProps) {
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
            {p.ringing || p.kind === "reminder" ? <Button kind="bare" icon="check" label={`Done: ${p.text || p.kind}`} act={() => act(p, "reminders.done")} /> : null}
            {p.ringing || p.kind === "reminder" ? <Button kind="bare" icon="again" label={`Ten minutes later: ${p.text || p.kind}`} act={() => act(p, "reminders.postpone")} /> : null}
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
