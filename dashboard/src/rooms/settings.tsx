import { useSignal } from "@preact/signals";
import { Room, Show } from "../parts/room";
import { Search } from "../parts/search";
import type { Setting } from "../net/wire";
import { useList } from "../world/list";
import { human, shown } from "../words/format";

export function Settings() {
  const query = useSignal("");
  const list = useList<{ settings: Setting[] }>("/settings");
  const fits = (s: Setting) => `${s.key} ${s.doc ?? ""} ${s.origin}`.toLowerCase().includes(query.value.toLowerCase());
  return (
    <Room title="Settings" lead="How Solo is set up, and where each value comes from." aside={<Search label="Search settings" find={(q) => (query.value = q)} />}>
      <Show of={list} is={(d) => d.settings.filter(fits).length === 0} empty="No setting is called so.">
        {({ settings }) => groups(settings.filter(fits)).map(([name, of]) => <Group key={name} name={name} of={of} open={query.value !== ""} />)}
      </Show>
    </Room>
  );
}

function groups(of: Setting[]): [string, Setting[]][] {
  const by = new Map<string, Setting[]>();
  for (const s of of) {
    const name = s.key.includes(".") ? (s.key.split(".")[0] as string) : "solo";
    by.set(name, [...(by.get(name) ?? []), s]);
  }
  return [...by];
}

function ownFirst(of: Setting[]): Setting[] {
  const own = (s: Setting) => s.origin !== "default";
  return [...of.filter(own), ...of.filter((s) => !own(s))];
}

function Group({ name, of, open }: { name: string; of: Setting[]; open: boolean }) {
  const changed = of.filter((s) => s.origin !== "default").length;
  return (
    <details class="settings" open={open || changed > 0}>
      <summary>
        <h2>{human(name)}</h2>
        <span class="quiet">{changed > 0 ? `${changed} of ${of.length} set` : `${of.length} as built in`}</span>
      </summary>
      <dl>
        {ownFirst(of).map((s) => (
          <Row key={s.key} of={s} />
        ))}
      </dl>
    </details>
  );
}

// unquoted is a value as people write it: strings come as TOML writes them.
function unquoted(value: unknown): string {
  const text = shown(value);
  return /^"[^"\\]*"$/.test(text) ? text.slice(1, -1) : text;
}

function Row({ of: s }: { of: Setting }) {
  const own = s.origin !== "default";
  const value = s.secret ? (own ? "set, not shown" : "not set") : unquoted(s.value);
  return (
    <div class={own ? "own" : ""}>
      <dt>
        <code>{s.key}</code>
        {s.doc ? <span class="quiet">{s.doc}</span> : null}
      </dt>
      <dd>
        <code>{value === "" ? "empty" : value}</code>
        <span class={own ? "tag warm" : "tag"}>{s.origin}</span>
      </dd>
    </div>
  );
}
