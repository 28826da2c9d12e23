import { rate } from "./pieces";
import { Queue } from "./queue";
import { Resampler } from "./resample";

const longest = 30; // seconds that may wait; the door sends far less ahead
const every = 8; // blocks between two reports of loudness

// Loudspeaker plays what the page gives it, and drops it at once when told to.
class Loudspeaker extends AudioWorkletProcessor {
  private resampler = new Resampler(rate, sampleRate);
  private readonly queue = new Queue(longest * sampleRate);
  private blocks = 0;
  private playing = false;

  constructor() {
    super();
    this.port.onmessage = (m: MessageEvent<"hush" | ArrayBuffer>) => (m.data === "hush" ? this.hush() : this.say(m.data));
  }

  process(_: Float32Array[][], outputs: Float32Array[][]): boolean {
    const out = outputs[0]?.[0];
    if (!out) return true;
    const n = this.queue.take(out);
    for (const other of outputs[0] ?? []) if (other !== out) other.set(out);
    if (this.playing !== n > 0 || (this.playing && ++this.blocks % every === 0)) this.report(out, n > 0);
    return true;
  }

  private say(pcm: ArrayBuffer): void {
    const whole = new Int16Array(pcm, 0, pcm.byteLength >> 1);
    this.queue.put(this.resampler.take(Float32Array.from(whole, (v) => v / 32_768)));
  }

  private hush(): void {
    this.queue.drop();
    this.resampler = new Resampler(rate, sampleRate);
  }

  private report(out: Float32Array, playing: boolean): void {
    this.playing = playing;
    let sum = 0;
    for (const v of out) sum += v * v;
    this.port.postMessage({ playing, rms: Math.sqrt(sum / out.length) });
  }
}

registerProcessor("loudspeaker", Loudspeaker);
