package schedule

import (
	"time"

	"github.com/solo-assistant/solo/core/event"
)

// Step is what a Receipt tells was done about a promise.
type Step string

const (
	Begun        Step = "begun"        // its telling was begun; whether anyone heard it is not known
	Spoken       Step = "spoken"       // it was said aloud, to its end
	Shown        Step = "shown"        // it stood on a page or in a terminal
	Ran          Step = "ran"          // the plan was carried out
	Escalated    Step = "escalated"    // nobody answered, and a further channel took it
	Failed       Step = "failed"       // a channel did not take it; Note says why
	Acknowledged Step = "acknowledged" // the user answered
	Snoozed      Step = "snoozed"      // the user wants to hear it again later
	Missed       Step = "missed"       // it rang out and nobody answered
	Skipped      Step = "skipped"      // it was due while Solo was off, and the settings do not want it told then
	Restored     Step = "restored"     // the user took an answer back; what came before no longer counts
)

// Receipt is one step of the delivery of one promise at one of its times. Receipts are only ever added.
type Receipt struct {
	ID      int64 // grows with time
	Kind    Kind
	Promise int64     // its ID
	At      time.Time // the time that was promised
	Step    Step
	Channel string // "voice", "desktop", "webhook", or the door through which the user answered
	Made    time.Time
	Late    time.Duration // of Made behind At
	Again   bool          // told as a repeat
	Note    string        // more about the step, may be ""
}

// Change is what is stored at once: all of it or nothing.
type Change struct {
	Promises []Promise // each over the one of its Kind and ID
	Receipts []Receipt // new ones
}

// Standing is how far the delivery of a promise went, as its receipts tell.
type standing struct {
	begun   bool
	told    time.Time // said, shown or carried out; zero for not
	passed  []string  // further channels that took it
	settled bool      // answered, or over
}

// stand reads the receipts of one time of a promise, in their order.
func stand(receipts []Receipt) standing {
	var s standing
	for _, r := range receipts {
		switch r.Step {
		case Begun:
			s.begun = true
		case Spoken, Shown, Ran:
			s.told = r.Made
		case Escalated:
			s.passed = append(s.passed, r.Channel)
		case Acknowledged, Snoozed, Missed, Skipped:
			s.settled = true
		case Restored:
			s = standing{}
		}
	}
	return s
}

// of makes the receipt of a step at a moment.
func (p Promise) receipt(s Step, channel string, now time.Time) Receipt {
	return Receipt{Kind: p.Kind, Promise: p.ID, At: p.At, Step: s, Channel: channel, Made: tidy(now, now.Location()), Late: max(0, now.Sub(p.At))}
}

// due is how the world is told of a promise.
func (p Promise) event(how event.Telling, now time.Time) event.Due {
	return event.Due{Kind: string(p.Kind), ID: p.ID, Text: p.Text, At: p.At, Late: max(0, now.Sub(p.At)), How: how}
}
