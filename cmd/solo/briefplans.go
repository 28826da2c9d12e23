package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/solo-assistant/solo/core/brief"
	"github.com/solo-assistant/solo/core/schedule"
	"github.com/solo-assistant/solo/core/supervise"
)

// briefPlans keeps when briefings are given by themselves: the user's preference, or else the setting, becomes a promise.
type briefPlans struct{ s *assistant }

// preference is the key under which the user's own time of a briefing is kept.
func preference(k brief.Kind) string { return "brief." + string(k) }

// Planned gives the RRULE of a kind, "" for never.
func (p *briefPlans) Planned(ctx context.Context, k brief.Kind) (string, error) {
	text, told, err := p.s.memory.Get(ctx, preference(k))
	if err != nil {
		return "", fmt.Errorf("reading when the briefing is given: %w", err)
	}
	if !told {
		text = p.s.app.settings.Brief.times()[k]
	}
	return brief.Rule(k, text, p.s.app.now())
}

// Plan keeps the user's wish and the promise for it.
func (p *briefPlans) Plan(ctx context.Context, k brief.Kind, rule string) error {
	if rule != "" {
		if _, err := schedule.Next(rule, p.zone(), p.s.app.now()); err != nil {
			return fmt.Errorf("%w: %w", brief.ErrTime, err)
		}
	}
	wish := rule
	if wish == "" {
		wish = "off"
	}
	if err := p.s.memory.Set(ctx, preference(k), wish, "user"); err != nil {
		return fmt.Errorf("keeping when the briefing is given: %w", err)
	}
	return p.keep(ctx, k, rule)
}

// zone is that in which the times are reckoned.
func (p *briefPlans) zone() string {
	if z := p.s.app.settings.User.Zone; z != "" {
		return z
	}
	return "Local"
}

// keep makes the promises of a kind fit its rule.
func (p *briefPlans) keep(ctx context.Context, k brief.Kind, rule string) error {
	waiting, err := p.s.book.Waiting(ctx, schedule.Briefing)
	if err != nil {
		return err
	}
	there := false
	for _, o := range waiting {
		if o.Text != string(k) {
			continue
		}
		if o.Every == rule && !there {
			there = true
			continue
		}
		if _, err := p.s.book.Cancel(ctx, schedule.Briefing, o.ID); err != nil && !errors.Is(err, schedule.ErrUnknown) {
			return err
		}
	}
	if rule == "" || there {
		return nil
	}
	_, err = p.s.book.Add(ctx, schedule.Promise{Kind: schedule.Briefing, Text: string(k), Every: rule})
	return err
}

// serve brings the promises up to what settings and preferences say, and then waits for ctx to end.
func (p *briefPlans) serve(ctx context.Context) error {
	supervise.Ready(ctx)
	for _, k := range brief.Kinds {
		rule, err := p.Planned(ctx, k)
		if err == nil {
			err = p.keep(ctx, k, rule)
		}
		if err != nil && ctx.Err() == nil {
			p.s.app.log.Warn().Err(err).Str("part", "brief").Str("kind", string(k)).Msg("a briefing is not given by itself")
		}
	}
	<-ctx.Done()
	return nil
}
