import { Pieces, rate } from "./pieces";
import { Resampler } from "./resample";

// Microphone sends pieces of what it hears to the page while it is open, and how loud it is.
class Microphone extends AudioWorkletProcessor {
  private resampler = new Resampler(sampleRate, rate);
  private pieces = new Pieces();
  private open = false;

  constructor() {
    super();
    this.port.onmessage = (m: MessageEvent<"open" | "close">) => (m.data === "open" ? this.begin() : this.end());
  }

  process(inputs: Float32Array[][]): boolean {
    const heard = inputs[0]?.[0];
    if (this.open && heard) this.pieces.take(this.resampler.take(heard), this.give);
    return true;
  }

  private begin(): void {
    this.resampler = new Resampler(sampleRate, rate);
    this.pieces = new Pieces();
    this.open = true;
  }

  // end sends what is left, and then that it was the last.
  private end(): void {
    if (!this.open) return;
    this.open = false;
    this.pieces.rest(this.give);
    this.port.postMessage("closed");
  }

  private readonly give = (piece: Int16Array<ArrayBuffer>) => {
    this.port.postMessage(piece.buffer, [piece.buffer]);
  };
}

registerProcessor("microphone", Microphone);
