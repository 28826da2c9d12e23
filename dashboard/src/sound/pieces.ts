// Cuts samples into pieces of one length, as 16-bit numbers.

export const rate = 16_000; // Hz, of the line both ways
export const pieceLength = rate / 50; // samples in 20 ms

export class Pieces {
  private piece = new Int16Array(pieceLength);
  private filled = 0;

  // take gives each piece that is full.
  take(samples: Float32Array, give: (piece: Int16Array<ArrayBuffer>) => void): void {
    for (const s of samples) {
      this.piece[this.filled++] = Math.round(Math.max(-1, Math.min(1, s)) * 32_767);
      if (this.filled === pieceLength) this.rest(give);
    }
  }

  // rest gives what is left, with silence behind it; nothing where nothing is left.
  rest(give: (piece: Int16Array<ArrayBuffer>) => void): void {
    if (this.filled === 0) return;
    give(this.piece);
    this.piece = new Int16Array(pieceLength);
    this.filled = 0;
  }
}
