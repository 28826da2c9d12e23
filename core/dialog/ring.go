package dialog

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/solo-assistant/solo/core/event"
	"github.com/solo-assistant/solo/core/when"
	"github.com/solo-assistant/solo/voices"
)

// chimes is how often the earcon sounds between two announcements of what rings.
const chimes = 3

// round is the least time from one announcement of what rings to the next.
const round = 4 * time.Second

// stale is how late a timer or an alarm may be to ring at all; a later one is only told of.
const stale = 2 * time.Minute

// most is how many promises are announced in one breath: those of a breath that is spoken over are said again.
const most = 5

// bell is a promise that is due.
type bell struct {
	event.Due
	said  bool // its words were heard, or could not be
	known bool // it rang before: a chime comes first
}

// ring announces what is due. Reminders are said once; timers and alarms go on until they ring no
// more. Spoken over, what still rings waits for the next quiet moment.
func (d *Conductor) ring(ctx context.Context) {
	d.busy.Add(1)
	defer d.busy.Add(-1)
	defer d.rest(ctx)
	for ctx.Err() == nil {
		began := time.Now()
		if d.stillDue(); len(d.due) == 0 {
			return
		}
		if !d.sayDue(ctx) {
			return
		}
		d.due = slices.DeleteFunc(d.due, func(b *bell) bool { return b.said && (b.Kind == "reminder" || b.Late > stale) })
		if len(d.fresh()) > 0 {
			if d.box.waiting() {
				return
			}
			continue
		}
		for i := 0; i < chimes && len(d.due) > 0 && ctx.Err() == nil; i++ {
			d.chime(ctx)
			d.stillDue()
			if d.box.waiting() {
				return // something wants the lane; the rest rings after it
			}
		}
		for _, b := range d.due {
			b.known = false
		}
		if len(d.due) > 0 && !d.breathe(ctx, began) {
			return
		}
	}
}

// fresh is what was not said yet.
func (d *Conductor) fresh() []*bell {
	return slices.DeleteFunc(slices.Clone(d.due), func(b *bell) bool { return b.said || b.known })
}

// sayDue says what is new, or where nothing is what rings on; false where it was spoken over. What was said for the first
// time is told of.
func (d *Conductor) sayDue(ctx context.Context) bool {
	now := d.fresh()
	first := len(now) > 0
	if !first {
		now = slices.DeleteFunc(slices.Clone(d.due), func(b *bell) bool { return b.known })
	}
	if now = now[:min(len(now), most)]; len(now) == 0 {
		return true
	}
	var due []event.Due
	reminds := false
	for _, b := range now {
		due, reminds = append(due, b.Due), reminds || b.Kind == "reminder"
	}
	if first && d.cfg.Telling != nil {
		d.cfg.Telling(ctx, due)
	}
	err := d.announce(ctx, announcement(due))
	if ctx.Err() != nil {
		return false
	}
	if err != nil {
		d.cfg.Log.Error().Err(err).Msg("what is due could not be spoken")
	}
	if first && d.cfg.Told != nil {
		d.cfg.Told(ctx, due, err)
	}
	for _, b := range now {
		b.said = true
	}
	if reminds && err == nil {
		d.cfg.Ears.Attend(d.cfg.FollowUp) // "snooze", "thanks"
	}
	return true
}

// breathe waits until a round of ringing has taken its time, which it does by itself where sound is
// played; false when something wants the lane.
func (d *Conductor) breathe(ctx context.Context, began time.Time) bool {
	rest := round - time.Since(began)
	if rest <= 0 {
		return true
	}
	select {
	case <-time.After(rest):
		return true
	case <-d.box.bell:
	case <-ctx.Done():
	}
	return false
}

// stillDue forgets what was stopped, snoozed or has rung out.
func (d *Conductor) stillDue() {
	d.due = slices.DeleteFunc(d.due, func(b *bell) bool { return !d.cfg.Rings(b.Due) })
}

func (d *Conductor) chime(ctx context.Context) {
	d.cfg.Ears.Gate(true)
	defer d.cfg.Ears.Gate(false)
	if err := d.cfg.Voice.Cue(ctx, voices.Chime); err != nil && ctx.Err() == nil {
		d.cfg.Log.Warn().Err(err).Msg("the chime could not be played")
		// Without a loudspeaker nothing else keeps the time between two chimes.
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
		}
	}
}

// announcement says what is due, what is late with how late.
func announcement(due []event.Due) string {
	var lines []string
	for _, e := range due {
		lines = append(lines, sentence(e))
	}
	return strings.Join(slices.Compact(lines), " ")
}

func sentence(e event.Due) string {
	late := ""
	if e.Late > time.Minute && e.How != event.Still {
		late = fmt.Sprintf(" This is %s late: I was not running.", when.Length(e.Late.Round(time.Minute)))
	}
	return leads[e.How] + line(e) + late
}

// leads say that a thing is told once more, and why.
var leads = map[event.Telling]string{
	event.Again: "I may have told you this before. ",
	event.Still: "Once more. ",
}

func line(e event.Due) string {
	switch {
	case e.Kind == "reminder":
		return "Here is your reminder: " + strings.TrimRight(e.Text, ".!") + "."
	case e.Text != "":
		return fmt.Sprintf("Your %s %s is done.", e.Text, e.Kind)
	case e.Kind == "alarm":
		return "Your alarm is ringing."
	}
	return "Your timer is done."
}
