// Holds samples that are to be played, in order. It has an end: what does not fit is left out.

export class Queue {
  private readonly ring: Float32Array;
  private start = 0;
  private filled = 0;

  constructor(size: number) {
    this.ring = new Float32Array(size);
  }

  get length(): number {
    return this.filled;
  }

  put(samples: Float32Array): void {
    const n = Math.min(samples.length, this.ring.length - this.filled);
    for (let i = 0; i < n; i++) this.ring[(this.start + this.filled + i) % this.ring.length] = samples[i] as number;
    this.filled += n;
  }

  // take fills out, with silence where there are not enough, and gives how many there were.
  take(out: Float32Array): number {
    const n = Math.min(out.length, this.filled);
    for (let i = 0; i < n; i++) out[i] = this.ring[(this.start + i) % this.ring.length] as number;
    out.fill(0, n);
    this.start = (this.start + n) % this.ring.length;
    this.filled -= n;
    return n;
  }

  drop(): void {
    this.filled = 0;
  }
}
