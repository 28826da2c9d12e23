//go:build sphinx && cgo

package listen_test

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/audio/listen"
	"github.com/solo-assistant/solo/audio/listen/listentest"
	"github.com/solo-assistant/solo/audio/stt/sphinx"
	"github.com/solo-assistant/solo/core/intent"
	"github.com/solo-assistant/solo/tests/corpus"
)

// Spoken orders; | is a pause of 400 ms.
var sayings = [][]string{
	{"jarvis, ", "what time is it"}, {"jarvis ", "what time is it"}, {"jarvis, ", "stop"}, {"jarvis, ", "set a timer for ten minutes"},
	{"jarvis, ", "set a timer for", "ten minutes"}, {"jarvis, ", "what's the date"}, {"jarvis, ", "add milk to my list"},
	{"jarvis", "how long is left on the timer"}, {"jarvis", "cancel the timer"}, {"jarvis", "wake me up", "at seven"},
	{"jarvis", "what is twelve times four"}, {"jarvis", "set the volume to", "fifty percent"}, {"jarvis", "good morning"},
	{"jarvis", "set an alarm for", "six thirty"}, {"jarvis", "what can you do"}, {"jarvis", "mute"}, {"jarvis", "repeat that"},
	{"jarvis", "what day is it tomorrow"}, {"jarvis", "how many grams are in", "two ounces"}, {"jarvis", "what are my reminders"},
}

// recogniser gives out streams of the sphinx engine.
func recogniser(t testing.TB) (func(context.Context) (listen.Stream, error), *intent.Commands) {
	t.Helper()
	c := intent.English()
	e, err := sphinx.New(sphinx.Config{Grammar: c.JSGF(), Sentences: c.Sentences(), Classes: c.Classes(), FreeSpan: c.Free})
	if err != nil {
		t.Skip("skipped: ", err)
	}
	t.Cleanup(func() { e.Close() })
	return func(ctx context.Context) (listen.Stream, error) {
		s, err := e.Open(ctx)
		if err != nil {
			return nil, err
		}
		return s, nil
	}, c
}

// Everything real from the frames to the words: what flite says is heard whole, and ended in time.
func TestRealWords(t *testing.T) {
	open, commands := recogniser(t)
	babble := listentest.Load(t, filepath.Join(corpus.Dir(t), "noise/tau2_people_talking_babble.flac"))
	r := rand.New(rand.NewPCG(7, 8))
	rooms := map[string]float64{"quiet": 0}
	if soak() {
		rooms = map[string]float64{"quiet": 0, "babble at 20 dB": 20, "babble at 10 dB": 10}
	}
	for name, snr := range rooms {
		woken, right, cut, hung := 0, 0, 0, 0
		var after, endpoints []float64
		for _, pieces := range sayings {
			pcm, text, end := speak(t, pieces)
			if snr > 0 {
				pcm = listentest.Mix(pcm, pcm, babble, snr, r.IntN(len(babble)))
			}
			h := hearing{pcm: pcm}
			h.run(t, open, commands)
			if h.decided == 0 {
				t.Logf("%s: %q did not wake", name, text)
				continue
			}
			woken++
			late := seconds(int(h.decided - end))
			after = append(after, late)
			if h.u != nil {
				endpoints = append(endpoints, h.u.Endpoint.Seconds())
			}
			want, _ := commands.Match(text)
			got, _ := commands.Match(h.text)
			ok := want.Name == got.Name && len(want.Slots) == len(got.Slots)
			for k, v := range want.Slots {
				ok = ok && got.Slots[k] == v
			}
			if ok {
				right++
			} else {
				t.Logf("%s: %q was heard as %q (%v), %.2f s after its end, partial %q, %s", name, text, h.text, h.err, late, h.partial(), h.why())
			}
			if late < -0.03 {
				cut++
			}
			if late > 3 {
				hung++
			}
		}
		t.Logf("%s: %d woken, %d right, %d cut off, %d hung; decided after the end p50 %.2f p95 %.2f max %.2f s; endpoint told p50 %.2f p95 %.2f s",
			name, woken, right, cut, hung, quantile(after, 0.5), quantile(after, 0.95), quantile(after, 1), quantile(endpoints, 0.5), quantile(endpoints, 0.95))
		if snr != 10 && cut*10 > woken || hung > 0 { // at 10 dB the words are often wrong, and the decision with them
			t.Errorf("%s: %d cut off, %d hung", name, cut, hung)
		}
		if snr == 0 && right*10 < woken*9 {
			t.Errorf("%s: only %d of %d right", name, right, woken)
		}
	}
}

// speak makes a saying, its text behind the wake word, and where it ends.
func speak(t testing.TB, pieces []string) (pcm []int16, text string, end int64) {
	pcm = quiet(1.5)
	if last := pieces[0][len(pieces[0])-1]; last == ' ' { // in one breath
		pcm = join(pcm, listentest.Say(t, "slt", pieces[0]+pieces[1]))
		text = pieces[1]
		pieces = pieces[2:]
	} else {
		pcm = join(pcm, listentest.Say(t, "slt", pieces[0]), quiet(0.3), listentest.Say(t, "slt", pieces[1]))
		text = pieces[1]
		pieces = pieces[2:]
	}
	for _, p := range pieces {
		pcm = join(pcm, quiet(0.4), listentest.Say(t, "slt", p))
		text += " " + p
	}
	return join(pcm, quiet(18)), text, int64(len(pcm))
}

// hearing is one run of the real chain over pcm.
type hearing struct {
	pcm     []int16
	rig     rig
	u       *listen.Utterance
	text    string
	err     error
	decided int64
}

func (h *hearing) partial() string {
	if h.u == nil {
		return ""
	}
	return h.u.Partial
}

func (h *hearing) why() string {
	if h.u == nil {
		return "missed"
	}
	return h.u.Why
}

func (h *hearing) run(t testing.TB, open func(context.Context) (listen.Stream, error), commands *intent.Commands) {
	h.rig.pcm, h.rig.brief = h.pcm, true
	l, err := listen.New(listen.Config{
		Source: &h.rig, Wake: realWake(t), VAD: webrtcVAD(t), Open: open, Complete: commands.Complete,
		Ended: func(u *listen.Utterance) {
			h.u, h.decided = u, h.rig.pos.Load()
			h.rig.decided = append(h.rig.decided, h.decided)
			var said audio.Transcript
			said, h.err = u.Finish(context.Background())
			h.text = said.Text
		},
		Missed: func(string) {
			h.decided = h.rig.pos.Load()
			h.rig.decided = append(h.rig.decided, h.decided)
		},
		Woke: func(audio.Hit, time.Duration) {},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Serve(t.Context()); err != nil {
		t.Fatal(err)
	}
}
