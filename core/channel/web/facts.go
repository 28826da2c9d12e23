package web

import (
	"encoding/json"
	"math"
	"time"

	"github.com/solo-assistant/solo/core/consent"
	"github.com/solo-assistant/solo/core/event"
	"github.com/solo-assistant/solo/core/job"
)

// fields are what an event tells; names are the wire's own, so that a part may rename its fields.
type fields map[string]any

// factOf gives an event of the bus its name and fields for those outside, "" for one that is not shown.
func factOf(v any) (kind string, f fields) {
	switch e := v.(type) {
	case event.StateChanged:
		return "state", fields{"state": e.State}
	case event.Woke:
		return "woke", fields{"word": e.Word, "score": finite(e.Score), "at_ms": ms(e.At)}
	case event.Partial:
		return "partial", fields{"text": e.Text, "stable": e.Stable}
	case event.Heard:
		return "heard", fields{"text": e.Text, "sure": finite(e.Sure), "engine": e.Engine, "start_ms": ms(e.Start), "end_ms": ms(e.End)}
	case event.Misheard:
		return "misheard", fields{"why": e.Why}
	case event.Understood:
		return "understood", fields{"intent": e.Intent, "slots": e.Slots}
	case event.Acted:
		return "acted", fields{"tool": e.Tool, "arguments": sane(e.Arguments), "status": e.Status, "source": e.Source, "took_ms": ms(e.Took)}
	case event.Replied:
		return "replied", fields{"text": e.Text}
	case event.Interrupted:
		return "interrupted", fields{"spoken": e.Spoken}
	case event.Turned:
		return "turned", fields{"outcome": e.Outcome, "heard": e.Heard, "spoken": e.Spoken, "endpoint_ms": ms(e.Endpoint), "stt_ms": ms(e.STT),
			"think_ms": ms(e.Think), "first_audio_ms": ms(e.FirstAudio), "total_ms": ms(e.Total())}
	case event.Due:
		return "due", fields{"kind": e.Kind, "id": e.ID, "text": e.Text, "at": e.At, "late_ms": ms(e.Late), "how": e.How}
	}
	return factOfParts(v)
}

func factOfParts(v any) (kind string, f fields) {
	switch e := v.(type) {
	case job.Changed:
		return "job", jobFields(e.Job)
	case job.Ended:
		return "job", jobFields(e.Job)
	case consent.Wanted:
		a := e.Approval
		return "approval", fields{"id": a.ID, "say": a.Say, "tool": a.Tool, "arguments": sane(a.Arguments), "provider": a.Provider, "model": a.Model,
			"messages": a.Messages, "until": a.Until}
	case consent.Decided:
		return "decided", fields{"id": e.ID, "granted": e.Granted}
	}
	return "", nil
}

func jobFields(j job.Job) fields {
	return fields{"id": j.ID, "kind": j.Kind, "title": j.Title, "state": j.State, "progress": finite(j.Progress), "doing": j.Doing, "why": j.Why}
}

func ms(d time.Duration) int64 { return d.Milliseconds() }

// finite is a number that JSON can hold; nil stands for one that is not known.
func finite(x float64) any {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return x
}

// sane is JSON, or nil where a model wrote something else.
func sane(raw json.RawMessage) any {
	if len(raw) == 0 || !json.Valid(raw) {
		return nil
	}
	return raw
}
