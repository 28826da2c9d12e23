//go:build linux

package browser

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/solo-assistant/solo/models/modelstest"
)

// say gives the program a text as a client of its API does.
func (p *program) say(text string) string {
	p.t.Helper()
	var answer struct{ Reply string }
	p.ask(http.MethodPost, "/chat", map[string]string{"message": text, "session_id": "rooms"}, &answer)
	return answer.Reply
}

// furnish fills the rooms with what a user would have there after some days.
func (p *program) furnish() {
	p.t.Helper()
	for _, text := range []string{
		"add buy oat milk to my tasks", "add call the plumber about the kitchen tap to my tasks", "add water the fig tree to my tasks",
		"set a pasta timer for ten minutes", "wake me at six thirty", "remind me tomorrow at nine to take the parcel to Anna",
		"remember that the spare key is under the blue pot", "remember that Anna's birthday is on the fourth of May",
		"what time is it", "what is twelve plus thirty", "what can you do", "why does the moon look larger near the horizon",
	} {
		p.say(text)
	}
	p.upload("lighthouse.txt", strings.Repeat("The lamp is trimmed at dusk. The keeper writes down wind and weather.\n", 40))
}

// upload gives the program a document.
func (p *program) upload(name, text string) {
	p.t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	part, err := w.CreateFormFile("file", name)
	if err == nil {
		_, err = part.Write([]byte(text))
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		p.t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(p.t.Context(), http.MethodPost, p.url+"/documents", &b)
	if err != nil {
		p.t.Fatal(err)
	}
	r.Header.Set("Content-Type", w.FormDataContentType())
	p.send(r, nil)
}

// rooms are the names of the rooms, in the order of the page.
func (b *tab) rooms() (names []string) {
	b.t.Helper()
	b.the("navigation", "rooms")
	for _, e := range b.all("link", "") {
		if eval[bool](b, fmt.Sprintf("[...document.querySelectorAll('nav a')].some((a) => a.innerText.trim() === %s)", quoted(e.name))) {
			names = append(names, strings.TrimSpace(e.name))
		}
	}
	if len(names) < 5 {
		b.t.Fatalf("the page has the rooms %q only", names)
	}
	return names
}

func quoted(text string) string {
	raw, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(raw)
}

// goTo enters a room and waits until it shows what it has.
func (b *tab) goTo(room string) {
	b.t.Helper()
	b.must(chromedp.Do(b.ctx, chromedp.Evaluate[chromedp.Void]("location.hash = [...document.querySelectorAll('nav a')].find((a) => a.innerText.trim() === "+quoted(room)+").hash")))
	b.settled(room)
}

// settled waits until a room is shown whole.
func (b *tab) settled(room string) {
	b.t.Helper()
	b.until(room+" is there", func() bool {
		return eval[bool](b, "document.title === "+quoted(room+" · Solo")+" && document.querySelector('main h1') !== null && !document.body.innerText.includes('One moment')")
	})
	time.Sleep(300 * time.Millisecond) // a chart is drawn after its room
}

// axe is the text of the axe-core library, which `npm ci` in the dashboard brings.
func axe(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "dashboard", "node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		t.Skip("skipped: no axe-core; `npm ci` in dashboard brings it")
	}
	return string(text)
}

// examine lets axe look at the page as it is. What was found in another room already is not told again.
func (b *tab) examine(what string) {
	b.t.Helper()
	type fault struct {
		ID, Impact, Help string
		Nodes            []struct{ HTML, FailureSummary string }
	}
	for _, f := range eval[[]fault](b, "axe.run(document, { resultTypes: ['violations'] }).then((r) => r.violations)") {
		for _, n := range f.Nodes {
			if once := f.ID + n.HTML; !b.told[once] {
				b.told[once] = true
				b.t.Errorf("%s: axe finds %s (%s): %s\n%.300s\n%s", what, f.ID, f.Impact, f.Help, n.HTML, n.FailureSummary)
			}
		}
	}
}

// fits wants nothing to be wider than the window.
func (b *tab) fits(what string) {
	b.t.Helper()
	wide := eval[[]string](b, `(() => { const w = document.documentElement.clientWidth;
		if (document.documentElement.scrollWidth <= w + 1) return [];
		return [...document.querySelectorAll("body *")].filter((e) => e.getBoundingClientRect().right > w + 1).slice(0, 5).map((e) => e.outerHTML.slice(0, 160)); })()`)
	if len(wide) > 0 {
		b.t.Errorf("%s is wider than the window: %q", what, wide)
	}
}

// Every room, in both themes and on a phone: axe finds nothing, nothing sticks out, the browser has nothing to complain of.
func TestEveryRoom(t *testing.T) {
	t.Parallel()
	library := axe(t)
	srv := modelstest.New(t, modelstest.Script{Answer: func(modelstest.Request) modelstest.Turn {
		return modelstest.Turn{Text: reply("It is an illusion. Near the horizon we judge it to be farther away, so it seems larger.")}
	}})
	p := start(t, thinking(srv, "home")...)
	p.furnish()
	b := enter(t, p, "")
	rooms := b.rooms()
	t.Logf("rooms: %q", rooms)
	b.must(chromedp.Do(b.ctx, chromedp.Evaluate[chromedp.Void](library+";0")))
	for _, room := range rooms {
		b.goTo(room)
		for _, look := range []struct {
			name          string
			width, height int64
		}{{"desk", 1280, 860}, {"phone", 390, 844}} {
			b.size(look.width, look.height)
			for _, scheme := range []string{"light", "dark"} {
				b.theme(scheme)
				time.Sleep(60 * time.Millisecond) // charts take the new colours
				what := strings.ToLower(room) + "-" + look.name + "-" + scheme
				b.keep(what)
				b.fits(what)
				if look.name == "desk" || scheme == "light" { // the colours are the same on a phone
					b.examine(what)
				}
			}
		}
		b.size(1280, 860)
		if room != rooms[0] { // a talk has no end
			b.keepWhole(strings.ToLower(room) + "-whole")
		}
	}
	if v := eval[[]string](b, "soloTest.violations"); len(v) > 0 {
		t.Errorf("the page's policy forbade %q", v)
	}
	b.quiet()
}

// With the keyboard alone every room is reached, and what is in it can be used.
func TestTheKeyboardAlone(t *testing.T) {
	t.Parallel()
	p := start(t)
	b := enter(t, p, "")
	rooms := b.rooms()
	for _, room := range append(rooms[1:], rooms[0]) { // the first is open
		b.tabTo("link", room)
		b.keys(kb.Enter)
		b.settled(room)
		if !eval[bool](b, "document.querySelector('main').contains(document.activeElement)") {
			t.Errorf("%s: the focus stays behind, on %s", room, eval[string](b, "document.activeElement.outerHTML.slice(0, 120)"))
		}
		b.outlined(room)
	}
	b.tabTo("textbox", "write to solo")
	b.keys("what is twelve plus thirty" + kb.Enter)
	b.shows("42")
	b.quiet()
}

// focused is the role and the name of what has the focus.
func (b *tab) focused() (role, name string) {
	b.t.Helper()
	active, err := chromedp.Call(b.ctx, runtime.Evaluate, runtime.EvaluateParams{Expression: "document.activeElement"})
	b.must(err)
	alone := false
	got, err := chromedp.Call(b.ctx, accessibility.GetPartialAXTree, accessibility.GetPartialAXTreeParams{ObjectID: active.Result.ObjectID, FetchRelatives: &alone})
	b.must(err)
	if len(got.Nodes) == 0 {
		return "", ""
	}
	return textOf(got.Nodes[0].Role), strings.TrimSpace(textOf(got.Nodes[0].Name))
}

// tabTo hits the tab key until something has the focus.
func (b *tab) tabTo(role, name string) {
	b.t.Helper()
	re := regexp.MustCompile("(?is)^(?:" + name + ")$")
	var seen []string
	for range 150 {
		b.keys(kb.Tab)
		r, n := b.focused()
		if r == role && re.MatchString(n) {
			return
		}
		seen = append(seen, r+" "+n)
	}
	b.t.Fatalf("the tab key does not reach the %s %q; it passes %q", role, name, seen)
}

// outlined wants each thing that takes the focus in a room to look different with it.
func (b *tab) outlined(room string) {
	b.t.Helper()
	for range 6 {
		b.keys(kb.Tab)
		plain := eval[string](b, `(() => { const e = document.activeElement, s = getComputedStyle(e);
			return e === document.body || s.outlineStyle !== "none" || s.boxShadow !== "none" || e.matches(":has(:focus)") ? "" : e.outerHTML.slice(0, 160); })()`)
		if plain != "" {
			b.t.Errorf("%s: the focus is not to be seen on %s", room, plain)
		}
	}
}
