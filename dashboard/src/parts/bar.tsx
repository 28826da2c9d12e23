// Bar is how far something is, or how full; share is 0 to 1.
export function Bar({ share, label, tone = "" }: { share: number; label: string; tone?: string }) {
  const at = Math.round(Math.min(1, Math.max(0, share)) * 100);
  return (
    <div class={`bar ${tone}`} role="progressbar" aria-label={label} aria-valuemin={0} aria-valuemax={100} aria-valuenow={at}>
      <span style={{ width: `${at}%` }} />
    </div>
  );
}
