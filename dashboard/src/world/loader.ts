import { faultOf, type Fault } from "../net/ask";

const calm = 150; // ms in which wishes are gathered, so that a burst of events asks once

// Loader asks for one list, one time after another: however often it is told to, it asks again only once the answer has
// come, and however steadily it is told to, it does ask.
export class Loader<T> {
  private readonly stop = new AbortController();
  private timer: ReturnType<typeof setTimeout> | null = null;
  private busy = false;
  private again = false;

  constructor(
    private readonly get: (signal: AbortSignal) => Promise<T>,
    private readonly take: (data: T) => void,
    private readonly fail: (fault: Fault) => void,
  ) {}

  ask(wait = calm): void {
    if (this.busy) this.again = true;
    else this.timer ??= setTimeout(() => void this.load(), wait);
  }

  end(): void {
    this.stop.abort();
    if (this.timer !== null) clearTimeout(this.timer);
  }

  private async load(): Promise<void> {
    this.timer = null;
    this.busy = true;
    try {
      const data = await this.get(this.stop.signal);
      if (!this.stop.signal.aborted) this.take(data);
    } catch (err) {
      if (!this.stop.signal.aborted) this.fail(faultOf(err));
    }
    this.busy = false;
    if (this.again && !this.stop.signal.aborted) this.ask();
    this.again = false;
  }
}
