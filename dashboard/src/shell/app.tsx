import type { ComponentType } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { locked } from "../net/ask";
import { Confirm } from "../parts/confirm";
import { Toasts } from "../parts/toasts";
import { Dialogues } from "../rooms/dialogues";
import { Documents } from "../rooms/documents";
import { Jobs } from "../rooms/jobs";
import { Live } from "../rooms/live";
import { Log } from "../rooms/log";
import { Memories } from "../rooms/memories";
import { Models } from "../rooms/models";
import { Projects } from "../rooms/projects";
import { Reminders } from "../rooms/reminders";
import { Settings } from "../rooms/settings";
import { Talk } from "../rooms/talk";
import { Tasks } from "../rooms/tasks";
import { Help } from "./help";
import { menuOpen } from "./keys";
import { Locked } from "./locked";
import { Nav } from "./nav";
import { Notices } from "./notices";
import { room } from "./route";
import { TopBar } from "./topbar";

const inside: Record<string, ComponentType> = {
  talk: Talk, live: Live, tasks: Tasks, projects: Projects, reminders: Reminders, dialogues: Dialogues, memories: Memories,
  documents: Documents, models: Models, jobs: Jobs, settings: Settings, log: Log,
};

export function App() {
  const Inside = inside[room.value.id] ?? Talk;
  const main = useRef<HTMLElement>(null);
  const entered = useRef(false);
  useEffect(() => {
    document.title = `${room.value.name} · Solo`;
    if (entered.current) main.current?.focus({ preventScroll: true });
    entered.current = true;
    scrollTo(0, 0);
  }, [room.value.id]);
  if (locked.value) return <Locked />;
  return (
    <>
      <a class="skip" href="#main" onClick={(e) => (e.preventDefault(), main.current?.focus())}>
        Skip to content
      </a>
      <div class="frame">
        <TopBar />
        <Nav />
        <main id="main" ref={main} tabIndex={-1} inert={menuOpen.value} data-room={room.value.id}>
          <Notices />
          <Inside key={room.value.id} />
        </main>
      </div>
      <Help />
      <Confirm />
      <Toasts />
    </>
  );
}
