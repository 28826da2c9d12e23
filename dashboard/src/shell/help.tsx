import { Dialog } from "../parts/dialog";
import { post } from "../net/ask";
import { Button } from "../parts/button";
import { helpOpen, setSingle, single } from "./keys";

const keys: readonly [string, string][] = [
  ["Space", "hold to talk, in the room Talk; a short press keeps listening until the next one"],
  ["Esc", "closes what is open; else silences Solo"],
  ["[  ]", "to the room before, to the next one"],
  ["T  L", "to Talk, to Live"],
  ["/", "to the field of the room"],
  ["D", "changes the colours"],
  ["?", "opens this help"],
];

// lock gives the cookie back: the next visit needs a new link.
async function lock(): Promise<void> {
  await post("/logout", {});
  location.reload();
}

export function Help() {
  return (
    <Dialog title="Help" open={helpOpen.value} close={() => (helpOpen.value = false)}>
      <p class="dialog-text">Hold the round button and speak, or write. Everything stays on this machine unless you agree to send it.</p>
      <dl class="keys">
        {keys.map(([key, does]) => (
          <div key={key}>
            <dt>
              {key.split("  ").map((k) => (
                <kbd key={k}>{k}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <label class="check">
        <input type="checkbox" checked={single.value} onChange={(e) => setSingle(e.currentTarget.checked)} />
        Single keys are shortcuts
      </label>
      <div class="row">
        <span class="quiet grow">
          For programs: <a href="/docs">the API</a>
        </span>
        <Button act={lock}>Lock this browser</Button>
      </div>
    </Dialog>
  );
}
