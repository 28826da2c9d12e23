import { memo } from "./memo";
import type { Exchange } from "../world/world";
import { day, ms } from "../words/format";
import { Actions } from "./actions";

// ExchangeView shows what was said and what Solo answered.
export const ExchangeView = memo(function ExchangeView({ of: x }: { of: Exchange }) {
  const said = x.heard || x.partial;
  return (
    <article class={x.outcome === "" ? "exchange open" : "exchange"}>
      <h2 class="hidden">{said ? `You, ${day(x.at)}` : `Solo, ${day(x.at)}`}</h2>
      {said ? (
        <p class={x.heard ? "said" : "said partial"} aria-live={x.heard ? "polite" : "off"}>
          <span class="who">You</span>
          {said}
        </p>
      ) : null}
      {x.actions.length > 0 ? <Actions of={x.actions} /> : null}
      {x.sentences.length > 0 ? (
        <div class="reply">
          <span class="who">Solo</span>
          <p>
            {x.sentences.map((s, i) => (
              <span key={i} class="sentence">
                {s}{" "}
              </span>
            ))}
            {x.cut ? <span class="quiet cut">— you spoke on</span> : null}
          </p>
        </div>
      ) : null}
      <Footing of={x} />
    </article>
  );
});

// Footing says how it stands, or how it ended.
function Footing({ of: x }: { of: Exchange }) {
  if (x.outcome === "failed" || x.outcome === "misheard") {
    return (
      <p class="footing trouble">
        {x.why || (x.outcome === "misheard" ? "No words came of it." : "That did not work.")} {x.hint ? <span class="quiet">{x.hint}</span> : null}
      </p>
    );
  }
  if (x.outcome === "") {
    return x.sentences.length > 0 ? null : (
      <p class="footing thinking">
        <span class="hidden">{x.heard ? "Solo thinks" : "Solo listens"}</span>
        <i /> <i /> <i />
      </p>
    );
  }
  const spoken = x.times !== null && x.times.firstAudio > 0; // what was written is not waited for in the same way
  const total = x.times && spoken ? x.times.endpoint + x.times.stt + x.times.think + x.times.firstAudio : 0;
  return (
    <p class="footing quiet">
      {day(x.at)}
      {total > 0 ? ` · answered in ${ms(total)}` : ""}
    </p>
  );
}
