import { Icon } from "../parts/icon";
import { waiting, world } from "../world/live";
import { clock } from "../words/format";
import { room } from "./route";

const names: Record<string, string> = { timer: "Timer", alarm: "Alarm", reminder: "Reminder" };

// Notices tell what must not be missed, in every room.
export function Notices() {
  const n = waiting.value.length;
  const dismiss = (key: string) => (world.value = { ...world.value, notices: world.value.notices.filter((x) => x.key !== key) });
  return (
    <div class="notices" aria-live="polite">
      {n > 0 && room.value.id !== "talk" ? (
        <a class="notice ask" href="#/talk">
          <Icon name="warn" />
          <span>{n === 1 ? "Solo waits for your word." : `Solo waits for your word on ${n} things.`}</span>
        </a>
      ) : null}
      {world.value.notices.map((x) => (
        <div key={x.key} class="notice">
          <Icon name="reminders" />
          <span>
            <strong>{names[x.kind] ?? "It is time"}</strong> {x.text} <span class="quiet">{clock(x.at)}</span>
          </span>
          <button type="button" class="button bare" aria-label="Dismiss" onClick={() => dismiss(x.key)}>
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  );
}
