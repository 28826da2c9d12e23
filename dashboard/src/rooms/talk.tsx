import { useEffect, useRef } from "preact/hooks";
import { Approvals } from "../talk/approvals";
import { ExchangeView } from "../talk/exchange";
import { HoldButton } from "../talk/holdbutton";
import { Greeting } from "../talk/greeting";
import { Writing } from "../talk/writing";
import { world } from "../world/live";

const near = 160; // pixels from the end at which the view still follows

export function Talk() {
  const { exchanges } = world.value;
  const end = useRef<HTMLDivElement>(null);
  const following = useRef(true);

  useEffect(() => {
    const look = () => (following.current = innerHeight + scrollY > document.documentElement.scrollHeight - near);
    // A phone that is turned, or shows its keyboard, still shows the end.
    const follow = () => following.current && end.current?.scrollIntoView({ block: "end" });
    addEventListener("scroll", look, { passive: true });
    addEventListener("resize", follow);
    return () => {
      removeEventListener("scroll", look);
      removeEventListener("resize", follow);
    };
  }, []);
  useEffect(() => {
    if (following.current) end.current?.scrollIntoView({ block: "end" });
  }, [exchanges, world.value.approvals]);

  return (
    <div class="talk">
      <h1 class="hidden">Talk</h1>
      {exchanges.length === 0 ? <Greeting /> : null}
      <div class="exchanges" role="log" aria-label="Conversation" aria-live="polite" aria-relevant="additions text">
        {exchanges.map((x) => (
          <ExchangeView key={x.key} of={x} />
        ))}
      </div>
      <Approvals />
      <div ref={end} class="talk-end" />
      <div class="dock">
        <HoldButton />
        <Writing />
      </div>
    </div>
  );
}
