//go:build linux

package browser

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/models/modelstest"
	"github.com/solo-assistant/solo/voices"
	"github.com/solo-assistant/solo/voices/flite"
)

// speech makes a recording of spoken text, with silence around it.
func speech(t *testing.T, text string, before, after time.Duration) string {
	t.Helper()
	e, err := flite.New()
	if err != nil {
		t.Skip("skipped: " + err.Error())
	}
	pcm := make([]int16, audio.Samples(before, audio.Rate))
	for c, err := range e.Synthesize(t.Context(), voices.Phrase{Text: text, Voice: "slt"}) {
		if err != nil {
			t.Fatal(err)
		}
		pcm = append(pcm, c.Mono16k().PCM...)
	}
	return recording(t, append(pcm, make([]int16, audio.Samples(after, audio.Rate))...))
}

func recording(t *testing.T, pcm []int16) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "sound.wav")
	var b bytes.Buffer
	err := audio.WriteWAV(&b, audio.Clip{Format: audio.Mono16k, PCM: pcm})
	if err == nil {
		err = os.WriteFile(path, b.Bytes(), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// played is the sound that the page was given to play so far.
func (b *tab) played() (pcm []int16) {
	b.t.Helper()
	for _, v := range eval[[]int](b, "soloTest.played.flatMap((p) => Array.from(p.pcm))") {
		pcm = append(pcm, int16(v))
	}
	return pcm
}

// transcript is what the program's own recogniser makes of a recording.
func (p *program) transcript(path string) (text string) {
	p.t.Helper()
	out, err := exec.Command(binary(p.t), "--json", "--home", p.t.TempDir(), "transcribe", path).Output()
	if err != nil {
		p.t.Fatalf("transcribe: %v: %s", err, out)
	}
	for line := range bytes.Lines(out) {
		var l struct{ Event, Text string }
		if json.Unmarshal(line, &l) == nil && l.Event == "transcript" {
			text += l.Text
		}
	}
	return text
}

// A question that is spoken into the page while its button is held is heard, answered in writing, and aloud in the page.
func TestAQuestionSpokenIntoThePage(t *testing.T) {
	t.Parallel()
	if len(hearing) == 0 {
		t.Skip("skipped: this build has no recogniser")
	}
	p := start(t)
	b := enter(t, p, speech(t, "what day is it", 1500*time.Millisecond, 5*time.Second))
	release := b.the("button", "hold to talk").hold()
	b.shows("let go when you are done")
	time.Sleep(3500 * time.Millisecond) // the question, in the clock of the browser's microphone
	b.keep("talk-listening")
	release()
	day := time.Now().Format("Monday")
	b.shows("what day is it.*" + day)
	for n := -1; n != len(b.played()); time.Sleep(time.Second) { // until no more comes
		n = len(b.played())
	}
	answer := b.played()
	if level := audio.Level(answer); level < -40 {
		t.Errorf("the page was given %v of sound at %.0f dBFS to play", audio.Time(int64(len(answer)), audio.Rate), level)
	}
	said := p.transcript(recording(t, answer))
	t.Logf("recognised in %v of sound that the page played: %q", audio.Time(int64(len(answer)), audio.Rate), said)
	if !strings.Contains(said, strings.ToLower(day)) {
		t.Errorf("the answer %q does not name %s", said, day)
	}
	b.quiet()
}

// thinking are the arguments of a Solo that asks a scripted language model and no other.
func thinking(srv *modelstest.Server, place string) []string {
	return []string{"--set", "server.base_url=" + srv.OpenAI(), "--set", "server.place=" + place}
}

// reply is what a model writes to answer in words. Its kind stands first, as models are told to write it.
func reply(text string) string { return `{"type":"reply","text":` + quoted(text) + `}` }

// ask types a question and sends it.
func (b *tab) ask(text string) {
	b.t.Helper()
	b.the("textbox", "write to solo").write(text + kb.Enter)
}

// What is typed is answered sentence by sentence: the first is shown while the model still writes the second.
func TestATypedQuestionIsAnsweredAsTheModelWrites(t *testing.T) {
	t.Parallel()
	first, second := "The harbour light is red on the left.", "Coming in from the sea, keep the green one to your right."
	srv := modelstest.New(t, modelstest.Script{Answer: func(modelstest.Request) modelstest.Turn {
		return modelstest.Turn{Text: reply(first + " " + second), Pace: 20}
	}})
	p := start(t, thinking(srv, "home")...)
	b := enter(t, p, "")
	eval[bool](b, `soloTest.shown = {}, new MutationObserver(() => {
		for (const text of ["red on the left", "green one"]) if (document.body.textContent.includes(text)) soloTest.shown[text] ??= performance.now();
	}).observe(document.body, { subtree: true, childList: true, characterData: true }), true`)
	b.ask("which harbour light is on which side")
	b.shows("red on the left.*green one to your right")
	if later := eval[float64](b, `soloTest.shown["green one"] - soloTest.shown["red on the left"]`); later < 100 {
		t.Errorf("the second sentence came %.0f ms after the first, although the model wrote for 700 ms between them", later)
	}
	b.ask("what is twelve plus thirty")
	b.shows("42")
	if left := eval[string](b, "document.querySelector('textarea').value"); left != "" {
		t.Errorf("%q is left in the field", left)
	}
	b.quiet()
}

// Before anything is sent to a cloud the page shows all of it, and does as the user says.
func TestThePageAsksBeforeAnythingLeaves(t *testing.T) {
	t.Parallel()
	srv := modelstest.New(t, modelstest.Script{Answer: func(modelstest.Request) modelstest.Turn { return modelstest.Turn{Text: "Sell it in spring."} }})
	p := start(t, thinking(srv, "cloud")...)
	b := enter(t, p, "")
	b.ask("think deeply about whether i should sell my blue boat")
	b.the("region", "what waits for your word")
	b.shows("would be sent to server")
	b.shows("sell my blue boat")
	b.keep("talk-approval")
	b.the("button", "refuse").click()
	b.gone("button", "agree")
	if n := len(srv.Requests()); n != 0 {
		t.Fatalf("%d requests left although the user refused", n)
	}
	b.ask("think deeply about whether i should sell my green car")
	b.the("button", "agree").click()
	b.shows("sell it in spring")
	if n := len(srv.Requests()); n != 1 {
		t.Errorf("%d requests left", n)
	}
	b.quiet()
}

// What cannot be taken back is asked first; the page shows it with what it would do.
func TestThePageAsksBeforeAToolActs(t *testing.T) {
	t.Parallel()
	srv := modelstest.New(t, modelstest.Script{Answer: func(r modelstest.Request) modelstest.Turn {
		return modelstest.Turn{Text: fmt.Sprintf(`{"type":"tool_call","tool":%q,"arguments":{"url":"https://example.org/tides"}}`, "apps.open_url")}
	}})
	p := start(t, thinking(srv, "home")...)
	b := enter(t, p, "")
	b.ask("show me the tides")
	b.the("button", "refuse")
	b.shows("example.org/tides")
	b.the("button", "refuse").click()
	b.gone("button", "agree")
	b.quiet()
}

// A Solo that dies and comes back is found again by the page that was open.
func TestThePageFindsSoloAgain(t *testing.T) {
	t.Parallel()
	p := start(t)
	b := enter(t, p, "")
	b.ask("what is twelve plus thirty")
	b.shows("42")
	p.kill()
	b.shows("reconnecting")
	b.keep("talk-reconnecting")
	p.restart()
	b.until("the page is connected again", func() bool { return !strings.Contains(b.text(), "reconnecting") })
	b.ask("what is twenty plus thirty")
	b.shows("50")
	b.quiet("ERR_CONNECTION_REFUSED", "WebSocket connection to")
}
