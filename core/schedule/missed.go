package schedule

import "time"

// Policy is what becomes of a promise that was due while Solo was off, or while the machine slept.
type Policy string

const (
	Once Policy = "once" // it is told once, with how late it is; of a recurrence the last time alone. "" means the same
	Skip Policy = "skip" // it is not told
	All  Policy = "all"  // each time of a recurrence is told, the last 24 of them at most
)

const (
	grace   = time.Minute // what is not later was not missed
	backlog = 24          // missed times of one recurrence that are told
)

// policy is the user's wish for a kind.
func (c Config) policy(k Kind) Policy {
	return map[Kind]Policy{Timer: c.MissedTimer, Alarm: c.MissedAlarm, Reminder: c.MissedReminder,
		Briefing: c.MissedBriefing, Routine: c.MissedRoutine}[k]
}

// reckon settles which of its times a promise that is due shall be told for; ok is false for none.
func (b *Book) reckon(p Promise, now time.Time) (at Promise, ok bool) {
	switch b.c.policy(p.Kind) {
	case All:
		return p.backlog(now), true
	case Skip:
		p = p.latest(now)
		return p, b.lateness(p, now) <= grace
	}
	return p.latest(now), true
}

// lateness is how much later than promised it is; what quiet hours have held back is reckoned from their end.
func (b *Book) lateness(p Promise, now time.Time) time.Duration { return now.Sub(b.opens(p)) }

// opens is when a promise may be told: at its time, and a briefing not in quiet hours.
func (b *Book) opens(p Promise) time.Time {
	if p.Kind == Briefing {
		return b.hours.Over(p.At.In(b.c.Now().Location()))
	}
	return p.At
}

// spans are how far back missed times are looked for.
var spans = []time.Duration{time.Hour, 25 * time.Hour, 8 * 24 * time.Hour, 32 * 24 * time.Hour, 367 * 24 * time.Hour}

// backlog moves a recurring promise that is long overdue on, so that no more of its times than that are due.
func (p Promise) backlog(now time.Time) Promise {
	best := p.latest(now)
	for _, span := range spans {
		from := now.Add(-span)
		if !from.After(p.At) {
			from = p.At.Add(-time.Nanosecond)
		}
		first, n := time.Time{}, 0
		at, err := following(p.Every, p.Zone, p.From, from)
		for ; err == nil && !at.After(now) && n <= backlog; n++ {
			if n == 0 {
				first = at
			}
			at, err = following(p.Every, p.Zone, p.From, at)
		}
		if n > backlog || p.Every == "" {
			break
		}
		if n > 0 {
			best.At = first
		}
		if from.Before(p.At) {
			break
		}
	}
	return best
}
