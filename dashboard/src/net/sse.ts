// Reads server-sent events from pieces of text.

export interface Sent {
  event: string;
  data: string;
}

const longest = 4 << 20; // characters of one event; what is longer is none of ours

// SentEvents joins pieces to events. Comments are left out.
export class SentEvents {
  private rest = "";
  private lost = false; // what comes belongs to an event that was too long

  take(piece: string): Sent[] {
    this.rest += piece;
    const out: Sent[] = [];
    for (let end = this.end(); end !== null; end = this.end()) {
      const sent = eventOf(this.rest.slice(0, end.at));
      this.rest = this.rest.slice(end.at + end.length);
      if (sent !== null && !this.lost) out.push(sent);
      this.lost = false;
    }
    if (this.rest.length > longest) {
      this.rest = "";
      this.lost = true;
    }
    return out;
  }

  private end(): { at: number; length: number } | null {
    const m = /\r?\n\r?\n/.exec(this.rest);
    return m === null ? null : { at: m.index, length: m[0].length };
  }
}

function eventOf(block: string): Sent | null {
  let event = "message";
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    if (line.startsWith("event:")) event = line.slice(6).trim();
    if (line.startsWith("data:")) data.push(line.slice(5).replace(/^ /, ""));
  }
  return data.length > 0 ? { event, data: data.join("\n") } : null;
}
