// What this browser keeps for the page. A browser that keeps nothing gives the page its first choices.

export function keptIn(name: string): string | null {
  try {
    return localStorage.getItem("solo." + name);
  } catch {
    return null;
  }
}

export function keep(name: string, value: string): void {
  try {
    localStorage.setItem("solo." + name, value);
  } catch {
    // It is for this visit alone, then.
  }
}
