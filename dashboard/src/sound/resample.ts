// Changes the rate of a stream of samples by a windowed sinc, one filter for each place between two samples.

const crossings = 12; // zero crossings of the sinc on each side, counted at the lower rate
const edge = 0.94; // share of the lower rate's band that passes

export class Resampler {
  private readonly up: number; // to / gcd
  private readonly down: number; // from / gcd
  private readonly half: number; // samples on each side of a place
  private readonly filters: Float32Array[];
  private past: Float32Array; // samples that later ones still need
  private phase = 0; // of the next output, in 1/up of an input sample, behind the first full place in past

  constructor(from: number, to: number) {
    const g = gcd(Math.round(from), Math.round(to));
    this.up = Math.round(to) / g;
    this.down = Math.round(from) / g;
    const band = Math.min(1, this.up / this.down);
    this.half = Math.ceil(crossings / band);
    this.filters = Array.from({ length: this.up }, (_, i) => filter(i / this.up, this.half, band * edge));
    this.past = new Float32Array(this.half - 1); // silence before the first sample
  }

  // take gives the samples that can be made once input has come. Their number varies by one.
  take(input: Float32Array): Float32Array {
    const all = new Float32Array(this.past.length + input.length);
    all.set(this.past);
    all.set(input, this.past.length);
    const room = all.length - 2 * this.half; // places whose neighbours are all there
    if (room < 0) {
      this.past = all;
      return new Float32Array(0);
    }
    const count = Math.max(0, Math.floor((room * this.up - this.phase) / this.down) + 1);
    const out = new Float32Array(count);
    for (let i = 0; i < count; i++) {
      out[i] = this.at(all, Math.floor(this.phase / this.up), this.phase % this.up);
      this.phase += this.down;
    }
    const used = Math.min(Math.floor(this.phase / this.up), all.length);
    this.phase -= used * this.up;
    this.past = all.slice(used);
    return out;
  }

  private at(all: Float32Array, start: number, phase: number): number {
    const f = this.filters[phase] as Float32Array;
    let sum = 0;
    for (let k = 0; k < f.length; k++) sum += (f[k] as number) * (all[start + k] as number);
    return sum;
  }
}

// filter is for a place that lies by "off" of a sample behind the half-th one. Its sum is 1, so that loudness stays.
function filter(off: number, half: number, band: number): Float32Array {
  const f = new Float32Array(2 * half);
  let sum = 0;
  for (let k = 0; k < f.length; k++) {
    const x = k - (half - 1) - off;
    const v = sinc(x * band) * hann(x / half);
    f[k] = v;
    sum += v;
  }
  return f.map((v) => v / sum);
}

const sinc = (x: number) => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x));
const hann = (x: number) => (Math.abs(x) >= 1 ? 0 : 0.5 + 0.5 * Math.cos(Math.PI * x));

function gcd(a: number, b: number): number {
  return b === 0 ? a : gcd(b, a % b);
}
