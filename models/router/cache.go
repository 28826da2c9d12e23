package router

import (
	"container/list"
	"encoding/json"
	"sync"
	"time"

	"github.com/solo-assistant/solo/models"
)

const (
	cacheBytes  = 2 << 20   // of all answers kept
	answerBytes = 128 << 10 // of one: longer ones are not kept
	cacheAge    = 10 * time.Minute
)

// cache keeps answers of deterministic requests, the latest used longest. An old one goes: an engine may choose
// another model meanwhile.
type cache struct {
	now func() time.Time

	mu    sync.Mutex
	most  int
	bytes int
	order *list.List // of *kept, latest used first
	byKey map[string]*list.Element
}

// kept is a whole answer.
type kept struct {
	key   string
	texts []string
	usage models.Usage
	at    time.Time
	bytes int
}

func newCache(most int, now func() time.Time) *cache {
	return &cache{now: now, most: most, order: list.New(), byKey: map[string]*list.Element{}}
}

// keyOf names a request to a route, "" for one whose answer is not kept. Calls of tools are not: they are asked for
// to be made now.
func (c *cache) keyOf(to route, q models.Request) string {
	if c.most <= 0 || q.Temperature != 0 || len(q.Tools) > 0 || ahead(q) || to.cloud() {
		return ""
	}
	digest := models.Digest(q.Messages)
	key, err := json.Marshal([]any{to.String(), digest, string(q.Schema), q.MaxTokens, q.Stop})
	if err != nil || digest == "" {
		return ""
	}
	return string(key)
}

func (c *cache) get(key string) (*kept, bool) {
	if key == "" {
		return nil, false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.byKey[key]
	if e == nil {
		return nil, false
	}
	k := e.Value.(*kept)
	if c.now().Sub(k.at) >= cacheAge {
		c.drop(e)
		return nil, false
	}
	c.order.MoveToFront(e)
	return k, true
}

func (c *cache) put(k *kept) {
	k.at = c.now()
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.byKey[k.key]; e != nil {
		c.drop(e)
	}
	c.byKey[k.key] = c.order.PushFront(k)
	c.bytes += k.bytes
	for c.order.Len() > c.most || c.bytes > cacheBytes {
		c.drop(c.order.Back())
	}
}

func (c *cache) drop(e *list.Element) {
	k := c.order.Remove(e).(*kept)
	delete(c.byKey, k.key)
	c.bytes -= k.bytes
}

// taper writes an answer down while it is read.
type taper struct {
	kept
	off bool
}

func (t *taper) add(d models.Delta) {
	if t.off = t.off || d.Call != nil || t.key == ""; t.off || d.Text == "" {
		return
	}
	const header = 16 // of a string
	t.texts = append(t.texts, d.Text)
	if t.bytes += len(d.Text) + header; t.bytes > answerBytes {
		t.off, t.texts = true, nil
	}
}
