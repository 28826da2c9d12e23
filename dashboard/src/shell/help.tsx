import { Dialog } from "../parts/dialog";
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
      <p class="quiet">
        For programs: <a href="/docs">the API</a>
      </p>
    </Dialog>
  );
}
