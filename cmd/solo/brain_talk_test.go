package main

import (
	"bytes"
	"context"
	"encoding/json"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/bus"
	"github.com/solo-assistant/solo/core/agent"
	"github.com/solo-assistant/solo/core/channel/cli"
	"github.com/solo-assistant/solo/core/event"
	"github.com/solo-assistant/solo/core/mind"
	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/models"
	"github.com/solo-assistant/solo/models/modelstest"
	"github.com/solo-assistant/solo/tests/corpus"
)

// printed is a printed object and when it was printed.
type printed struct {
	lineOf
	at time.Time
}

// number is a field of milliseconds.
func (p printed) millis(key string) time.Duration {
	ms, _ := p.lineOf[key].(float64)
	return time.Duration(ms * float64(time.Millisecond))
}

// watch notes when each line was printed; the command line writes one at a time.
type watch struct {
	mu    sync.Mutex
	lines []printed
	told  func(printed) // may be nil
}

func (w *watch) Write(text []byte) (int, error) {
	l := printed{at: time.Now(), lineOf: lineOf{}}
	if err := json.Unmarshal(text, &l.lineOf); err != nil {
		l.lineOf = lineOf{"event": "no object", "text": string(text)}
	}
	w.mu.Lock()
	w.lines = append(w.lines, l)
	w.mu.Unlock()
	if w.told != nil {
		w.told(l)
	}
	return len(text), nil
}

// of keeps the lines of one event.
func (w *watch) of(event string) (kept []printed) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, l := range w.lines {
		if l.text("event") == event {
			kept = append(kept, l)
		}
	}
	return kept
}

// said are the sentences of the answers.
func (w *watch) said() (all []string) {
	for _, l := range w.of("reply") {
		all = append(all, l.text("text"))
	}
	return all
}

// talkInto runs `solo talk` over a recording and notes when each line was printed.
func talkInto(ctx context.Context, t *testing.T, w *watch, home, in string, args ...string) {
	t.Helper()
	var errs bytes.Buffer
	furnish(t, home)
	code := cli.Main(ctx, append([]string{"--json", "--home", home, "talk", "--in", in}, args...), about(), open, strings.NewReader(""), w, &errs)
	if code != 0 || errs.Len() > 0 {
		t.Errorf("exit %d: %s", code, errs.String())
	}
}

// wakeWord is a recording of a person who says "jarvis", without the silence around it.
func wakeWord(t *testing.T) []int16 {
	t.Helper()
	calls := clips(t, filepath.Join(corpus.Dir(t), "wake", "jarvis"))
	return trim(calls[4])
}

// trim leaves a tenth of a second before and after what is loud.
func trim(pcm []int16) []int16 {
	const step = audio.Rate / 100
	peak := -96.0
	for i := 0; i+step <= len(pcm); i += step {
		peak = max(peak, audio.Level(pcm[i:i+step]))
	}
	first, last := len(pcm), 0
	for i := 0; i+step <= len(pcm); i += step {
		if audio.Level(pcm[i:i+step]) > peak-30 {
			first, last = min(first, i), i+step
		}
	}
	return pcm[max(0, first-10*step):min(len(pcm), last+10*step)]
}

// sky is a question that is no command.
const sky = "why is the sky blue"

// asking is a spoken question, behind the wake word.
func asking(t *testing.T, voice, question string) []int16 {
	t.Helper()
	return join(wakeWord(t), say(t, voice, question))
}

// replies is an answer as models write it: what it is comes first, so that its words can be said while they are written.
func replies(text string) modelstest.Turn {
	return modelstest.Turn{Text: `{"type":"reply","text":"` + text + `"}`}
}

// answering is a model that answers what is asked, told by the last message.
func answering(t *testing.T, turn func(asked string) modelstest.Turn) *modelstest.Server {
	t.Helper()
	return modelstest.New(t, modelstest.Script{Llama: true, Answer: func(r modelstest.Request) modelstest.Turn {
		return turn(r.Messages[len(r.Messages)-1].Text)
	}})
}

// requestsOf are the requests for an answer, without those that only let the model read ahead.
func requestsOf(srv *modelstest.Server) (kept []modelstest.Request) {
	for _, r := range srv.Requests() {
		if r.MaxTokens >= 0 {
			kept = append(kept, r)
		}
	}
	return kept
}

// clip reads what Solo said.
func clip(t *testing.T, path string) audio.Clip {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	c, err := audio.ReadWAV(f)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// A spoken question that is no command is answered aloud by the model, sentence by sentence as it writes.
func TestASpokenQuestionIsAnsweredByTheModel(t *testing.T) {
	listens(t)
	sentences := []string{"Blue light is scattered more than red light.", "It comes from every side of the sky.", "Red light goes straight on.", "That is why the sky is blue today."}
	const pace = 50
	slowly := replies(strings.Join(sentences, " "))
	slowly.Pace = pace
	srv := answering(t, func(string) modelstest.Turn { return slowly })
	question := join(quiet(second), asking(t, "rms", sky))
	out := filepath.Join(t.TempDir(), "out.wav")
	w := &watch{}
	talkInto(t.Context(), t, w, t.TempDir(), record(t, question, quiet(second)), append([]string{"--out", out}, thinking(srv)...)...)

	if got := strings.Join(w.said(), "|"); got != strings.Join(sentences, "|") {
		t.Fatalf("said %q", got)
	}
	if l := w.of("intent"); len(l) != 1 || l[0].lineOf["name"] != nil {
		t.Errorf("understood as %v", l)
	}
	heard, first, turn := w.of("heard")[0], w.of("reply")[0], w.of("turn")[0]
	think := first.at.Sub(heard.at)
	if told := turn.millis("think_ms"); (told-think).Abs() > 50*time.Millisecond || turn.text("outcome") != "answered" {
		t.Errorf("%v, but the first sentence came %v after the words", turn.lineOf, think)
	}
	r := requestsOf(srv)[0]
	written := r.First.Add(time.Duration(len(slowly.Text)/4-1) * time.Second / pace)
	sounds := first.at.Add(turn.millis("tts_first_audio_ms"))
	t.Logf("the first sentence after %v, its sound %v before the model ended", think, written.Sub(sounds))
	if !sounds.Before(written) {
		t.Errorf("the first sound came %v after the last word was written", sounds.Sub(written))
	}
	checkAnswer(t, out, audio.Time(int64(len(question)), audio.Rate))
	checkSpeech(t, clip(t, out), sentences)
}

// checkSpeech wants as much sound as the sentences take to say, and their words in it.
func checkSpeech(t *testing.T, c audio.Clip, sentences []string) {
	t.Helper()
	heard, want := trim(c.Mono16k().PCM), 0
	for _, s := range sentences {
		want += len(trim(say(t, "slt", s)))
	}
	words := transcript(t, audio.Clip{Format: audio.Mono16k, PCM: heard})
	t.Logf("recognised in the answer: %q", words)
	found, all := 0, strings.Fields(strings.ToLower(strings.ReplaceAll(strings.Join(sentences, " "), ".", "")))
	for _, word := range all {
		if strings.Contains(words, word) {
			found++
		}
	}
	if found < len(all)*2/3 {
		t.Errorf("%d of %d words were recognised", found, len(all))
	}
	if len(heard) < want*9/10 || len(heard) > want*14/10 {
		t.Errorf("%v of speech, want about %v", audio.Time(int64(len(heard)), audio.Rate), audio.Time(int64(want), audio.Rate))
	}
}

// Who speaks over an answer stops the model at once, and the talk keeps only what was said aloud.
func TestAWakeWordStopsTheModel(t *testing.T) {
	listens(t)
	var long []string
	for _, n := range strings.Fields("one two three four five six seven eight nine ten eleven twelve") {
		long = append(long, "The sea has wave number "+n+", and it rolls slowly onto the sand.")
	}
	srv := answering(t, func(words string) modelstest.Turn {
		if strings.Contains(words, sky) {
			turn := replies(strings.Join(long, " ") + strings.Repeat(" And so on and on.", 400))
			turn.Pace = 50
			return turn
		}
		return replies("Shorter, then.")
	})
	in := record(t, quiet(second), asking(t, "rms", sky), quiet(7*second), asking(t, "rms", "tell me about the sea"), quiet(second))
	w := &watch{}
	talkInto(t.Context(), t, w, t.TempDir(), in, thinking(srv)...)

	turns, wakes, said := w.of("turn"), w.of("wake"), w.said()
	if len(turns) != 2 || turns[0].text("outcome") != "interrupted" || turns[1].text("outcome") != "answered" {
		t.Fatalf("turns %v", turns)
	}
	requests := requestsOf(srv)
	if len(requests) != 2 || requests[0].Gone.IsZero() {
		t.Fatalf("%d requests, the first of them left: %v", len(requests), !requests[0].Gone.IsZero())
	}
	if late := requests[0].Gone.Sub(wakes[1].at); late > 200*time.Millisecond {
		t.Errorf("the model went on for %v", late)
	} else {
		t.Logf("the model was stopped %v after the wake event, %d sentences were begun", late, len(said)-1)
	}
	if said[len(said)-1] != "Shorter, then." {
		t.Errorf("said at last %q", said)
	}
	checkCut(t, requests[1].Messages, long)
}

// checkCut wants the talk to hold the answer as far as it was said, and no more of it.
func checkCut(t *testing.T, messages []models.Message, long []string) {
	t.Helper()
	for _, m := range messages {
		if m.Role != models.Assistant {
			continue
		}
		begun, ok := strings.CutSuffix(m.Text, " —")
		if !ok || !strings.HasPrefix(strings.Join(long, " "), begun) || !strings.HasPrefix(begun, "The sea has wave") || strings.Contains(begun, long[5]) {
			t.Errorf("the talk holds %q", m.Text)
		}
		t.Logf("the talk holds %q", m.Text)
		return
	}
	t.Error("the talk holds nothing of the first answer")
}

// A model that breaks off in the middle, and then one that is slow: each is covered by one sentence.
func TestATalkWithAModelInTrouble(t *testing.T) {
	listens(t)
	const delay = 3200 * time.Millisecond
	srv := answering(t, func(words string) modelstest.Turn {
		turn := replies("Salt comes from the rocks. Rivers carry it down to the shore and then")
		if strings.Contains(words, sky) {
			turn.Break = 3200
			return turn
		}
		turn = replies("The sea is deep. It is also salty.")
		turn.Delay = delay
		return turn
	})
	in := record(t, quiet(second), asking(t, "rms", sky), quiet(9*second), asking(t, "rms", "tell me about the sea"), quiet(second))
	w := &watch{}
	talkInto(t.Context(), t, w, t.TempDir(), in, thinking(srv)...)

	turns, heard, said := w.of("turn"), w.of("heard"), w.of("reply")
	if len(turns) != 2 || len(heard) != 2 || turns[0].text("outcome") != "answered" || turns[1].text("outcome") != "answered" {
		t.Fatalf("turns %v, said %q", turns, w.said())
	}
	all := strings.Join(w.said(), "|")
	if !strings.HasPrefix(all, "Salt comes from the rocks.|Rivers carry") || strings.Count(all, "My language model broke off in the middle.") != 1 {
		t.Errorf("of the model that broke off: %q", all)
	}
	slow := said[len(said)-3:]
	if !slices.Contains(mind.Fillers, slow[0].text("text")) || slow[1].text("text") != "The sea is deep." || slow[2].text("text") != "It is also salty." {
		t.Fatalf("of the slow model: %q", all)
	}
	filled, answered := slow[0].at.Sub(heard[1].at), slow[1].at.Sub(heard[1].at)
	t.Logf("the filler came after %v, the answer after %v", filled, answered)
	if filled > delay-300*time.Millisecond || answered < delay || answered > delay+time.Second {
		t.Error("the filler did not come before the answer")
	}
	if think := turns[1].millis("think_ms"); (think - filled).Abs() > 100*time.Millisecond {
		t.Errorf("the turn tells %v until the first sentence", think)
	}
}

// canned is a model that gives one answer and notes what it is asked.
type canned chan models.Request

func (c canned) Stream(_ context.Context, r models.Request) iter.Seq2[models.Delta, error] {
	return func(yield func(models.Delta, error) bool) {
		c <- r
		if r.MaxTokens >= 0 {
			yield(models.Delta{Text: replies("One two three four five six.").Text}, nil)
		}
	}
}

// The prompt that is read ahead knows what of the last answer was heard, however close the next words follow.
func TestAPromptReadAheadHoldsTheCutAnswer(t *testing.T) {
	for range 20 { // two events wait, and either may be seen first
		var b bus.Bus
		model := make(canned, 2)
		a := agent.New(agent.Config{Model: model, Tools: tool.New(tool.Config{})})
		c := newCompanion(&b, a)
		for range a.Answer(t.Context(), event.Heard{Text: "count", Sure: 1}) {
		}
		<-model
		ctx, cancel := context.WithCancel(t.Context())
		tell(t, bus.Publisher[event.Interrupted](&b, "test").Publish(ctx, event.Interrupted{Spoken: mind.Fillers[0] + " One two"}))
		tell(t, bus.Publisher[event.Partial](&b, "test").Publish(ctx, event.Partial{Text: "why did you stop", Stable: true}))
		done := make(chan error)
		go func() { done <- c.Serve(ctx) }()
		var r models.Request
		select {
		case r = <-model:
		case <-time.After(10 * time.Second):
			t.Fatal("nothing was read ahead")
		}
		cancel()
		tell(t, <-done)
		if r.MaxTokens >= 0 || !slices.ContainsFunc(r.Messages, func(m models.Message) bool { return m.Text == "One two —" }) {
			t.Fatalf("read ahead: %+v", r.Messages[1:])
		}
	}
}

func tell(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
