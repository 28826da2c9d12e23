import { world } from "../world/live";
import { ApprovalView } from "./approval";

const shownDecided = 3;

// Approvals are what waits for the user's word, below the talk, and the last ones that were decided.
export function Approvals() {
  const { approvals } = world.value;
  const open = approvals.filter((a) => a.decided === undefined);
  const done = approvals.filter((a) => a.decided !== undefined).slice(-shownDecided);
  if (open.length + done.length === 0) return null;
  return (
    <section class="approvals" aria-label="What waits for your word" aria-live="polite">
      {[...done, ...open].map((a) => (
        <ApprovalView key={a.id} of={a} />
      ))}
    </section>
  );
}
