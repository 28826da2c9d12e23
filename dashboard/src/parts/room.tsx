import type { ComponentChildren } from "preact";
import type { Fault } from "../net/ask";
import type { Loaded } from "../world/list";

interface RoomProps {
  title: string;
  lead?: ComponentChildren;
  aside?: ComponentChildren;
  wide?: boolean;
  children: ComponentChildren;
}

// Room is the frame of one room: its heading, what it is for, and what stands beside them.
export function Room({ title, lead, aside, wide, children }: RoomProps) {
  return (
    <div class={wide ? "room wide" : "room"}>
      <header class="room-head">
        <div>
          <h1>{title}</h1>
          {lead ? <p class="lead">{lead}</p> : null}
        </div>
        {aside ? <div class="room-aside">{aside}</div> : null}
      </header>
      {children}
    </div>
  );
}

// Trouble says what went wrong and what mends it.
export function Trouble({ fault }: { fault: Fault }) {
  const absent = fault.absent;
  return (
    <div class={absent ? "note" : "note bad"} role={absent ? "note" : "alert"}>
      <p>{fault.status === 404 ? "This Solo does not offer this yet." : fault.message}</p>
      {fault.hint && fault.status !== 404 ? <p class="quiet">{fault.hint}</p> : null}
    </div>
  );
}

export function Empty({ children }: { children: ComponentChildren }) {
  return <p class="empty">{children}</p>;
}

interface ShowProps<T> {
  of: Loaded<T>;
  empty: ComponentChildren;
  is: (data: T) => boolean; // empty
  children: (data: T) => ComponentChildren;
}

// Show shows what was loaded, or why it is not there.
export function Show<T>({ of, empty, is, children }: ShowProps<T>) {
  const data = of.data.value;
  const fault = of.fault.value;
  if (data === null) return fault ? <Trouble fault={fault} /> : <p class="empty" role="status">One moment…</p>;
  return (
    <>
      {fault ? <Trouble fault={fault} /> : null}
      {is(data) ? <Empty>{empty}</Empty> : children(data)}
    </>
  );
}
