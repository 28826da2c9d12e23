package cli

import (
	"fmt"
	"strings"
	"time"
)

// Promise is a timer, an alarm, a reminder or another promised time.
type Promise struct {
	Did   string    `json:"did,omitempty"` // "added", "cancelled", "snoozed", "done" or "restored"; "" where it is listed
	ID    int64     `json:"id"`
	Kind  string    `json:"kind"`
	Text  string    `json:"text"`
	At    time.Time `json:"at"` // next time, in its zone
	When  string    `json:"when"`
	Every string    `json:"every,omitempty"` // RRULE
	Zone  string    `json:"zone"`            // in which it is kept
	State string    `json:"state"`
}

func (Promise) Event() string { return "promise" }
func (p Promise) Human() string {
	text := ""
	if p.Text != "" {
		text = " \"" + p.Text + "\""
	}
	if p.Did != "" {
		return fmt.Sprintf("%s %s %d%s, %s", strings.ToUpper(p.Did[:1])+p.Did[1:], p.Kind, p.ID, text, p.When)
	}
	if p.State == "ringing" {
		return fmt.Sprintf("%5d  %s%s rings now", p.ID, p.Kind, text)
	}
	return fmt.Sprintf("%5d  %s%s, %s", p.ID, p.Kind, text, p.When)
}

// Delivery is a receipt: one step of the delivery of a promise.
type Delivery struct {
	ID      int64     `json:"id"`
	At      time.Time `json:"at"` // when the step was made
	Step    string    `json:"step"`
	Channel string    `json:"channel,omitempty"`
	Promise int64     `json:"promise"`
	Kind    string    `json:"kind"`
	Text    string    `json:"text"`
	For     time.Time `json:"for"` // the time that was promised
	Late    Millis    `json:"late_ms"`
	Again   bool      `json:"again,omitempty"`
	Note    string    `json:"note,omitempty"`
}

func (Delivery) Event() string { return "receipt" }
func (d Delivery) Human() string {
	line := fmt.Sprintf("%s  %-12s %s %d", d.At.Format("2006-01-02 15:04:05"), d.Step, d.Kind, d.Promise)
	if d.Text != "" {
		line += " \"" + d.Text + "\""
	}
	if d.Channel != "" {
		line += " (" + d.Channel + ")"
	}
	if late := time.Duration(d.Late); late >= time.Second && d.Step != "acknowledged" {
		line += ", " + late.Round(time.Second).String() + " late"
	}
	if d.Again {
		line += ", as a repeat"
	}
	if d.Note != "" {
		line += ": " + d.Note
	}
	return line
}
