import { Card } from "../parts/card";
import { Orb, stateWords } from "../parts/orb";
import type { Status } from "../net/wire";
import { loudness } from "../world/live";
import { long } from "../words/format";

export function Now({ of: s }: { of: Status }) {
  return (
    <Card title="Now" note={`up ${long(s.uptime_seconds)}`}>
      <div class="now">
        <Orb size="large" />
        <div class="grow">
          <p class="now-state" role="status">
            {stateWords()}
          </p>
          <Meter muted={s.audio.muted} />
        </div>
      </div>
      <dl class="facts">
        <div>
          <dt>Hears with</dt>
          <dd>{s.audio.input || "no microphone"}</dd>
        </div>
        <div>
          <dt>Speaks with</dt>
          <dd>{s.audio.output || "no loudspeaker"}</dd>
        </div>
      </dl>
    </Card>
  );
}

const floor = -72; // dBFS that is shown as nothing

// Meter is the loudness of Solo's microphone.
function Meter({ muted }: { muted: boolean }) {
  const db = muted ? floor : Math.max(floor, loudness.value);
  const share = (db - floor) / -floor;
  return (
    <div class="meter" role="meter" aria-label="Microphone level" aria-valuemin={floor} aria-valuemax={0} aria-valuenow={Math.round(db)} aria-valuetext={muted ? "off" : `${Math.round(db)} decibels`}>
      <span style={{ clipPath: `inset(0 ${(100 - share * 100).toFixed(1)}% 0 0 round 4px)` }} />
    </div>
  );
}
