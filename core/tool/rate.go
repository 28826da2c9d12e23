package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/solo-assistant/solo/models"
)

// Rates bound how often a model may call tools. The user's own words are not counted: nobody speaks that fast. 0 is no
// limit. The calls of a minute may come at once; then they come back one by one.
type Rates struct {
	Reads     int      `toml:"reads" default:"120" min:"0" max:"100000" doc:"calls a minute by a model that change nothing; 0 is no limit"`
	Writes    int      `toml:"writes" default:"60" min:"0" max:"100000" doc:"the same for calls that change what Solo keeps"`
	Outwards  int      `toml:"outwards" default:"10" min:"0" max:"100000" doc:"the same for calls that tell someone outside"`
	Dangerous int      `toml:"dangerous" default:"5" min:"0" max:"100000" doc:"the same for calls that cannot be taken back"`
	Each      []string `toml:"rates" doc:"calls a minute of single tools, such as web.search=10"`
}

// ErrOften says that a model called too often.
var ErrOften = errors.New("called too often")

// each reads the limits of single tools.
func (r Rates) each() (map[string]int, error) {
	out := map[string]int{}
	for _, one := range r.Each {
		name, per, ok := strings.Cut(strings.TrimSpace(one), "=")
		n, err := strconv.Atoi(strings.TrimSpace(per))
		if !ok || name == "" || err != nil || n < 1 {
			return nil, fmt.Errorf("rate %q: want a tool and its calls a minute, such as web.search=10", one)
		}
		out[strings.TrimSpace(name)] = n
	}
	return out, nil
}

func (r Rates) class(c models.Class) int {
	switch c {
	case models.Read:
		return r.Reads
	case models.Write:
		return r.Writes
	case models.Outward:
		return r.Outwards
	}
	return r.Dangerous
}

// bucket holds the calls that may be made; it fills again within a minute.
type bucket struct {
	mu    sync.Mutex
	most  float64
	left  float64
	since time.Time
}

// bucketOf makes a full bucket of n calls; nil has no end.
func bucketOf(n int) *bucket {
	if n <= 0 {
		return nil
	}
	return &bucket{most: float64(n), left: float64(n)}
}

func (b *bucket) take(now time.Time) bool {
	if b == nil {
		return true
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.since.IsZero() {
		b.left = min(b.most, b.left+b.most*now.Sub(b.since).Minutes())
	}
	b.since = now
	const whole = 1 - 1e-9 // a whole call, as floats count
	if b.left < whole {
		return false
	}
	b.left--
	return true
}

// rated counts the calls of models; a call that is over the limit is not made.
func rated(t Tool, buckets ...*bucket) Tool { return rate{t, buckets} }

type rate struct {
	Tool
	buckets []*bucket
}

func (r rate) unwrap() Tool { return r.Tool }

func (r rate) Run(ctx context.Context, args json.RawMessage) (models.Result, error) {
	if models.OriginOf(ctx).Model {
		now := time.Now()
		for _, b := range r.buckets {
			if !b.take(now) {
				return models.Result{}, fmt.Errorf("%w: %w", ErrOften, &Denial{"I've done that too often just now. Please try again in a minute."})
			}
		}
	}
	return r.Tool.Run(ctx, args)
}
