import { Icon } from "../parts/icon";

// Source is where facts came from: an address of the web, or a file.
export function Source({ of }: { of: string }) {
  const url = webOf(of);
  if (url === null) return <span class="source" title={of}>{of.split(/[\\/]/).pop() || of}</span>;
  return (
    <a class="source" href={url.href} title={of} target="_blank" rel="noreferrer noopener">
      {url.hostname}
      <Icon name="out" />
      <span class="hidden"> (opens in a new tab)</span>
    </a>
  );
}

// webOf is an address that may be opened; a source may claim to be anything.
export function webOf(text: string): URL | null {
  if (!/^https?:\/\//i.test(text)) return null;
  try {
    const url = new URL(text);
    return url.username === "" && url.password === "" ? url : null;
  } catch {
    return null;
  }
}
