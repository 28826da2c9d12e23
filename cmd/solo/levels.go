package main

import (
	"context"
	"math"
	"sync"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/audio/checkup"
	"github.com/solo-assistant/solo/audio/echo"
	"github.com/solo-assistant/solo/bus"
	"github.com/solo-assistant/solo/core/channel/web"
	"github.com/solo-assistant/solo/core/event"
)

// levels know the sound devices in use and how loud the microphone is.
type levels struct {
	mu    sync.Mutex
	pub   bus.Pub[event.Level]
	on    bool // pub is there
	seen  web.Audio
	watch *checkup.Watch  // of the microphone, nil where there is none
	echo  *echo.Canceller // nil where there is none; set before anything is played
}

// join tells the bus of every level from now on.
func (m *levels) join(b *bus.Bus) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.pub, m.on = bus.Publisher[event.Level](b, "microphone"), true
}

func (m *levels) level(dbfs float64) {
	m.mu.Lock()
	m.seen.Level = math.Round(10*dbfs) / 10
	pub, on := m.pub, m.on
	m.mu.Unlock()
	if on {
		_ = pub.Publish(context.Background(), event.Level{DBFS: dbfs}) // nobody waits for it, so it cannot fail
	}
}

func (m *levels) input(name string)  { m.mu.Lock(); m.seen.Input = name; m.mu.Unlock() }
func (m *levels) output(name string) { m.mu.Lock(); m.seen.Output = name; m.mu.Unlock() }

// audio is what is heard and spoken with; nil levels have no devices.
func (m *levels) audio() web.Audio {
	if m == nil {
		return web.Audio{Level: audio.Silence}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	seen := m.seen
	if m.echo != nil {
		seen.Echo = m.echo.State().String()
	}
	return seen
}
