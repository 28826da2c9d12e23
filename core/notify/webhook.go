package notify

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/solo-assistant/solo/core/config"
)

// Webhook posts notices as JSON to an address of the user's.
type Webhook struct {
	// URL is where to, http or https. It may hold a password, so no error and no log tells it.
	URL config.Secret
	// Record writes down what is about to leave the machine; nothing leaves where it fails. nil for nobody.
	Record func(ctx context.Context, body json.RawMessage) error
	// Client sends; nil is one of its own. It does not follow to other addresses.
	Client *http.Client
}

// What a webhook is worth: tries with 1, 2, 4 and 8 s between them, of 10 s each.
const (
	tries      = 5
	firstPause = time.Second
	tryLimit   = 10 * time.Second
	maxPause   = time.Minute // however long the other side wants Solo to wait
)

// ErrAddress says that the webhook's address cannot be used.
var ErrAddress = errors.New("the webhook is no address like https://example.org/hook")

// Check tells what is wrong with the address, without telling it.
func (w *Webhook) Check() error {
	u, err := url.Parse(w.URL.Reveal())
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return ErrAddress
	}
	return nil
}

// Name is "webhook".
func (*Webhook) Name() string { return "webhook" }

// posted is the body of a post.
type posted struct {
	Event string    `json:"event"` // "promise"
	Kind  string    `json:"kind"`
	ID    int64     `json:"id"`
	Title string    `json:"title"`
	Text  string    `json:"text"`
	At    time.Time `json:"at"`
	Late  int64     `json:"late_ms"`
}

// Send posts a notice until it is taken with a 2xx. What the other side refuses is not tried again; where it is out of
// reach, too busy or broken, it is, with growing pauses.
func (w *Webhook) Send(ctx context.Context, n Notice) error {
	if err := w.Check(); err != nil {
		return err
	}
	body, err := json.Marshal(posted{"promise", n.Kind, n.ID, n.Title, n.Text, n.At, n.Late.Milliseconds()})
	if err != nil {
		return fmt.Errorf("writing the webhook's message: %w", err)
	}
	if w.Record != nil {
		if err := w.Record(ctx, body); err != nil {
			return fmt.Errorf("it was not sent to the webhook: %w", err)
		}
	}
	for try := 1; ; try++ {
		wait, err := w.post(ctx, body, n.Key)
		if err == nil {
			return nil
		}
		if wait < 0 || try == tries || ctx.Err() != nil {
			return fmt.Errorf("the webhook did not take it: %w", err)
		}
		select {
		case <-time.After(max(wait, firstPause<<(try-1))):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// post tries once. Wait is how long the other side wants Solo to wait, less than 0 where to try again is no use.
func (w *Webhook) post(ctx context.Context, body []byte, key string) (wait time.Duration, err error) {
	ctx, cancel := context.WithTimeout(ctx, tryLimit)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, w.URL.Reveal(), bytes.NewReader(body))
	if err != nil {
		return -1, ErrAddress
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "Solo")
	r.Header.Set("Idempotency-Key", key)
	res, err := w.client().Do(r)
	if err != nil {
		return 0, hidden(err)
	}
	defer res.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(res.Body, 64<<10)) // so that the connection can be used again
	switch c := res.StatusCode; {
	case c >= 200 && c < 300:
		return 0, nil
	case c == http.StatusTooManyRequests, c == http.StatusRequestTimeout, c >= 500:
		return asked(res.Header.Get("Retry-After")), fmt.Errorf("it answered %d", c)
	case c >= 300 && c < 400:
		return -1, fmt.Errorf("it answered %d: it sends Solo to another address, which is not followed", c)
	default:
		return -1, fmt.Errorf("it answered %d", c)
	}
}

func (w *Webhook) client() *http.Client {
	var c http.Client
	if w.Client != nil {
		c = *w.Client
	}
	c.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &c
}

// hidden takes the address out of an error of the http package.
func hidden(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}

// asked reads Retry-After, in seconds.
func asked(after string) time.Duration {
	n, err := strconv.Atoi(after)
	if err != nil || n < 0 {
		return 0
	}
	return min(time.Duration(n)*time.Second, maxPause)
}
