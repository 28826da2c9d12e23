package store_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/solo-assistant/solo/core/event"
	"github.com/solo-assistant/solo/core/schedule"
	"github.com/solo-assistant/solo/core/store"
	"github.com/solo-assistant/solo/core/store/rows"
)

func TestMain(m *testing.M) {
	if text := os.Getenv("SOLO_PROMISES_CHILD"); text != "" {
		if err := keepPromises(text); err != nil {
			fmt.Println("error", err)
			os.Exit(1)
		}
		return
	}
	goleak.VerifyTestMain(m)
}

// childConfig is what a child of the proof is told.
type childConfig struct {
	Path, DSN, Clock string
}

func (c childConfig) rows() rows.Config { return rows.Config{Path: c.Path, DSN: rows.DSN(c.DSN)} }

// clockOf reads the wall clock of the proof: the machine's, moved by what a file says.
func clockOf(file string) func() time.Time {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		panic(err) // the zones are built in
	}
	var last time.Duration
	return func() time.Time {
		text, err := os.ReadFile(file)
		if n, bad := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil && bad == nil {
			last = time.Duration(n)
		}
		return time.Now().Round(0).Add(last).In(berlin)
	}
}

// childLine is what a child says: that it serves, that it says something aloud, or that the receipt of that is kept.
type childLine struct {
	What string // "ready", "say", "receipt"
	ID   int64
	At   time.Time
	How  event.Telling
	Now  time.Time
}

func (l childLine) print() {
	text, _ := json.Marshal(l) // times and texts
	_, _ = os.Stdout.Write(append(text, '\n'))
}

// keepPromises serves a book until it is killed. It says what is due as a conductor would: notes that it begins, sounds
// for a moment, and notes that it was said.
func keepPromises(text string) error {
	var c childConfig
	if err := json.Unmarshal([]byte(text), &c); err != nil {
		return err
	}
	ctx := context.Background()
	db, err := rows.Open(ctx, c.rows())
	if err != nil {
		return err
	}
	user, err := db.User(ctx, "owner")
	if err != nil {
		return err
	}
	now := clockOf(c.Clock)
	due := make(chan event.Due, 2000)
	book := schedule.New(schedule.Config{Rows: store.New(db, user).Schedule(), Now: now, Confirmed: true, RingFor: time.Second,
		Due: func(_ context.Context, e event.Due) error { due <- e; return nil }})
	go func() {
		for e := range due {
			es := []event.Due{e}
			for len(due) > 0 && len(es) < 5 {
				es = append(es, <-due)
			}
			if err := announceOnce(ctx, book, es, now); err != nil {
				fmt.Println("error", err)
			}
		}
	}()
	childLine{What: "ready", Now: now()}.print()
	return book.Serve(ctx)
}

func announceOnce(ctx context.Context, book *schedule.Book, es []event.Due, now func() time.Time) error {
	es = slices.DeleteFunc(es, func(e event.Due) bool { return e.How == event.On }) // it only chimes on
	if err := book.Telling(ctx, es...); err != nil {
		return err
	}
	for _, e := range es {
		childLine{"say", e.ID, e.At, e.How, now()}.print()
	}
	time.Sleep(time.Duration(rand.IntN(50)) * time.Millisecond) // the sound
	if err := book.Told(ctx, schedule.Spoken, "voice", es...); err != nil {
		return err
	}
	for _, e := range es {
		childLine{"receipt", e.ID, e.At, e.How, now()}.print()
		if e.ID%3 == 0 { // answered; the others ring out
			if _, err := book.Finish(ctx, schedule.Kind(e.Kind), e.ID); err != nil {
				return err
			}
		}
	}
	return nil
}
