package dialog

import (
	"context"
	"strings"
	"time"

	"github.com/solo-assistant/solo/core/event"
)

// resumable is how long after a barge-in an answer can still be taken up again.
const resumable = 15 * time.Second

// broken is an answer that was spoken over, until it is known whether the user meant it.
type broken struct {
	rest []string // sentences that were not heard to their end
	more bool     // the mind had not come to its end
	at   time.Time
}

// resume takes up the answer that was spoken over, where nothing was said then: a cough or a sound like the wake
// word is no reason to keep the rest from the user.
func (d *Conductor) resume(ctx context.Context) {
	b := d.broken
	d.broken = nil
	if b == nil || !d.cfg.Resume || time.Since(b.at) > resumable || ctx.Err() != nil {
		return
	}
	d.cfg.Log.Debug().Int("sentences", len(b.rest)).Bool("more", b.more).Msg("the answer goes on")
	switch {
	case b.more: // the mind knows what was heard of it
		d.answer(ctx, event.Heard{Text: "Please go on.", Sure: 1, Engine: "resumed"}, event.Turned{}, d.cfg.Voice)
	case len(b.rest) > 0:
		_ = d.announce(ctx, strings.Join(b.rest, " ")) // spoken over again, or no voice: the speaker has told
	}
}
