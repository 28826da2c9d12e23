// Series keeps the last values of some curves over time, for uPlot.

export type Row = (number | null)[];

export class Series {
  private times: number[] = [];
  private readonly curves: Row[];

  constructor(
    curves: number,
    private readonly most = 300,
    private readonly pause = 7, // seconds without a value after which a curve is broken
  ) {
    this.curves = Array.from({ length: curves }, () => []);
  }

  // add puts values at a time in seconds. Times that do not grow are left out.
  add(at: number, values: Row): void {
    const last = this.times[this.times.length - 1];
    if (last !== undefined && at <= last) return;
    if (last !== undefined && at - last > this.pause) this.push(last + 0.001, this.curves.map(() => null));
    this.push(at, values);
    while (this.times.length > this.most) {
      this.times.shift();
      this.curves.forEach((c) => c.shift());
    }
  }

  get data(): [number[], ...Row[]] {
    return [[...this.times], ...this.curves.map((c) => [...c])];
  }

  get length(): number {
    return this.times.length;
  }

  private push(at: number, values: Row): void {
    this.times.push(at);
    this.curves.forEach((c, i) => c.push(values[i] ?? null));
  }
}
