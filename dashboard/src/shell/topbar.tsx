import { Icon } from "../parts/icon";
import { Orb, stateWords } from "../parts/orb";
import { Connected } from "./connected";
import { menuOpen } from "./keys";
import { room } from "./route";

// TopBar is for narrow screens, where the rooms' list is folded away.
export function TopBar() {
  return (
    <header class="topbar">
      <a class="brand" href="#/talk" aria-label={`Solo. ${stateWords()}`}>
        <Orb />
        <span>Solo</span>
      </a>
      <span class="topbar-room">{room.value.name}</span>
      <Connected />
      <button
        type="button" class="button bare" aria-label="All rooms" aria-expanded={menuOpen.value} aria-controls="rooms"
        onClick={() => (menuOpen.value = !menuOpen.value)}
      >
        <Icon name={menuOpen.value ? "close" : "menu"} />
      </button>
    </header>
  );
}
