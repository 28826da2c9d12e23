package local_test

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/solo-assistant/solo/core/channel/local"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// open runs a door in a home of its own until the test ends.
func open(t *testing.T, verbs map[string]local.Verb) (home string) {
	t.Helper()
	home = t.TempDir()
	claim, err := local.Take(home)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- (&local.Door{Claim: claim, Verbs: verbs}).Serve(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		if err := claim.Release(); err != nil {
			t.Error(err)
		}
	})
	for !exists(filepath.Join(home, "run", "solo.json")) {
		select {
		case err := <-done:
			t.Fatal(err)
		default:
		}
	}
	return home
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func TestASecondInstanceIsToldOfTheFirst(t *testing.T) {
	home := open(t, nil)
	_, err := local.Take(home)
	var taken *local.TakenError
	if !errors.As(err, &taken) || taken.PID != os.Getpid() || !strings.Contains(err.Error(), home) {
		t.Fatalf("got %v", err)
	}
}

func TestACallIsAnsweredPieceByPiece(t *testing.T) {
	home := open(t, map[string]local.Verb{
		"count": func(_ context.Context, args json.RawMessage, tell func(any) error) error {
			var upTo int
			if err := json.Unmarshal(args, &upTo); err != nil {
				return err
			}
			for i := range upTo {
				if err := tell(i); err != nil {
					return err
				}
			}
			return nil
		},
		"fail": func(context.Context, json.RawMessage, func(any) error) error { return errors.New("no milk") },
	})
	var got []string
	err := local.Call(t.Context(), home, "count", 3, func(v json.RawMessage) error { got = append(got, string(v)); return nil })
	if err != nil || strings.Join(got, " ") != "0 1 2" {
		t.Fatalf("got %v, %v", got, err)
	}
	for verb, want := range map[string]string{"fail": "no milk", "dance": "does not know"} {
		if err := local.Call(t.Context(), home, verb, nil, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v", verb, err)
		}
	}
}

func TestNobodyIsAtHome(t *testing.T) {
	if err := local.Call(t.Context(), t.TempDir(), "x", nil, nil); !errors.Is(err, local.ErrNobody) {
		t.Fatalf("got %v", err)
	}
}

func TestAVisitorWithoutTheTokenIsTurnedAway(t *testing.T) {
	ran := false
	home := open(t, map[string]local.Verb{"open": func(context.Context, json.RawMessage, func(any) error) error { ran = true; return nil }})
	text, err := os.ReadFile(filepath.Join(home, "run", "solo.json"))
	if err != nil {
		t.Fatal(err)
	}
	var card local.Card
	if err := json.Unmarshal(text, &card); err != nil {
		t.Fatal(err)
	}
	for _, said := range []string{`{"verb":"open"}`, `{"token":"` + card.Token[1:] + `","verb":"open"}`, "GET / HTTP/1.1"} {
		conn, err := net.Dial("tcp", card.Addr)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = conn.Write([]byte(said + "\n\n"))
		answer := make([]byte, 200)
		n, _ := conn.Read(answer)
		if strings.Contains(said, "verb") && !strings.Contains(string(answer[:n]), "token is wrong") {
			t.Errorf("%s: got %q", said, answer[:n])
		}
		_ = conn.Close()
	}
	if ran {
		t.Fatal("a verb was run for a stranger")
	}
}

func TestTheCardIsPrivate(t *testing.T) {
	home := open(t, nil)
	info, err := os.Stat(filepath.Join(home, "run", "solo.json"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("mode %v, %v", info.Mode(), err)
	}
}

// A caller who gives up must not leave its work running.
func TestACallerWhoLeavesEndsTheVerb(t *testing.T) {
	begun, ended := make(chan struct{}), make(chan struct{})
	home := open(t, map[string]local.Verb{"wait": func(ctx context.Context, _ json.RawMessage, _ func(any) error) error {
		close(begun)
		<-ctx.Done()
		close(ended)
		return ctx.Err()
	}})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- local.Call(ctx, home, "wait", nil, nil) }()
	<-begun
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	<-ended
}
