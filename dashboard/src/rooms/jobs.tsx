import { Bar } from "../parts/bar";
import { Button } from "../parts/button";
import { confirmed } from "../parts/confirm";
import { Room, Show } from "../parts/room";
import { remove } from "../net/ask";
import type { Job } from "../net/wire";
import { useList } from "../world/list";
import { world } from "../world/live";
import { day, human, percent } from "../words/format";

const running = ["queued", "running", "waiting"];
const tones: Record<string, string> = { done: "good", failed: "bad", waiting: "warn" };

export function Jobs() {
  const list = useList<{ jobs: Job[] }>("/jobs", "jobs");
  const cancel = async (j: Job) => {
    if (!(await confirmed("Cancel this job?", j.title || human(j.kind), "Cancel it"))) return;
    await remove(`/jobs/${j.id}`);
    list.again();
  };
  return (
    <Room title="Jobs" lead="What Solo works on in the background. A restart does not lose it.">
      <Show of={list} is={(d) => d.jobs.length === 0} empty="There is no work in the background.">
        {({ jobs }) => (
          <ul class="lines jobs">
            {jobs.map((j) => (
              <Row key={j.id} of={newer(j)} cancel={cancel} />
            ))}
          </ul>
        )}
      </Show>
    </Room>
  );
}

// newer is a job with what events told of it since.
function newer(j: Job): Job {
  const now = world.value.jobs.find((k) => k.id === j.id);
  return now && running.includes(j.state) ? { ...j, state: now.state, progress: now.progress, doing: now.doing ?? "", why: now.why ?? "" } : j;
}

function Row({ of: j, cancel }: { of: Job; cancel: (j: Job) => Promise<void> }) {
  const open = running.includes(j.state);
  return (
    <li>
      <div class="grow">
        <p>
          {j.title || human(j.kind)} <span class={`tag ${tones[j.state] ?? ""}`}>{j.state}</span>
        </p>
        {open && j.progress !== null ? <Bar share={j.progress} label={j.title || human(j.kind)} /> : null}
        <p class="quiet meta">
          <span>{j.why || (open ? j.doing : j.say) || ""}</span>
          {j.approval ? <a href="#/talk">waits for your word</a> : null}
          {j.kind === "transcribe" && j.state === "done" ? (
            <a href={`/jobs/${j.id}/transcript?format=text`} target="_blank" rel="noreferrer noopener">
              read it<span class="hidden"> (opens in a new tab)</span>
            </a>
          ) : null}
          {open && j.progress !== null ? <span>{percent(j.progress)}</span> : null}
          <time dateTime={j.changed}>{day(j.changed)}</time>
        </p>
      </div>
      {open ? <Button kind="bare" icon="close" label={`Cancel: ${j.title || j.kind}`} act={() => cancel(j)} /> : null}
    </li>
  );
}
