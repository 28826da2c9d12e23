package brief_test

import (
	"context"
	"testing"

	"github.com/solo-assistant/solo/core/brief"
	briefs "github.com/solo-assistant/solo/core/tool/brief"
	"github.com/solo-assistant/solo/core/tool/tooltest"
)

// plans keeps when briefings are given.
type plans map[brief.Kind]string

func (p plans) Planned(_ context.Context, k brief.Kind) (string, error) { return p[k], nil }

func (p plans) Plan(_ context.Context, k brief.Kind, rule string) error {
	if rule == "FREQ=NEVER" {
		return brief.ErrTime
	}
	p[k] = rule
	return nil
}

func TestTalks(t *testing.T) {
	clock := tooltest.At(t, "2026-11-21 07:30", "Europe/Berlin")
	teller := brief.New(brief.Config{Now: clock.Now})
	box := tooltest.Box(t, briefs.Tools(briefs.Config{Teller: teller, Plans: plans{}, Now: clock.Now})...)
	tooltest.Play(t, box, clock, `
brief.give
  Good morning. It is Saturday, November 21. Nothing is due today, and nothing is planned.
brief.give {"kind":"week"}
  This is your weekly review. Nothing was finished this week, and nothing is open.
brief.give {"kind":"year"}
  I know a morning briefing, a weekly review and a monthly review.
brief.stop {"kind":"morning"}
  Your morning briefing is given only when you ask for it.
brief.plan {"kind":"morning","repeat":"FREQ=DAILY;BYHOUR=7;BYMINUTE=30"}
  I'll give you your morning briefing every day at 7:30 AM.
brief.plan {"kind":"morning","repeat":"FREQ=NEVER"}
  I can't keep that time. At what time should I give you your morning briefing?
> 2026-11-22T08:00:00+01:00
  I'll give you your morning briefing every day at 8 AM.
undo
  Okay, I'll give you your morning briefing every day at 7:30 AM.
brief.plan {"kind":"week"}
  At what time should I give you your weekly review?
> 2026-11-22T10:00:00+01:00
  I'll give you your weekly review every Sunday at 10 AM.
brief.stop {"kind":"morning"}
  Okay, no more morning briefing by itself.
undo
  Okay, I'll give you your morning briefing every day at 7:30 AM.`)
}
