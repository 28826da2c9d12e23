import { isRecord } from "../net/ask";
import { bare, human, shown } from "../words/format";

// Given shows the arguments of a call, each on its line.
export function Given({ of }: { of: unknown }) {
  const v = typeof of === "string" ? parsed(of) : of;
  if (!isRecord(v)) {
    const text = bare(shown(v));
    return text === "" ? <p class="given quiet">Without anything given.</p> : <pre class="given" tabIndex={0}>{text}</pre>;
  }
  const names = Object.keys(v);
  if (names.length === 0) return <p class="given quiet">Without anything given.</p>;
  return (
    <dl class="given">
      {names.map((name) => (
        <div key={name}>
          <dt>{bare(human(name))}</dt>
          <dd dir="auto">{bare(shown(v[name]))}</dd>
        </div>
      ))}
    </dl>
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
