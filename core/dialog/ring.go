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
		if err := d.announce(ctx, announcement(d.due)); err != nil && ctx.Err() == nil {
			d.cfg.Log.Error().Err(err).Msg("what is due could not be spoken")
		}
		if ctx.Err() != nil {
			return
		}
		d.due = slices.DeleteFunc(d.due, func(e event.Due) bool { return e.Kind == "reminder" || e.Late > stale })
		for i := 0; i < chimes && len(d.due) > 0 && ctx.Err() == nil; i++ {
			d.chime(ctx)
			d.stillDue()
			if d.box.waiting() {
				return // something wants the lane; the rest rings after it
			}
		}
		if len(d.due) > 0 && !d.breathe(ctx, began) {
			return
		}
	}
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
	d.due = slices.DeleteFunc(d.due, func(e event.Due) bool { return !d.cfg.Rings(e) })
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
	if e.Late > time.Minute {
		late = fmt.Sprintf(" This is %s late: I was not running.", when.Length(e.Late.Round(time.Minute)))
	}
	switch {
	case e.Kind == "reminder":
		return "Here is your reminder: " + strings.TrimRight(e.Text, ".!") + "." + late
	case e.Text != "":
		return fmt.Sprintf("Your %s %s is done.%s", e.Text, e.Kind, late)
	case e.Kind == "alarm":
		return "Your alarm is ringing." + late
	}
	return "Your timer is done." + late
}
