//go:build linux

package browser

import (
	"net/http"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/heapprofiler"
	"github.com/chromedp/cdproto/memory"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// weight is what a page holds after its garbage is collected.
type weight struct {
	heap  float64 // bytes of JavaScript and of the page's own objects
	nodes int64
}

func (b *tab) weigh() weight {
	b.t.Helper()
	for range 2 {
		b.must1(chromedp.Call(b.ctx, heapprofiler.CollectGarbage, cdp.Empty{}))
	}
	use, err := chromedp.Call(b.ctx, runtime.GetHeapUsage, cdp.Empty{})
	b.must(err)
	counted, err := chromedp.Call(b.ctx, memory.GetDOMCounters, cdp.Empty{})
	b.must(err)
	return weight{use.UsedSize + use.EmbedderHeapUsedSize, counted.Nodes}
}

// seq is the number of the last event that Solo told.
func (b *tab) seq() int {
	b.t.Helper()
	return eval[int](b, `new Promise((done) => { const s = new WebSocket(location.origin.replace("http", "ws") + "/ws");
		s.onmessage = (m) => { const o = JSON.parse(m.data); if (o.type === "hello") { s.close(); done(o.seq); } }; })`)
}

// A page that stays open does not grow: after 10,000 events it holds no more than after 5,000.
func TestThePageDoesNotGrow(t *testing.T) {
	t.Parallel()
	const events = 10_000
	p := start(t, "--set", "web.rate=100000")
	// Nothing is looked for by its role here: once it is asked for them, Chromium keeps books on a page's roles that grow.
	b := open(t, "")
	b.visit(p.link())
	b.until("the page is there", func() bool { return eval[bool](b, "document.querySelector('main h1') !== null") })
	from := b.seq()
	until := func(n int) weight {
		t.Helper()
		for b.seq() < from+n {
			for range 50 {
				p.ask(http.MethodPost, "/chat", map[string]string{"message": "what is twelve plus thirty"}, nil)
			}
		}
		time.Sleep(time.Second)
		return b.weigh()
	}
	began := time.Now()
	empty := b.weigh()
	half := until(events / 2)
	whole := until(events)
	t.Logf("%d events in %v: %.2f MB and %d nodes at first, %.2f MB and %d after half of them, %.2f MB and %d after all", b.seq()-from,
		time.Since(began).Round(time.Second), empty.heap/1e6, empty.nodes, half.heap/1e6, half.nodes, whole.heap/1e6, whole.nodes)
	if grown := whole.heap - half.heap; grown > 500_000 {
		t.Errorf("the page grew by %.0f kB while it was told the second half", grown/1e3)
	}
	if whole.nodes > half.nodes+half.nodes/10 {
		t.Errorf("the page has %d nodes after all events, %d after half of them", whole.nodes, half.nodes)
	}
	b.quiet()
}
