import loudspeaker from "./loudspeaker.worklet.ts?worker&url";
import microphone from "./microphone.worklet.ts?worker&url";
import { Fault } from "../net/ask";

// Heard is told what the microphone gives; null is the end of what was held.
export type Heard = (piece: ArrayBuffer | null) => void;

export interface Playing {
  playing: boolean;
  rms: number; // 0 to 1
}

// Device is the browser's microphone and loudspeaker.
export class Device {
  private source: MediaStreamAudioSourceNode | null = null;
  private idle = 0;

  private constructor(
    private readonly context: AudioContext,
    private readonly mic: AudioWorkletNode,
    private readonly speaker: AudioWorkletNode,
  ) {}

  // make must be called from a press of the user, or the browser plays nothing.
  static async make(heard: Heard, playing: (p: Playing) => void): Promise<Device> {
    const context = new AudioContext({ latencyHint: "interactive" });
    await Promise.all([context.audioWorklet.addModule(microphone), context.audioWorklet.addModule(loudspeaker)]);
    const mic = new AudioWorkletNode(context, "microphone", { numberOfOutputs: 0, channelCount: 1, channelCountMode: "explicit" });
    const speaker = new AudioWorkletNode(context, "loudspeaker", { numberOfInputs: 0, outputChannelCount: [2] });
    speaker.connect(context.destination);
    mic.port.onmessage = (m: MessageEvent<unknown>) => heard(m.data instanceof ArrayBuffer ? m.data : null);
    speaker.port.onmessage = (m: MessageEvent<Playing>) => playing(m.data);
    return new Device(context, mic, speaker);
  }

  // open makes the microphone heard. Errors: a Fault that says what to do.
  async open(): Promise<void> {
    clearTimeout(this.idle);
    await this.context.resume();
    const ended = this.source?.mediaStream.getTracks().some((t) => t.readyState === "ended") ?? true;
    if (ended) {
      this.release();
      this.source = this.context.createMediaStreamSource(await microphoneOf());
      this.source.connect(this.mic);
    }
    this.mic.port.postMessage("open");
  }

  // close ends what is heard, and lets go of the microphone a while after.
  close(): void {
    this.mic.port.postMessage("close");
    clearTimeout(this.idle);
    this.idle = window.setTimeout(() => this.release(), 45_000);
  }

  play(pcm: ArrayBuffer): void {
    this.speaker.port.postMessage(pcm, [pcm]);
  }

  hush(): void {
    this.speaker.port.postMessage("hush");
  }

  private release(): void {
    this.source?.disconnect();
    this.source?.mediaStream.getTracks().forEach((t) => t.stop());
    this.source = null;
  }
}

async function microphoneOf(): Promise<MediaStream> {
  // A page that is neither local nor encrypted has no devices at all.
  const devices = navigator.mediaDevices as MediaDevices | undefined;
  if (devices === undefined) {
    throw new Fault(0, "insecure", "This browser gives no microphone to this page.", "Open it as http://localhost or over https.");
  }
  try {
    return await devices.getUserMedia({ audio: { echoCancellation: true, noiseSuppression: true, autoGainControl: true, channelCount: 1 } });
  } catch (err) {
    const name = err instanceof DOMException ? err.name : "";
    if (name === "NotAllowedError") {
      throw new Fault(0, "denied", "The browser does not let this page use the microphone.", "Allow it in the address bar, then hold the button again. Typing works meanwhile.");
    }
    if (name === "NotFoundError") throw new Fault(0, "none", "This machine has no microphone.", "Plug one in, or type.");
    throw new Fault(0, "microphone", "The microphone could not be opened.", "Another program may hold it.");
  }
}
