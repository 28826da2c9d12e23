package rows

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/solo-assistant/solo/core/store/rows/pgtest"
)

// told keeps what a DB says of its server.
type told struct {
	mu   sync.Mutex
	list []error
}

func (l *told) tell(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list = append(l.list, err)
}

// await waits until the n-th thing is told and gives it.
func (l *told) await(t *testing.T, n int) error {
	t.Helper()
	for range 600 {
		l.mu.Lock()
		if len(l.list) >= n {
			err := l.list[n-1]
			l.mu.Unlock()
			return err
		}
		l.mu.Unlock()
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("only %d things were told", len(l.list))
	return nil
}

// A server that is not there at the start is waited for; one that goes and comes is lived with. What was kept stays kept,
// and what could not be kept says so.
func TestAServerGoesAndComes(t *testing.T) {
	if pgtest.Here() {
		t.Skip("skipped: it has a server of its own")
	}
	s := pgtest.NewServer(t)
	c := Config{DSN: DSN(s.Database(t)), Patient: true}
	s.Stop(t)
	if _, err := Open(t.Context(), Config{DSN: c.DSN}); !errors.Is(err, ErrDown) {
		t.Fatalf("an impatient one: %v", err)
	}
	said := new(told)
	c.OnState = said.tell
	db := must(Open(t.Context(), c))(t)
	defer db.Close()
	o := db.Of(must(db.User(t.Context(), "owner"))(t))
	if err := said.await(t, 1); !errors.Is(err, ErrDown) {
		t.Errorf("told %v", err)
	}
	began := time.Now()
	if _, err := o.PutFacts(t.Context(), Fact{Text: "lost?"}); !errors.Is(err, ErrDown) {
		t.Errorf("keeping without a server: %v", err)
	}
	if _, err := o.Facts(t.Context()); !errors.Is(err, ErrDown) {
		t.Errorf("reading without a server: %v", err)
	}
	if took := time.Since(began); took > 2*time.Second {
		t.Errorf("it took %v to say so", took)
	}
	s.Start(t)
	if err := said.await(t, 2); err != nil {
		t.Errorf("told %v", err)
	}
	keep(t, o, "first") // the tables and the user are there
	if again := must(db.User(t.Context(), "owner"))(t); again != UserID(o.user) {
		t.Errorf("the user is %d and was %d", again, o.user)
	}

	// It is started again while things are kept: what was said to be kept is there.
	var kept []string
	var mu sync.Mutex
	ctx, cancel := context.WithCancel(t.Context())
	var writing sync.WaitGroup
	for w := range 3 {
		writing.Go(func() {
			for i := 0; ctx.Err() == nil; i++ {
				text := string(rune('a'+w)) + time.Now().String()
				if _, err := o.PutFacts(ctx, Fact{Text: text}); err == nil {
					mu.Lock()
					kept = append(kept, text)
					mu.Unlock()
				}
				time.Sleep(2 * time.Millisecond)
			}
		})
	}
	time.Sleep(300 * time.Millisecond)
	s.Stop(t)
	s.Start(t)
	time.Sleep(1500 * time.Millisecond)
	cancel()
	writing.Wait()
	if len(kept) < 20 {
		t.Errorf("only %d were kept", len(kept))
	}
	have := texts(t, o)
	for _, text := range kept {
		if !slices.Contains(have, text) {
			t.Errorf("%q is lost", text)
		}
	}
	if last := keep(t, o, "last"); last.ID <= int64(len(kept)) {
		t.Errorf("the last ID is %d after %d", last.ID, len(kept))
	}
}

// What is wrong with a DSN or a server is said in words, without the password.
func TestAWrongServerIsSaid(t *testing.T) {
	if pgtest.Here() {
		t.Skip("skipped: it names its servers itself")
	}
	s := pgtest.Shared(t)
	for name, tt := range map[string]struct {
		dsn  string
		want error
	}{
		"no DSN":         {"postgres://u:hunter2@host:port/x", nil},
		"words":          {"=== hunter2", nil},
		"nobody there":   {"postgres://u:hunter2@127.0.0.1:9/x?sslmode=disable", ErrDown},
		"no such host":   {"postgres://u:hunter2@no-such-host.invalid/x", ErrDown},
		"no database":    {s.DSN("hunter3"), ErrRefused},
		"no such user":   {"host=" + s.Host() + " user=nobody dbname=postgres password=hunter2", ErrRefused},
		"may not create": {"host=" + s.Host() + " user=solo dbname=postgres options='-c default_transaction_read_only=on'", ErrRights},
	} {
		t.Run(name, func(t *testing.T) {
			db, err := Open(t.Context(), Config{DSN: DSN(tt.dsn)})
			if err == nil {
				_ = db.Close()
				t.Fatal("opened")
			}
			if tt.want != nil && !errors.Is(err, tt.want) {
				t.Errorf("said %v", err)
			}
			if strings.Contains(err.Error(), "hunter2") || strings.Contains(fmt.Sprintf("%+v %#v", Config{DSN: DSN(tt.dsn)}, DSN(tt.dsn)), "hunter2") {
				t.Errorf("the password is told: %v", err)
			}
			t.Log(err)
		})
	}
}
