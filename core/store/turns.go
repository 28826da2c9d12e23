package store

import (
	"context"
	"math"
	"strings"
	"time"

	"github.com/solo-assistant/solo/core/event"
	"github.com/solo-assistant/solo/core/store/rows"
)

// maxSaid is how much of what was said in a turn is kept, in bytes.
const maxSaid = 64 << 10

// Turn is one turn of the history.
type Turn struct {
	ID    int64
	At    time.Time // when it ended
	Reply string    // what Solo meant to say; Spoken is what was heard of it
	event.Turned
}

// Turns is the history of what was said.
type Turns struct{ own *rows.Own }

// Turns lends the rows to the history.
func (s *Store) Turns() Turns { return Turns{s.own} }

// Keep stores a turn and gives it back with its ID. Very long texts are cut at 64 KiB.
func (r Turns) Keep(ctx context.Context, t Turn) (Turn, error) {
	row, err := r.own.AddTurn(ctx, rows.Turn{At: rows.Millis(t.At), Heard: cut(t.Heard), Reply: cut(t.Reply), Spoken: cut(t.Spoken),
		Outcome: t.Outcome, EndpointUs: t.Endpoint.Microseconds(), SttUs: t.STT.Microseconds(),
		ThinkUs: t.Think.Microseconds(), FirstAudioUs: t.FirstAudio.Microseconds()})
	return turn(row), err
}

// Last gives the last n turns, the newest first.
func (r Turns) Last(ctx context.Context, n int) ([]Turn, error) {
	return r.Before(ctx, math.MaxInt64, n)
}

// Before gives the last n turns before the one of an ID, the newest first.
func (r Turns) Before(ctx context.Context, id int64, n int) ([]Turn, error) {
	list, err := r.own.Turns(ctx, int32(min(max(n, 0), 10000)), id)
	var out []Turn
	for _, row := range list {
		out = append(out, turn(row))
	}
	return out, err
}

func turn(row rows.Turn) Turn {
	return Turn{ID: row.ID, At: rows.Time(row.At), Reply: row.Reply, Turned: event.Turned{Outcome: row.Outcome, Heard: row.Heard, Spoken: row.Spoken,
		Endpoint: us(row.EndpointUs), STT: us(row.SttUs), Think: us(row.ThinkUs), FirstAudio: us(row.FirstAudioUs)}}
}

func us(n int64) time.Duration { return time.Duration(n) * time.Microsecond }

func cut(text string) string {
	if len(text) <= maxSaid {
		return text
	}
	return strings.ToValidUTF8(text[:maxSaid], "")
}
