package listen_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/audio/listen"
	"github.com/solo-assistant/solo/audio/listen/listentest"
	"github.com/solo-assistant/solo/audio/vad/silero"
	"github.com/solo-assistant/solo/audio/vad/webrtc"
	"github.com/solo-assistant/solo/audio/wake/porcupine"
	"github.com/solo-assistant/solo/tests/corpus"
)

// spoken is one order mixed from recordings, with where it truly lies.
type spoken struct {
	name       string
	pcm, clean []int16
	wakeEnd    int64 // behind the wake word
	begin, end int64 // of the order
	words      []word
	orders     map[string]bool
}

// said puts a wake word, a gap and the pieces of an order, 400 ms apart, into quiet. The recogniser tells
// each word lag seconds after its end. kind is what the whole order is; what comes before a pause is an
// order that may go on or none yet.
func said(name string, wake []int16, gap float64, pieces [][]int16, kind string, lag float64, r *rand.Rand) spoken {
	pcm := join(quiet(1.5), wake)
	s := spoken{name: name, wakeEnd: int64(len(pcm)), orders: map[string]bool{}}
	pcm = join(pcm, quiet(gap))
	s.begin = int64(len(pcm))
	var text []string
	for i, p := range pieces {
		if i > 0 {
			if r.IntN(2) == 0 {
				s.orders[strings.Join(text, " ")] = true
			}
			pcm = join(pcm, quiet(0.4))
		}
		n := max(1, int(int64(len(p))/at(0.35)))
		for w := range n {
			from, to := len(pcm)+w*len(p)/n, len(pcm)+(w+1)*len(p)/n
			text = append(text, fmt.Sprint("w", len(text)))
			s.words = append(s.words, word{text[len(text)-1], seconds(from), seconds(to) + lag})
		}
		pcm = join(pcm, p)
	}
	s.end = int64(len(pcm))
	if kind != "open" {
		s.orders[strings.Join(text, " ")] = kind == "extendable"
	}
	s.clean, s.pcm = pcm[s.begin:], join(pcm, quiet(20))
	return s
}

func seconds(n int) float64 { return float64(n) / audio.Rate }

// hear runs a mix with the wake word told late, or by a real detector.
func (s spoken) hear(t testing.TB, pcm []int16, wake listen.Wake, vad listen.VAD) *rig {
	r := &rig{pcm: pcm, wake: wake, vad: vad, words: s.words, orders: s.orders, brief: true}
	if wake == nil {
		r.wakes = map[int64]string{s.wakeEnd + at(0.18): "jarvis"}
	}
	r.run(t)
	return r
}

// tally counts how turns ended.
type tally struct {
	turns, cut, hung, missed int
	after                    []float64 // seconds from the true end to the decision
	startOff, endOff         []float64
	lost                     int       // orders whose beginning was not fed
	tail                     []float64 // seconds of the wake word that were fed
	why                      map[string]int
}

func (c *tally) add(t testing.TB, s spoken, r *rig, note string) {
	if len(r.decided) == 0 {
		if !strings.Contains(r.say(), "woke") {
			return // the wake word was not heard, which is another test's matter
		}
		t.Errorf("%s %s: woke, and nothing came of it", s.name, note)
		return
	}
	if c.why == nil {
		c.why = map[string]int{}
	}
	c.turns++
	after := seconds(int(r.decided[0] - s.end))
	c.after = append(c.after, after)
	bad := ""
	if len(r.utterances) == 0 {
		c.missed++
		bad = "missed"
	} else {
		u := r.utterances[0]
		c.why[u.Why]++
		c.tail = append(c.tail, max(seconds(int(s.wakeEnd))-u.From.Seconds(), 0))
		if u.From.Seconds() > seconds(int(s.begin+late)) {
			c.lost++
			bad = "lost"
		}
		c.endOff = append(c.endOff, u.End.Seconds()-seconds(int(s.end)))
		c.startOff = append(c.startOff, u.Start.Seconds()-seconds(int(s.begin)))
	}
	if after < -0.03 {
		c.cut++
		bad = "cut"
	}
	if after > 3 {
		c.hung++
		bad = "hung"
	}
	if bad != "" && note != "" && testing.Verbose() {
		t.Logf("%s: %s %s after %.2f s: %s", bad, s.name, note, after, r.say())
	}
}

func (c *tally) String() string {
	return fmt.Sprintf("%d turns, %.1f %% cut off, %d hung, %d missed; decided after the end p50 %.2f p95 %.2f max %.2f s; told end - true end p5 %.2f p50 %.2f p95 %.2f s; start p5 %.2f p50 %.2f p95 %.2f; %d lost their beginning, wake word fed p50 %.2f p95 %.2f s; %v",
		c.turns, 100*float64(c.cut)/float64(max(c.turns, 1)), c.hung, c.missed, quantile(c.after, 0.5), quantile(c.after, 0.95), quantile(c.after, 1),
		quantile(c.endOff, 0.05), quantile(c.endOff, 0.5), quantile(c.endOff, 0.95),
		quantile(c.startOff, 0.05), quantile(c.startOff, 0.5), quantile(c.startOff, 0.95),
		c.lost, quantile(c.tail, 0.5), quantile(c.tail, 0.95), c.why)
}

func quantile(v []float64, q float64) float64 {
	if len(v) == 0 {
		return 0
	}
	v = slices.Sorted(slices.Values(v))
	return v[int(q*float64(len(v)-1))]
}

// people are human orders behind a human wake word; robots are flite's, with pauses of 400 ms.
func people(t testing.TB, r *rand.Rand) (out []spoken) {
	dir := corpus.Dir(t)
	wakes := listentest.Files(t, dir, "wake/jarvis/*.wav")
	for i, f := range listentest.Files(t, dir, "commands/*.flac") {
		if !soak() && i%4 > 0 {
			continue
		}
		order, pause := voiced(t, listentest.Load(t, f))
		if pause > 0.5 {
			continue // a speaker who thinks longer may be cut off
		}
		wake, _ := voiced(t, listentest.Load(t, wakes[i%len(wakes)]))
		gap := listentest.Active(order) - listentest.Active(wake)
		kind := []string{"final", "extendable", "open"}[i%3]
		out = append(out, said("people/"+filepath.Base(f)[:8]+"/"+kind, listentest.Scale(wake, gap), 0.05+0.5*r.Float64(), [][]int16{order}, kind, 0.1, r))
	}
	return out
}

// voiced cuts a recording to its speech, as Silero hears it and the level within reach of that confirms,
// and says how long the longest pause in it is, in seconds. Recordings end in clicks and rustle.
func voiced(t testing.TB, pcm []int16) ([]int16, float64) {
	v := sileroVAD(t)
	first, last, pause := -1, 0, 0
	for f := range audio.NewFramer(0).Frames(pcm) {
		speech, err := v.Speech(f)
		if err != nil {
			t.Fatal(err)
		}
		if !speech {
			continue
		}
		if first < 0 {
			first = int(f.At)
		} else {
			pause = max(pause, int(f.At)-last)
		}
		last = int(f.At) + audio.FrameLen
	}
	return listentest.Trim(pcm[max(first-at16(0.1), 0):min(last+at16(0.04), len(pcm))]), seconds(pause)
}

func at16(s float64) int { return int(at(s)) }

func robots(t testing.TB, r *rand.Rand) (out []spoken) {
	for i, parts := range [][]string{
		{"what time is it"}, {"stop"}, {"set a timer for", "ten minutes"}, {"remind me to call anna", "at five"},
		{"add milk", "to my list"}, {"wake me up", "tomorrow", "at seven"}, {"how long is left"}, {"cancel", "the pasta timer"},
		{"remember that", "the key is under the mat"}, {"what is", "twelve times", "four"}, {"turn it down"}, {"yes"}, {"no"},
	} {
		for j, voice := range []string{"slt", "rms", "kal16"} {
			if !soak() && (i+j)%2 > 0 {
				continue
			}
			var pieces [][]int16
			for _, p := range parts {
				pieces = append(pieces, listentest.Say(t, voice, p))
			}
			kind := []string{"final", "extendable", "open"}[(i+j)%3]
			if len(parts) == 1 && kind == "open" {
				kind = "final"
			}
			out = append(out, said("robots/"+voice+"/"+strings.Join(parts, "|")+"/"+kind, listentest.Say(t, voice, "jarvis"), 0.05+r.Float64(), pieces, kind, 0.25*r.Float64()-0.05, r))
		}
	}
	return out
}

func noises(t testing.TB) map[string][]int16 {
	dir := filepath.Join(corpus.Dir(t), "noise")
	out := map[string][]int16{}
	for _, pattern := range []string{"*.flac", "*.ogg"} {
		for _, f := range listentest.Files(t, dir, pattern) {
			out[strings.TrimSuffix(filepath.Base(f), filepath.Ext(f))] = listentest.Load(t, f)
		}
	}
	return out
}

// soak says whether the long form of a test runs.
func soak() bool { return os.Getenv("SOLO_SOAK") != "" }

func TestTurnsEndInTime(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 3))
	all, loud := append(people(t, r), robots(t, r)...), noises(t)
	step := 5
	if soak() {
		step = 1
	}
	vads := map[string]func() listen.VAD{"webrtc": func() listen.VAD { return webrtcVAD(t) }}
	if os.Getenv("SOLO_TEST_SILERO") != "" {
		vads = map[string]func() listen.VAD{"silero": func() listen.VAD { return sileroVAD(t) }}
	}
	for name, vad := range vads {
		var quietly tally
		for _, s := range all {
			quietly.add(t, s, s.hear(t, s.pcm, nil, vad()), "clean")
		}
		t.Logf("%s, quiet: %v", name, &quietly)
		check(t, name+" in quiet", &quietly)
		for _, snr := range []float64{20, 15, 10} {
			var sum tally
			for _, noise := range slices.Sorted(maps.Keys(loud)) {
				var c tally
				for i := r.IntN(step); i < len(all); i += step {
					s := all[i]
					pcm := listentest.Mix(s.pcm, s.clean, loud[noise], snr, r.IntN(len(loud[noise])))
					h := s.hear(t, pcm, nil, vad())
					note := fmt.Sprint(noise, " at ", snr, " dB")
					c.add(t, s, h, note)
					sum.add(t, s, h, "")
				}
				t.Logf("%s, %v dB, %s: %v", name, snr, noise, &c)
			}
			t.Logf("%s, %v dB of noise: %v", name, snr, &sum)
			check(t, fmt.Sprint(name, " in noise at ", snr, " dB"), &sum)
		}
	}
}

// No recogniser holds up a turn: neither one that knows no word nor one that makes words of noise.
func TestBadRecognisers(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 3))
	if !soak() {
		t.Skip("skipped: a few mixes say nothing, SOLO_SOAK=1 runs all")
	}
	const step = 2
	all, loud := append(people(t, r), robots(t, r)...), noises(t)
	for name, spoil := range map[string]func(s *spoken){
		"mute": func(s *spoken) { s.words = nil },
		"chatter": func(s *spoken) {
			for k := range 40 {
				s.words = append(s.words, word{fmt.Sprint("x", k), seconds(int(s.begin)), seconds(int(s.end)) + 0.45*float64(k+1)})
			}
		},
	} {
		for _, snr := range []float64{20, 10} {
			var c tally
			for _, noise := range slices.Sorted(maps.Keys(loud)) {
				for i := r.IntN(step); i < len(all); i += step {
					s := all[i]
					s.words = slices.Clone(s.words)
					spoil(&s)
					pcm := listentest.Mix(s.pcm, s.clean, loud[noise], snr, r.IntN(len(loud[noise])))
					c.add(t, s, s.hear(t, pcm, nil, webrtcVAD(t)), fmt.Sprint(name, " ", noise, " at ", snr, " dB"))
				}
			}
			t.Logf("%s, %v dB of noise: %v", name, snr, &c)
			if c.cut*50 > c.turns || c.hung*20 > c.turns {
				t.Errorf("%s at %v dB: of %d turns %d cut off, %d hung", name, snr, c.turns, c.cut, c.hung)
			}
		}
	}
}

// check holds the promises: at most 2 % cut off, none hung.
func check(t *testing.T, where string, c *tally) {
	t.Helper()
	if c.cut*50 > c.turns {
		t.Errorf("%s: %d of %d cut off", where, c.cut, c.turns)
	}
	if c.hung > 0 || c.missed > 0 {
		t.Errorf("%s: %d of %d hung, %d missed", where, c.hung, c.turns, c.missed)
	}
}

func webrtcVAD(t testing.TB) listen.VAD {
	t.Helper()
	v, err := webrtc.New(webrtc.Config{})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func sileroVAD(t testing.TB) listen.VAD {
	t.Helper()
	v, err := silero.New(silero.Config{Weights: filepath.Join(corpus.Dir(t), "models/silero/silero_vad_16k_v6.2_from_onnx.safetensors")})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func realWake(t testing.TB, words ...string) *porcupine.Detector {
	t.Helper()
	d, err := porcupine.New(porcupine.Config{Words: words})
	if err != nil {
		t.Skip("skipped: ", err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}
