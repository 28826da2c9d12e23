import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface Props {
  title: string;
  note?: ComponentChildren;
  wide?: boolean;
  children: ComponentChildren;
}

export function Card({ title, note, wide, children }: Props) {
  const id = useId();
  return (
    <section class={wide ? "card wide" : "card"} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {note ? <div class="quiet">{note}</div> : null}
      </header>
      {children}
    </section>
  );
}
