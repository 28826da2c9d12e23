import { useEffect, useId } from "preact/hooks";
import { Button } from "../parts/button";
import { Icon } from "../parts/icon";
import type { Message } from "../net/wire";
import { decide, outlived } from "../world/deeds";
import type { Wanted } from "../world/world";
import { bare, clock, human, shown } from "../words/format";
import { Given } from "./given";

const ends = { granted: "You agreed.", refused: "You said no.", over: "Its time is over." };

// ApprovalView shows everything that would be done or sent before the user says yes or no.
export function ApprovalView({ of: a }: { of: Wanted }) {
  const id = useId();
  useEffect(() => outlived(a), [a.id, a.until]);
  if (a.decided) {
    return (
      <p class="decided quiet">
        <Icon name={a.decided === "granted" ? "check" : "close"} />
        {ends[a.decided]} {a.said || a.say}
      </p>
    );
  }
  return (
    <article class="approval" aria-labelledby={id}>
      <h2 id={id}>{bare(a.say) || "May Solo do this?"}</h2>
      {a.tool ? <Call of={a} /> : null}
      {a.messages && a.messages.length > 0 ? <Messages of={a} messages={a.messages} /> : null}
      <div class="row">
        <Button kind="main" icon="check" act={() => decide(a.id, true)}>
          Agree
        </Button>
        <Button act={() => decide(a.id, false)}>Refuse</Button>
        {a.until ? <span class="quiet">open until {clock(a.until)}</span> : null}
      </div>
    </article>
  );
}

function Call({ of: a }: { of: Wanted }) {
  return (
    <>
      <p>
        Solo would run <strong>{human(a.tool ?? "")}</strong> with exactly this:
      </p>
      <Given of={a.arguments} />
    </>
  );
}

function Messages({ of: a, messages }: { of: Wanted; messages: Message[] }) {
  return (
    <>
      <p>
        All of this would be sent to <strong>{a.provider || "a cloud"}</strong>
        {a.model ? ` (${a.model})` : ""}:
      </p>
      <ol class="messages" tabIndex={0} aria-label="What would be sent">
        {messages.map((m, i) => (
          <li key={i}>
            <span class="quiet">{m.role}</span>
            {m.text ? <pre dir="auto">{bare(m.text)}</pre> : null}
            {Object.keys(rest(m)).length > 0 ? <pre>{bare(shown(rest(m)))}</pre> : null}
          </li>
        ))}
      </ol>
    </>
  );
}

// rest is what a message has beside its text, such as calls: nothing that would be sent is left out.
function rest(m: Message): object {
  return Object.fromEntries(Object.entries(m).filter(([name]) => name !== "role" && name !== "text"));
}
