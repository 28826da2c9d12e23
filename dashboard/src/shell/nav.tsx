import { Icon } from "../parts/icon";
import { Orb, stateWords } from "../parts/orb";
import { status, waiting } from "../world/live";
import { Connected } from "./connected";
import { helpOpen, menuOpen } from "./keys";
import { room, rooms, type Room } from "./route";
import { choice, nextTheme } from "./theme";

const looks = { auto: "as your system", light: "light", dark: "dark" };
const pictures = { auto: "auto", light: "sun", dark: "moon" };

export function Nav() {
  return (
    <div class={menuOpen.value ? "side open" : "side"} id="rooms">
      <header>
        <a class="brand" href="#/talk">
          <Orb />
          <span class="brand-name">Solo</span>
          <span class="brand-state">{stateWords()}</span>
        </a>
      </header>
      <nav aria-label="Rooms">
        <ul>
          {rooms.map((r) => (
            <Entry key={r.id} of={r} />
          ))}
        </ul>
      </nav>
      <footer class="side-foot">
        <Connected />
        <div class="row">
          <button type="button" class="button bare" onClick={nextTheme} aria-label={`Colours: ${looks[choice.value]}. Change`} title={`Colours: ${looks[choice.value]}`}>
            <Icon name={pictures[choice.value]} />
          </button>
          <button type="button" class="button bare" onClick={() => (helpOpen.value = true)} aria-label="Help and shortcuts" title="Help and shortcuts">
            <Icon name="help" />
          </button>
          <span class="version quiet" title={status.value?.version}>
            {status.value?.version}
          </span>
        </div>
      </footer>
    </div>
  );
}

function Entry({ of }: { of: Room }) {
  const here = room.value.id === of.id;
  const count = of.id === "talk" ? waiting.value.length : 0;
  return (
    <li>
      <a href={`#/${of.id}`} {...(here ? { "aria-current": "page" as const } : {})} onClick={() => (menuOpen.value = false)}>
        <Icon name={of.icon} />
        <span>{of.name}</span>
        {count > 0 ? (
          <span class="count">
            {count}
            <span class="hidden"> waiting for your word</span>
          </span>
        ) : null}
      </a>
    </li>
  );
}
