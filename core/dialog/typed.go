package dialog

import (
	"context"
	"strings"

	"github.com/solo-assistant/solo/bus"
	"github.com/solo-assistant/solo/core/event"
	"github.com/solo-assistant/solo/models"
	"github.com/solo-assistant/solo/voices"
)

// Reader reads along while an answer is thought. The zero Reader does not.
type Reader struct {
	Began func(turn uint64)     // the turn of the answer, before anything else of it
	Told  func(sentence string) // each sentence, as soon as there is one
}

// Typed answers a typed line and waits for the answer, which is returned and, with aloud, spoken.
func (d *Conductor) Typed(ctx context.Context, text string, aloud bool, r Reader) (string, error) {
	page := &page{told: r.Told}
	var v Voice = page
	if aloud {
		v = both{page, d.cfg.Voice}
	}
	err := d.wait(ctx, func(ctx context.Context) {
		defer d.rest(ctx)
		if r.Began != nil {
			r.Began(bus.MetaOf(ctx).Turn)
		}
		d.enter(ctx, event.Thinking)
		d.answer(ctx, event.Heard{Text: text, Sure: 1, Engine: "typed"}, event.Turned{}, v)
	})
	return page.text(), err
}

// Say speaks a text that is no answer, and waits until it has been heard. Where it asks something, Solo listens for a
// while without its name.
func (d *Conductor) Say(ctx context.Context, text string) error {
	var failed error
	err := d.wait(ctx, func(ctx context.Context) {
		defer d.rest(ctx)
		if failed = d.announce(ctx, text); failed == nil && asks(text) {
			d.cfg.Ears.Attend(d.cfg.FollowUp)
		}
	})
	if err != nil {
		return err
	}
	return failed
}

// announce speaks a text to its end.
func (d *Conductor) announce(ctx context.Context, text string) error {
	d.enter(ctx, event.Speaking)
	d.cfg.Ears.Gate(true)
	defer d.cfg.Ears.Gate(false)
	var mute error
	for _, s := range voices.Split(text) {
		_ = d.out.replied.Publish(ctx, event.Replied{Text: s}) // for those who read, whether or not it can be said
		if mute == nil {
			mute = d.cfg.Voice.Say(ctx, s)
		}
	}
	d.remember(text)
	if mute != nil {
		return mute
	}
	_, err := d.cfg.Voice.Flush(ctx)
	return err
}

// wait has do done in the lane. When ctx ends first, so does what was begun.
func (d *Conductor) wait(ctx context.Context, do func(context.Context)) error {
	d.busy.Add(1)
	done := make(chan struct{})
	d.box.put(order{do: func(lane context.Context) {
		defer d.busy.Add(-1)
		defer close(done)
		lane, end := context.WithCancelCause(models.WithOrigin(lane, models.OriginOf(ctx)))
		defer end(nil)
		defer context.AfterFunc(ctx, func() { end(context.Cause(ctx)) })()
		do(lane)
	}})
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// page is a Voice for reading.
type page struct {
	lines []string
	told  func(string) // nil for nobody who reads along
}

func (p *page) Say(_ context.Context, sentence string) error {
	p.lines = append(p.lines, sentence)
	if p.told != nil {
		p.told(sentence)
	}
	return nil
}

func (p *page) Flush(ctx context.Context) (voices.Spoken, error) {
	return voices.Spoken{Text: p.text()}, context.Cause(ctx)
}

func (p *page) Cue(context.Context, voices.Earcon) error { return nil }

func (p *page) text() string { return strings.Join(p.lines, " ") }

// both writes an answer down and says it.
type both struct {
	page  *page
	voice Voice
}

func (b both) Say(ctx context.Context, sentence string) error {
	_ = b.page.Say(ctx, sentence) // it only appends
	return b.voice.Say(ctx, sentence)
}

func (b both) Flush(ctx context.Context) (voices.Spoken, error) {
	spoken, err := b.voice.Flush(ctx)
	if err != nil {
		return spoken, err
	}
	return voices.Spoken{Text: b.page.text(), First: spoken.First}, nil
}

func (b both) Cue(ctx context.Context, e voices.Earcon) error { return b.voice.Cue(ctx, e) }
