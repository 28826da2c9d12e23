package machine

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/solo-assistant/solo/core/tool/tooltest"
	"github.com/solo-assistant/solo/models"
	"github.com/solo-assistant/solo/models/gpu"
)

// told is a machine that tells what a test sets, and of the rest nothing.
type told struct {
	p *processor
	m *memory
	d []disk
	b *battery
	u time.Duration
	n []address
}

func give[T any](v *T) (T, error) {
	if v == nil {
		var none T
		return none, errUnknown
	}
	return *v, nil
}

func (s told) cpu(context.Context) (processor, error) { return give(s.p) }
func (s told) memory() (memory, error)                { return give(s.m) }
func (s told) disks() ([]disk, error)                 { return s.d, nil }
func (s told) battery() (battery, error)              { return give(s.b) }
func (s told) network() ([]address, error)            { return s.n, nil }
func (s told) uptime() (time.Duration, error) {
	if s.u == 0 {
		return 0, errUnknown
	}
	return s.u, nil
}

type graphics []gpu.Card

func (g graphics) Cards(context.Context) ([]gpu.Card, error) {
	if g == nil {
		return nil, gpu.ErrNone
	}
	return g, nil
}

func TestTalks(t *testing.T) {
	full := told{
		p: &processor{Name: "AMD Ryzen 7", Cores: 16, Busy: 34.6}, m: &memory{32 << 30, 12<<30 + 300<<20}, d: []disk{{"/", 500 << 30, 120 << 30}, {"/data", 4 << 40, 800 << 30}},
		b: &battery{80, "charging"}, u: 76*time.Hour + 40*time.Minute, n: []address{{"eth0", []string{"192.168.1.5", "fe80::1"}}, {"wlan0", []string{"10.0.0.2"}}},
	}
	card := gpu.Card{Name: "NVIDIA GeForce RTX 4090", MemTotal: 24 << 30, MemFree: 20<<30 + 900<<20, Util: 20, Temp: 55}
	for name, tt := range map[string]struct {
		m      machine
		script string
	}{
		"a full one": {machine{Config{graphics{card}}, full}, `
machine.info {"about":"cpu"}
  The processor is an AMD Ryzen 7 with 16 cores, 35 percent busy.
machine.info {"about":"RAM"}
  12 of 32 gigabytes of memory are free.
machine.info {"about":"disk space"}
  120 of 500 gigabytes on the main disk and 800 gigabytes of 4 terabytes on /data are free.
machine.info {"about":"battery"}
  The battery is at 80 percent and charging.
machine.info {"about":"graphics card"}
  The NVIDIA GeForce RTX 4090 has 21 of 24 gigabytes free, is 20 percent busy and is 55 degrees warm.
machine.info {"about":"uptime"}
  This machine has been on for 3 days and 4 hours.
machine.info {"about":"ip address"}
  This machine's address is 192.168.1.5 on eth0 and 10.0.0.2 on wlan0.
machine.info {"about":"weather"}
  I can tell you about cpu, memory, disk, gpu, battery, uptime or network.
machine.info
  The processor is an AMD Ryzen 7 with 16 cores, 35 percent busy. 12 of 32 gigabytes of memory are free. 120 of 500 gigabytes on the main disk and 800 gigabytes of 4 terabytes on /data are free. The NVIDIA GeForce RTX 4090 has 21 of 24 gigabytes free, is 20 percent busy and is 55 degrees warm. The battery is at 80 percent and charging. This machine has been on for 3 days and 4 hours. This machine's address is 192.168.1.5 on eth0 and 10.0.0.2 on wlan0.`},
		"a small one": {machine{Config{}, told{p: &processor{Cores: 1, Busy: -1}, m: &memory{900 << 20, -1}, d: []disk{{"/", 1500 << 20, 0}}, b: &battery{100, "full"}, u: 10 * time.Second}}, `
machine.info {"about":"processor"}
  The processor has 1 core.
machine.info {"about":"memory"}
  This machine has 900 megabytes of memory; how much is free I can't tell.
machine.info {"about":"disk"}
  0 of 1.5 gigabytes on the main disk are free.
machine.info {"about":"battery"}
  The battery is full.
machine.info {"about":"uptime"}
  This machine was started less than a minute ago.
machine.info {"about":"gpu"}
  I can't find an NVIDIA graphics card; others I can't read.
machine.info {"about":"network"}
  This machine has no network.`},
		"a silent one": {machine{Config{graphics{{Util: -1, Temp: -1}}}, told{}}, `
machine.info {"about":"cpu"}
  I can't tell how the processor is doing here.
machine.info {"about":"memory"}
  I can't tell how much memory there is here.
machine.info {"about":"disk"}
  I can't tell how much room is on the disks here.
machine.info {"about":"battery"}
  I can't tell how the battery is on this system.
machine.info {"about":"uptime"}
  I can't tell how long this machine has been on.
machine.info {"about":"gpu"}
  The graphics card tells nothing of itself.`},
	} {
		t.Run(name, func(t *testing.T) {
			tooltest.Play(t, tooltest.Box(t, tools(tt.m)...), nil, tt.script)
		})
	}
}

func TestData(t *testing.T) {
	m := machine{Config{graphics{{Name: "card", Processes: map[int]int64{4711: 1}}}}, told{m: &memory{1, 1}}}
	r, err := tooltest.Box(t, tools(m)...).Call(t.Context(), models.Call{Tool: "machine.info"})
	var data map[string]json.RawMessage
	if err != nil || json.Unmarshal(r.Data, &data) != nil || len(data) != 3 || strings.Contains(string(r.Data), "4711") {
		t.Errorf("data %s, error %v", r.Data, err)
	}
}

func TestInterrupted(t *testing.T) {
	barge := errors.New("user spoke")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(barge)
	if _, err := (machine{source: told{}}).info(ctx, infoArgs{"all"}); !errors.Is(err, barge) {
		t.Errorf("got %v", err)
	}
}

func TestReachTellsNoLoopback(t *testing.T) {
	all, err := reach{}.network()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range all {
		if a.Interface == "lo" || len(a.Addresses) == 0 || strings.HasPrefix(a.Addresses[0], "127.") {
			t.Errorf("got %+v", a)
		}
	}
}
