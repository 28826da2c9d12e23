//go:build linux

package browser

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// patience bounds the wait for anything to appear.
const patience = 20 * time.Second

// tab is a page in a real browser.
type tab struct {
	t   *testing.T
	ctx context.Context

	mu       sync.Mutex
	problems []string // what the browser complained of

	told map[string]bool // faults of the page that were told already
}

// watch is run in each document before its own scripts: it keeps what the tests look at.
//
//go:embed testdata/watch.js
var watch string

// chromium is the browser's path. Tests are skipped where there is none.
func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "google-chrome", "chromium-browser"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("skipped: no chromium")
	return ""
}

// open starts a Chromium of its own. Its microphone hears silence, or the recording at mic.
func open(t *testing.T, mic string) *tab {
	t.Helper()
	path := chromium(t)
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.Flag("headless", "new"),
		chromedp.Flag("use-fake-ui-for-media-stream", true), chromedp.Flag("use-fake-device-for-media-stream", true),
		chromedp.Flag("autoplay-policy", "user-gesture-required"), chromedp.Flag("lang", "en"), chromedp.Flag("hide-scrollbars", true), chromedp.Flag("window-size", "1280,860"))
	if mic != "" {
		options = append(options, chromedp.Flag("use-file-for-fake-audio-capture", mic+"%noloop"))
	}
	ctx, done := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(done)
	ctx, leave := chromedp.NewContext(ctx)
	b := &tab{t: t, ctx: ctx, told: map[string]bool{}}
	t.Cleanup(func() {
		if t.Failed() {
			b.keep("failed-" + strings.ReplaceAll(t.Name(), "/", "-"))
		}
		leave()
	})
	b.must(chromedp.Listen(ctx, b.note))
	b.must1(chromedp.Call(ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: watch}))
	return b
}

func (b *tab) must(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

func (b *tab) must1(_ any, err error) { b.t.Helper(); b.must(err) }

// note keeps what the browser complains of: errors, warnings, what the page's policy forbade.
func (b *tab) note(ev any) {
	var text string
	switch ev := ev.(type) {
	case *runtime.EventExceptionThrown:
		text = "exception: " + ev.ExceptionDetails.Text
		if e := ev.ExceptionDetails.Exception; e != nil {
			text += " " + e.Description
		}
	case *runtime.EventConsoleAPICalled:
		if ev.Type != runtime.ConsoleAPICalledTypeError && ev.Type != runtime.ConsoleAPICalledTypeWarning && ev.Type != runtime.ConsoleAPICalledTypeAssert {
			return
		}
		text = fmt.Sprintf("console.%s:", ev.Type)
		for _, a := range ev.Args {
			text += " " + string(a.Value) + a.Description
		}
	case *log.EventEntryAdded:
		if ev.Entry.Level != log.EntryLevelError && ev.Entry.Level != log.EntryLevelWarning {
			return
		}
		text = fmt.Sprintf("%s: %s %s", ev.Entry.Source, ev.Entry.Text, ev.Entry.URL)
	default:
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.problems = append(b.problems, text)
}

// quiet fails the test for each complaint of the browser that none of allowed matches, and forgets them all.
func (b *tab) quiet(allowed ...string) {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, p := range b.problems {
		ok := false
		for _, a := range allowed {
			ok = ok || regexp.MustCompile(a).MatchString(p)
		}
		if !ok {
			b.t.Errorf("the browser says: %s", p)
		}
	}
	b.problems = nil
}

// visit goes to an address.
func (b *tab) visit(url string) {
	b.t.Helper()
	b.must(chromedp.Do(b.ctx, chromedp.Navigate(url)))
}

// enter opens the page of a Solo by a one-time link, and waits until it is there.
func enter(t *testing.T, p *program, mic string) *tab {
	t.Helper()
	b := open(t, mic)
	b.visit(p.link())
	b.the("main", "")
	return b
}

// eval runs an expression in the page, which may be a promise.
func eval[T any](b *tab, expression string) T {
	b.t.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	b.must(err)
	return v
}

// element is something on the page, as a screen reader finds it.
type element struct {
	b          *tab
	node       *accessibility.Node
	role, name string
}

// all are the elements of a role whose whole name matches, case apart; "" matches every name.
func (b *tab) all(role, name string) (found []element) {
	b.t.Helper()
	re := regexp.MustCompile("(?is)^(?:" + name + ")$")
	root, err := chromedp.Call(b.ctx, runtime.Evaluate, runtime.EvaluateParams{Expression: "document"})
	b.must(err)
	got, err := chromedp.Call(b.ctx, accessibility.QueryAXTree, accessibility.QueryAXTreeParams{ObjectID: root.Result.ObjectID, Role: role})
	if err != nil {
		return nil // the document was just replaced
	}
	for _, n := range got.Nodes {
		if n.Ignored || n.BackendDOMNodeID == 0 {
			continue
		}
		if label := textOf(n.Name); name == "" || re.MatchString(strings.TrimSpace(label)) {
			found = append(found, element{b, n, role, label})
		}
	}
	return found
}

// the is the first element of a role and a name, for which it waits.
func (b *tab) the(role, name string) element {
	b.t.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		if found := b.all(role, name); len(found) > 0 {
			return found[0]
		}
		if time.Now().After(end) {
			b.t.Fatalf("there is no %s named %q on the page:\n%s", role, name, b.text())
		}
	}
}

// gone waits until there is no such element any more.
func (b *tab) gone(role, name string) {
	b.t.Helper()
	b.until(fmt.Sprintf("the %s %q is gone", role, name), func() bool { return len(b.all(role, name)) == 0 })
}

// shows waits until the page shows a text that matches, case apart.
func (b *tab) shows(pattern string) {
	b.t.Helper()
	re := regexp.MustCompile("(?is)" + pattern)
	b.until("the page shows "+pattern, func() bool { return re.MatchString(b.text()) })
}

func (b *tab) until(what string, ok func() bool) {
	b.t.Helper()
	for end := time.Now().Add(patience); !ok(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			b.t.Fatalf("not so: %s\n%s", what, b.text())
		}
	}
}

// text is what the page shows.
func (b *tab) text() string {
	b.t.Helper()
	return eval[string](b, "document.body ? document.body.innerText : ''")
}

func textOf(v *accessibility.Value) string {
	if v == nil {
		return ""
	}
	var s string
	_ = json.Unmarshal(v.Value, &s) // what is no text has no name
	return s
}

// middle is where a pointer hits the element; it is brought into view first.
func (e element) middle() (x, y float64) {
	e.b.t.Helper()
	id := e.node.BackendDOMNodeID
	e.b.must1(chromedp.Call(e.b.ctx, dom.ScrollIntoViewIfNeeded, dom.ScrollIntoViewIfNeededParams{BackendNodeID: id}))
	quads, err := chromedp.Call(e.b.ctx, dom.GetContentQuads, dom.GetContentQuadsParams{BackendNodeID: id})
	e.b.must(err)
	if len(quads.Quads) == 0 {
		e.b.t.Fatalf("the %s %q is not to be seen", e.role, e.name)
	}
	for i, v := range quads.Quads[0] {
		if i%2 == 0 {
			x += v / 4
		} else {
			y += v / 4
		}
	}
	return x, y
}

func (e element) click() {
	e.b.t.Helper()
	x, y := e.middle()
	e.b.must(chromedp.Do(e.b.ctx, chromedp.MouseClickXY(x, y)))
}

// hold presses the pointer on the element; the function that it gives lets go.
func (e element) hold() (release func()) {
	e.b.t.Helper()
	x, y := e.middle()
	e.b.must(chromedp.Do(e.b.ctx, chromedp.MouseEvent(chromedp.MousePressed, x, y, chromedp.ButtonLeft, chromedp.ClickCount(1))))
	return func() {
		e.b.t.Helper()
		e.b.must(chromedp.Do(e.b.ctx, chromedp.MouseEvent(chromedp.MouseReleased, x, y, chromedp.ButtonLeft, chromedp.ClickCount(1))))
	}
}

// write clicks into the element and types.
func (e element) write(text string) {
	e.b.t.Helper()
	e.click()
	e.b.keys(text)
}

// keys hits keys, one after the other; kb.Enter and the like are keys too. What a key writes comes with its going down, so
// that a page that takes the key for itself keeps it from writing, as with a real keyboard.
func (b *tab) keys(text string) {
	b.t.Helper()
	for _, r := range text {
		events := kb.Encode(r)
		down, up := *events[0], *events[len(events)-1]
		if len(events) == 3 {
			down.Text, down.UnmodifiedText = events[1].Text, events[1].UnmodifiedText
		}
		for _, e := range []input.DispatchKeyEventParams{down, up} {
			b.must1(chromedp.Call(b.ctx, input.DispatchKeyEvent, e))
		}
	}
}
