import { useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { Icon } from "../parts/icon";
import { stopSpeech } from "../world/deeds";
import { asking, type } from "../world/typed";
import { silence, speaking } from "../sound/talk";
import { world } from "../world/live";

const tallest = 180; // pixels

// Writing is the field for those who write. Enter sends, with shift it makes a new line.
export function Writing() {
  const text = useSignal("");
  const field = useRef<HTMLTextAreaElement>(null);
  const busy = asking.value > 0 || speaking.value || world.value.state === "speaking";
  const fit = () => {
    const el = field.current;
    if (el === null) return;
    el.style.height = "auto";
    el.style.height = `${Math.min(tallest, el.scrollHeight)}px`;
  };
  const send = () => {
    const message = text.value.trim();
    if (message === "") return;
    text.value = "";
    requestAnimationFrame(fit);
    void type(message);
  };
  const enter = (e: KeyboardEvent) => {
    if (e.key !== "Enter" || e.shiftKey || e.isComposing) return;
    e.preventDefault();
    send();
  };
  return (
    <form class="writing" onSubmit={(e) => (e.preventDefault(), send())}>
      <textarea
        ref={field} class="field" rows={1} data-field aria-label="Write to Solo" placeholder="Write to Solo" value={text.value}
        onInput={(e) => ((text.value = e.currentTarget.value), fit())} onKeyDown={enter}
      />
      {busy && text.value.trim() === "" ? (
        <button type="button" class="button round" aria-label="Stop" onClick={() => (silence(), void stopSpeech())}>
          <Icon name="stop" />
        </button>
      ) : (
        <button type="submit" class="button round main" aria-label="Send" disabled={text.value.trim() === ""}>
          <Icon name="send" />
        </button>
      )}
    </form>
  );
}
