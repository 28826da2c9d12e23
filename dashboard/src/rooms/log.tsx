import { useEffect, useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { Room, Show } from "../parts/room";
import type { LogLine } from "../net/wire";
import { useList } from "../world/list";
import { clock, shown } from "../words/format";

const levels = ["debug", "info", "warn", "error"];

export function Log() {
  const level = useSignal("info");
  const follow = useSignal(true);
  const list = useList<{ lines: LogLine[] }>(`/logs?n=300&level=${level.value}`, undefined, follow.value ? 2000 : 0);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (follow.value && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [list.data.value, follow.value]);
  return (
    <Room title="Log" lead="What Solo notes down. What you say is noted at debug alone." wide aside={<Choices level={level.value} set={(l) => (level.value = l)} follow={follow.value} setFollow={(f) => (follow.value = f)} />}>
      <Show of={list} is={(d) => d.lines.length === 0} empty="Nothing was noted at this level.">
        {({ lines }) => (
          <div class="log" ref={box} tabIndex={0} role="region" aria-label="Log">
            <ol>
              {lines.map((l, i) => (
                <Line key={`${l.at} ${i}`} of={l} />
              ))}
            </ol>
          </div>
        )}
      </Show>
    </Room>
  );
}

interface ChoiceProps {
  level: string;
  set: (level: string) => void;
  follow: boolean;
  setFollow: (on: boolean) => void;
}

function Choices({ level, set, follow, setFollow }: ChoiceProps) {
  return (
    <div class="row">
      <label class="check">
        <input type="checkbox" checked={follow} onChange={(e) => setFollow(e.currentTarget.checked)} />
        Follow
      </label>
      <select class="field" data-field aria-label="Lowest level" value={level} onChange={(e) => set(e.currentTarget.value)}>
        {levels.map((l) => (
          <option key={l} value={l}>
            {l}
          </option>
        ))}
      </select>
    </div>
  );
}

function Line({ of: l }: { of: LogLine }) {
  const rest = Object.entries(l.fields ?? {});
  return (
    <li class={l.level}>
      <time dateTime={l.at}>{clock(l.at, true)}</time> <span class="level">{l.level}</span> <span class="part">{l.part}</span>{" "}
      <span class="message">{l.message}</span>
      {rest.map(([name, v]) => (
        <span key={name} class="pair">
          {" "}
          <span class="quiet">{name}=</span>
          {shown(v)}
        </span>
      ))}
    </li>
  );
}
