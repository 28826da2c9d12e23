import { Button } from "../parts/button";
import { Card } from "../parts/card";
import { confirmed } from "../parts/confirm";
import { post } from "../net/ask";
import type { Service } from "../net/wire";
import { refreshStatus } from "../world/live";
import { say } from "../world/toasts";
import { long } from "../words/format";

const tones: Record<string, string> = { up: "good", starting: "warn", late: "warn", waiting: "bad", stuck: "bad", done: "", idle: "", stopping: "" };

export function Services({ of }: { of: Service[] }) {
  const restart = async (s: Service) => {
    if (!(await confirmed(`Restart ${s.name}?`, "What it does now breaks off. It comes back by itself.", "Restart"))) return;
    await post("/services/restart", { name: s.name });
    say(`${s.name} restarts.`);
    await refreshStatus();
  };
  const up = of.filter((s) => s.state === "up" || s.state === "done").length;
  return (
    <Card title="Services" note={`${up} of ${of.length} well`}>
      <ul class="services">
        {of.map((s) => (
          <li key={s.name}>
            <span class={`dot ${tones[s.state] ?? ""}`} aria-hidden="true" />
            <div class="grow">
              <p>
                <strong>{s.name}</strong> <span class="quiet">{wordsOf(s)}</span>
              </p>
              {s.error ? <p class="trouble">{s.error}</p> : null}
            </div>
            <Button kind="bare" icon="again" label={`Restart ${s.name}`} act={() => restart(s)} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function wordsOf(s: Service): string {
  const since = (Date.now() - Date.parse(s.since)) / 1000;
  const time = since > 0 && since < 1e9 ? ` for ${long(since)}` : "";
  const times = s.restarts > 0 ? `, ${s.restarts === 1 ? "1 restart" : `${s.restarts} restarts`}` : "";
  return `${s.state}${time}${times}`;
}
