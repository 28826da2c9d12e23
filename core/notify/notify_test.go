package notify

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/solo-assistant/solo/core/config"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// far is the other side of a webhook, without a net.
type far struct {
	mu     sync.Mutex
	answer []int // status of each try; 0 breaks the line, the last is for all that follow
	after  string
	bodies []string
	keys   []string
	times  []time.Time
}

func (f *far) RoundTrip(r *http.Request) (*http.Response, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	f.bodies, f.keys, f.times = append(f.bodies, string(body)), append(f.keys, r.Header.Get("Idempotency-Key")), append(f.times, time.Now())
	code := f.answer[min(len(f.times), len(f.answer))-1]
	if code == 0 {
		return nil, errors.New("connection refused")
	}
	w := httptest.NewRecorder()
	w.Header().Set("Retry-After", f.after)
	w.WriteHeader(code)
	return w.Result(), nil
}

func TestWebhookTriesUntilItIsTaken(t *testing.T) {
	for name, tt := range map[string]struct {
		answer []int
		after  string
		tries  int
		took   time.Duration
		fails  string
	}{
		"at once":              {[]int{204}, "", 1, 0, ""},
		"after it was down":    {[]int{0, 503, 200}, "", 3, 3 * time.Second, ""},
		"never":                {[]int{500}, "", 5, 15 * time.Second, "it answered 500"},
		"refused":              {[]int{403}, "", 1, 0, "it answered 403"},
		"sent elsewhere":       {[]int{302}, "", 1, 0, "not followed"},
		"asked to wait":        {[]int{429, 200}, "20", 2, 20 * time.Second, ""},
		"asked to wait a year": {[]int{503, 200}, "31536000", 2, time.Minute, ""},
		"nonsense to wait for": {[]int{503, 200}, "soon", 2, time.Second, ""},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := &far{answer: tt.answer, after: tt.after}
				w := &Webhook{URL: config.NewSecret("https://user:pass@hooks.example/x?token=1"), Client: &http.Client{Transport: f}}
				began := time.Now()
				err := w.Send(t.Context(), Notice{Key: "reminder-3-5", Kind: "reminder", ID: 3, Title: "Reminder", Text: "call \"Anna\""})
				if (err == nil) != (tt.fails == "") || err != nil && !strings.Contains(err.Error(), tt.fails) {
					t.Fatalf("error %v, want %q", err, tt.fails)
				}
				if err != nil && strings.Contains(err.Error(), "pass") {
					t.Errorf("the address is told: %v", err)
				}
				if len(f.times) != tt.tries || time.Since(began) != tt.took {
					t.Errorf("%d tries in %v, want %d in %v", len(f.times), time.Since(began), tt.tries, tt.took)
				}
				var got posted
				if err := json.Unmarshal([]byte(f.bodies[0]), &got); err != nil || got.Text != `call "Anna"` || got.ID != 3 || f.keys[0] != "reminder-3-5" {
					t.Errorf("posted %s, key %q, %v", f.bodies[0], f.keys[0], err)
				}
			})
		})
	}
}

func TestWebhookIsWrittenDownFirst(t *testing.T) {
	f := &far{answer: []int{200}}
	no := errors.New("the ledger is full")
	w := &Webhook{URL: config.NewSecret("http://127.0.0.1/x"), Client: &http.Client{Transport: f},
		Record: func(_ context.Context, body json.RawMessage) error {
			if !strings.Contains(string(body), `"text":"tea"`) {
				t.Errorf("to be written down: %s", body)
			}
			return no
		}}
	if err := w.Send(t.Context(), Notice{Text: "tea"}); !errors.Is(err, no) || len(f.bodies) > 0 {
		t.Errorf("sent %d times, %v", len(f.bodies), err)
	}
}

func TestWebhookEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second)
		defer cancel()
		f := &far{answer: []int{500}}
		w := &Webhook{URL: config.NewSecret("http://127.0.0.1/x"), Client: &http.Client{Transport: f}}
		if err := w.Send(ctx, Notice{}); err == nil || len(f.times) != 3 {
			t.Errorf("%d tries, %v", len(f.times), err)
		}
	})
}

func TestAddressesThatAreNone(t *testing.T) {
	for _, bad := range []string{"", "example.org/x", "ftp://example.org", "https://", "://", "file:///etc/passwd", "https://%zz"} {
		w := &Webhook{URL: config.NewSecret(bad)}
		if err := w.Send(t.Context(), Notice{}); !errors.Is(err, ErrAddress) || len(bad) > 8 && strings.Contains(err.Error(), bad) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestShownTextIsOneCleanLine(t *testing.T) {
	for in, want := range map[string]string{
		"call Anna": "call Anna", "a\nb\x1b[31mc\x00": "a b [31mc", "\u202Eright to left": "right to left", "\xff": "\uFFFD", "": "",
		strings.Repeat("é", 300): strings.Repeat("é", 50) + "...",
	} {
		if got := shown(in, 101); got != want {
			t.Errorf("%q is shown as %q", in, got)
		}
	}
}

func FuzzShown(f *testing.F) {
	f.Add("call Anna", 5)
	f.Add("\u202Eé\x00", 2)
	f.Fuzz(func(t *testing.T, text string, most int) {
		if most < 0 || most > 1000 {
			return
		}
		if got := shown(text, most); !utf8.ValidString(got) || len(got) > most+3 || strings.ContainsAny(got, "\n\r\x00\x1b") {
			t.Errorf("%q is shown as %q", text, got)
		}
	})
}
