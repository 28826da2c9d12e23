import { type } from "../world/typed";

const ideas = ["What can you do?", "Set a timer for ten minutes", "What time is it?", "Remind me tomorrow at nine to call Anna"];

// Greeting stands where nothing was said yet.
export function Greeting() {
  return (
    <section class="greeting" aria-label="Welcome">
      <p class="greeting-word">{wordFor(new Date().getHours())}</p>
      <p class="lead">Hold the button and speak, or write below.</p>
      <ul class="ideas">
        {ideas.map((idea) => (
          <li key={idea}>
            <button type="button" class="idea" onClick={() => void type(idea)}>
              {idea}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function wordFor(hour: number): string {
  if (hour < 5) return "Good night.";
  if (hour < 12) return "Good morning.";
  return hour < 18 ? "Good afternoon." : "Good evening.";
}
