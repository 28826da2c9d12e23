import { signal } from "@preact/signals";
import { Button } from "./button";
import { Dialog } from "./dialog";

interface Question {
  title: string;
  text: string;
  yes: string;
  answer: (yes: boolean) => void;
}

const question = signal<Question | null>(null);

// confirmed asks the user, and gives true for a yes.
export function confirmed(title: string, text: string, yes: string): Promise<boolean> {
  question.value?.answer(false);
  return new Promise((answer) => (question.value = { title, text, yes, answer }));
}

function decide(yes: boolean): void {
  question.value?.answer(yes);
  question.value = null;
}

// Confirm shows what confirmed asks. The page holds it once.
export function Confirm() {
  const q = question.value;
  return (
    <Dialog title={q?.title ?? "Question"} open={q !== null} close={() => decide(false)}>
      <p class="dialog-text">{q?.text}</p>
      <div class="row end">
        <Button act={() => decide(false)}>Keep</Button>
        <Button kind="danger" act={() => decide(true)}>
          {q?.yes}
        </Button>
      </div>
    </Dialog>
  );
}
