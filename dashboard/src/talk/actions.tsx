import type { Action } from "../net/wire";
import { human } from "../words/format";
import { Source } from "./source";
import { Given } from "./given";

const marks: Record<string, string> = { ok: "done", asked: "asks", denied: "not allowed", failed: "failed" };

// Actions are the tools that Solo used for an answer, and where what it says came from.
export function Actions({ of }: { of: Action[] }) {
  const sources = [...new Set(of.map((a) => a.source ?? "").filter((s) => s !== ""))];
  return (
    <div class="actions">
      <ul aria-label="What Solo did">
        {of.map((a, i) => (
          <li key={i}>
            <details class={`action ${a.status}`}>
              <summary>
                <span class="action-name">{human(a.tool)}</span>
                <span class="action-mark">{marks[a.status] ?? a.status}</span>
              </summary>
              <Given of={a.arguments} />
            </details>
          </li>
        ))}
      </ul>
      {sources.length > 0 ? (
        <p class="sources">
          <span class="quiet">From</span>{" "}
          {sources.map((s) => (
            <Source key={s} of={s} />
          ))}
        </p>
      ) : null}
    </div>
  );
}
