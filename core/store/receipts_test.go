package store_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/solo-assistant/solo/core/schedule"
	"github.com/solo-assistant/solo/core/store/rows"
	"github.com/solo-assistant/solo/core/store/rows/rowstest"
)

func TestPromisesAndReceiptsOnBothEngines(t *testing.T) {
	rowstest.Each(t, func(t *testing.T, c rows.Config) {
		db, ctx := rowstest.Open(t, c), t.Context()
		mine, other := lend(t, db, "owner").Schedule(), lend(t, db, "guest").Schedule()
		at := time.Date(2026, 10, 25, 0, 30, 0, 123_000_000, time.UTC)
		ids := map[int64]bool{}
		for i, k := range schedule.Kinds {
			p := schedule.Promise{Kind: k, Text: "x", At: at.Add(time.Duration(-i) * time.Minute), Length: 90 * time.Second, Every: "FREQ=DAILY", Zone: "Europe/Berlin", From: at,
				State: schedule.Waiting, Created: at}
			kept := must[schedule.Promise](t)(mine.Insert(ctx, p))
			if k != schedule.Timer && k != schedule.Alarm {
				p.Length = 0 // the others have none
			}
			p.ID = kept.ID
			found := must[schedule.Promise](t)(mine.Get(ctx, k, kept.ID))
			if ids[kept.ID] || !found.At.Equal(p.At) || !found.From.Equal(p.From) || found.Kind != k || found.Length != p.Length || found.Every != p.Every || found.State != p.State {
				t.Errorf("kept %+v, found %+v", p, found)
			}
			if _, err := other.Get(ctx, k, kept.ID); !errors.Is(err, schedule.ErrUnknown) {
				t.Errorf("another user found it: %v", err)
			}
			ids[kept.ID] = true
		}
		all := must[[]schedule.Promise](t)(mine.In(ctx, schedule.Waiting))
		if len(all) != len(schedule.Kinds) || all[0].Kind != schedule.Routine || all[4].Kind != schedule.Timer {
			t.Errorf("waiting are %+v", all)
		}
		p := all[0]
		p.State = schedule.Done
		rs := []schedule.Receipt{
			{Kind: p.Kind, Promise: p.ID, At: p.At, Step: schedule.Begun, Made: at},
			{Kind: p.Kind, Promise: p.ID, At: p.At, Step: schedule.Failed, Channel: "webhook", Made: at.Add(time.Second), Late: time.Second, Again: true, Note: strings.Repeat("é", 400) + "\x00"},
			{Kind: p.Kind, Promise: p.ID, At: p.At.Add(time.Hour), Step: schedule.Spoken, Made: at},
		}
		if err := mine.Put(ctx, schedule.Change{Promises: []schedule.Promise{p}, Receipts: rs}); err != nil {
			t.Fatal(err)
		}
		kept := must[[]schedule.Receipt](t)(mine.Receipts(ctx, p.Kind, p.ID, p.At))
		if len(kept) != 2 || kept[0].Step != schedule.Begun || kept[1].Late != time.Second || !kept[1].Again || len(kept[1].Note) != 500 || kept[1].Channel != "webhook" {
			t.Errorf("receipts %+v", kept)
		}
		history := must[[]schedule.Receipt](t)(mine.History(ctx, 2, 1<<62))
		if len(history) != 2 || history[0].Step != schedule.Spoken || history[0].ID <= history[1].ID {
			t.Errorf("history %+v", history)
		}
		if older := must[[]schedule.Receipt](t)(mine.History(ctx, 9, history[1].ID)); len(older) != 1 || older[0].Step != schedule.Begun {
			t.Errorf("before those: %+v", older)
		}
		if theirs := must[[]schedule.Receipt](t)(other.History(ctx, 9, 1<<62)); len(theirs) != 0 {
			t.Errorf("another user has %+v", theirs)
		}
	})
}

// A change is stored whole or not at all.
func TestABrokenChangeLeavesNoTrace(t *testing.T) {
	rowstest.Each(t, func(t *testing.T, c rows.Config) {
		db, ctx := rowstest.Open(t, c), t.Context()
		r := lend(t, db, "owner").Schedule()
		p := must[schedule.Promise](t)(r.Insert(ctx, schedule.Promise{Kind: schedule.Reminder, At: time.Now(), Zone: "UTC", State: schedule.Waiting}))
		bad := p
		p.State, bad.State = schedule.Done, "asleep" // which the table refuses
		if err := r.Put(ctx, schedule.Change{Promises: []schedule.Promise{p, bad}, Receipts: []schedule.Receipt{{Promise: p.ID}}}); err == nil {
			t.Fatal("stored")
		}
		if now := must[schedule.Promise](t)(r.Get(ctx, p.Kind, p.ID)); now.State != schedule.Waiting {
			t.Errorf("half of it was stored: %+v", now)
		}
		if list := must[[]schedule.Receipt](t)(r.History(ctx, 9, 1<<62)); len(list) != 0 {
			t.Errorf("its receipts were stored: %+v", list)
		}
	})
}
