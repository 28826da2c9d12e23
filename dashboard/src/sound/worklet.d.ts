// What the audio thread has, as far as it is used here.

declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}

declare const sampleRate: number;

declare function registerProcessor(name: string, made: new () => AudioWorkletProcessor): void;
