import { signal } from "@preact/signals";
import { faultOf, type Fault } from "../net/ask";
import { Device, type Playing } from "./device";
import { Line } from "./line";

export type Hold = "off" | "opening" | "held";

export const hold = signal<Hold>("off");
export const trouble = signal<Fault | null>(null);
export const speaking = signal(false); // Solo's voice plays in this page
export const voice = signal(0); // its loudness, 0 to 1
export const own = signal(0); // loudness of what this page's microphone hears, 0 to 1

const idleLine = 10 * 60_000; // ms after which a line that nobody uses is closed

let device: Promise<Device> | null = null;
let line: Line | null = null;
let wanted = false;
let idle = 0;

// press begins to talk. It must be called from an event of the user.
export async function press(): Promise<void> {
  if (wanted) return;
  wanted = true;
  trouble.value = null;
  hold.value = "opening";
  try {
    const d = await deviceNow();
    d.hush();
    await d.open();
    if (!wanted) return d.close();
    lineNow().press(true);
    hold.value = "held";
  } catch (err) {
    wanted = false;
    hold.value = "off";
    trouble.value = faultOf(err);
  }
}

// deviceNow makes the device once; one that could not be made is tried anew.
async function deviceNow(): Promise<Device> {
  try {
    return await (device ??= Device.make(heard, played));
  } catch (err) {
    device = null;
    throw err;
  }
}

// release ends it. "up" follows the last piece of sound.
export async function release(): Promise<void> {
  if (!wanted) return;
  wanted = false;
  const was = hold.value;
  hold.value = "off";
  own.value = 0;
  if (was === "held") (await device)?.close();
}

// silence drops what still waits to be played here.
export function silence(): void {
  void device?.then((d) => d.hush());
}

function heard(piece: ArrayBuffer | null): void {
  if (line === null) return;
  if (piece === null) return line.press(false);
  own.value = loudnessOf(piece);
  line.say(piece);
}

function played(p: Playing): void {
  speaking.value = p.playing;
  voice.value = p.playing ? Math.min(1, p.rms * 4) : 0;
}

function lineNow(): Line {
  clearTimeout(idle);
  idle = window.setTimeout(() => line?.close(), idleLine);
  if (line !== null && !line.over) return line;
  line = new Line({
    sound: (pcm) => void device?.then((d) => d.play(pcm)),
    hush: silence,
    ended: (fault) => {
      line = null;
      if (fault !== null) trouble.value = fault;
      if (wanted) void release();
    },
  });
  return line;
}

function loudnessOf(piece: ArrayBuffer): number {
  const pcm = new Int16Array(piece);
  let sum = 0;
  for (const v of pcm) sum += (v / 32_768) ** 2;
  return Math.min(1, Math.sqrt(sum / Math.max(1, pcm.length)) * 5);
}
