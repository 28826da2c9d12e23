import { dismiss, toasts } from "../world/toasts";
import { Icon } from "./icon";

export function Toasts() {
  return (
    <div class="toasts" role="region" aria-label="Messages" aria-live="polite">
      {toasts.value.map((t) => (
        <div key={t.id} class={`toast ${t.mood}`}>
          <div>
            <p>{t.text}</p>
            {t.hint ? <p class="quiet">{t.hint}</p> : null}
          </div>
          {t.undo ? (
            <button type="button" class="button" onClick={() => (t.undo?.(), dismiss(t.id))}>
              Undo
            </button>
          ) : null}
          <button type="button" class="button bare" aria-label="Dismiss" onClick={() => dismiss(t.id)}>
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  );
}
