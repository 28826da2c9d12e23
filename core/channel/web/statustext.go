package web

import (
	"encoding/json"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"
)

// statusText is the last text of GET /status. Those who ask faster than anything changes share one.
type statusText struct {
	mu   sync.Mutex
	at   time.Time
	text []byte
}

// statusLasts is for how long a text is shared.
const statusLasts = 10 * time.Millisecond

// get gives the text that is shared, or a new one that write makes. Nobody may change it.
func (t *statusText) get(write func() ([]byte, error)) ([]byte, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.text != nil && time.Since(t.at) < statusLasts {
		return t.text, nil
	}
	text, err := write()
	if err != nil {
		return nil, err
	}
	t.text, t.at = text, time.Now()
	return text, nil
}

func (d *Door) tellStatus(c *fiber.Ctx) error {
	text, err := d.told.get(func() ([]byte, error) {
		s, err := d.status()
		if err != nil {
			return nil, err
		}
		return json.Marshal(s)
	})
	if err != nil {
		return err
	}
	c.Set(fiber.HeaderContentType, fiber.MIMEApplicationJSON)
	c.Response().SetBodyRaw(text)
	return nil
}
