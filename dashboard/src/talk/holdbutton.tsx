import { useEffect, useRef } from "preact/hooks";
import { Orb, stateWords } from "../parts/orb";
import { writing } from "../shell/keys";
import { hold, press, release, trouble } from "../sound/talk";

const short = 350; // ms; a press that is shorter keeps listening until the next one

// HoldButton is the button to talk with: hold it or the space bar, or press it shortly to begin and again to end.
export function HoldButton() {
  const button = useHolding();
  const held = hold.value !== "off";
  const fault = trouble.value;
  return (
    <div class="hold">
      <button ref={button} type="button" class={held ? "hold-button held" : "hold-button"} aria-pressed={held} aria-label="Hold to talk" aria-describedby="hold-words">
        <Orb size="large" />
      </button>
      <p id="hold-words" class="hold-words" aria-live="polite">
        {fault ? (
          <span class="trouble">
            {fault.message} <span class="quiet">{fault.hint}</span>
          </span>
        ) : (
          wordsOf(hold.value)
        )}
      </p>
    </div>
  );
}

function wordsOf(h: typeof hold.value): string {
  if (h === "held") return "Listening. Let go when you are done.";
  if (h === "opening") return "Opening the microphone…";
  const now = stateWords();
  return now === "Ready" ? "Hold to talk" : now;
}

function useHolding() {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const el = button.current;
    if (el === null) return;
    let since = 0;
    let latched = false;
    let by = "";

    const down = (how: string) => {
      if (by !== "") return;
      by = how;
      if (latched) return;
      since = performance.now();
      void press();
    };
    const up = (how: string) => {
      if (by !== how) return;
      by = "";
      if (!latched && performance.now() - since < short) {
        latched = true;
        return;
      }
      latched = false;
      void release();
    };
    const drop = () => {
      by = "";
      latched = false;
      void release();
    };

    const off = new AbortController();
    const on = { signal: off.signal };
    el.addEventListener("pointerdown", (e) => e.button === 0 && (el.setPointerCapture(e.pointerId), down("pointer")), on);
    el.addEventListener("pointerup", () => up("pointer"), on);
    el.addEventListener("pointercancel", drop, on);
    el.addEventListener("contextmenu", (e) => e.preventDefault(), on);
    // A click without a pointer comes from a screen reader or the enter key.
    el.addEventListener("click", (e) => e.detail === 0 && (down("click"), up("click")), on);
    addEventListener("keydown", (e) => e.key === " " && !busy(e, el) && (e.preventDefault(), !e.repeat && down("space")), on);
    addEventListener("keyup", (e) => e.key === " " && by === "space" && (e.preventDefault(), up("space")), on);
    addEventListener("blur", () => by !== "" && drop(), on);
    const stop = hold.subscribe((h) => h === "off" && by === "" && (latched = false));
    return () => {
      off.abort();
      stop();
      drop();
    };
  }, []);
  return button;
}

// busy tells whether the space bar is meant for what has the focus.
function busy(e: KeyboardEvent, own: HTMLElement): boolean {
  if (e.ctrlKey || e.altKey || e.metaKey || document.querySelector("dialog[open]") || writing(e.target)) return true;
  const t = e.target;
  return t instanceof Element && t !== own && t.closest("button, a, summary, input, label, [tabindex='0']") !== null;
}
