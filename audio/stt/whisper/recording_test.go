package whisper

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/solo-assistant/solo/audio"
)

// tape is a recording.
type tape struct {
	pcm []int16
	err error // at its end; nil is io.EOF
}

func (t *tape) Read(pcm []int16) (int, error) {
	n := copy(pcm, t.pcm)
	if t.pcm = t.pcm[n:]; len(t.pcm) > 0 {
		return n, nil
	}
	if t.err != nil {
		return n, t.err
	}
	return n, io.EOF
}

// reading is minutes of words with pauses between, and the words.
func readAloud(seconds int, pause time.Duration) (pcm []int16, words []string) {
	r := rand.New(rand.NewPCG(1, 2))
	for len(pcm) < seconds*audio.Rate {
		n := 3 + r.IntN(6)
		var line []string
		for range n {
			line = append(line, tongue[r.IntN(len(tongue))])
		}
		pcm = append(append(pcm, spoken(strings.Join(line, " "))...), make([]int16, audio.Samples(pause, audio.Rate))...)
		words = append(words, line...)
	}
	return pcm, words
}

func TestRecordings(t *testing.T) {
	e := serve(t, config(t, "plain"))
	for name, tt := range map[string]struct {
		seconds int
		pause   time.Duration
	}{"short": {3, 0}, "a minute, with pauses": {70, 700 * time.Millisecond}, "a minute without a pause": {70, 0}} {
		t.Run(name, func(t *testing.T) {
			pcm, words := readAloud(tt.seconds, tt.pause)
			got, err := e.Transcribe(t.Context(), &tape{pcm: pcm})
			if err != nil {
				t.Fatal(err)
			}
			heard := strings.Fields(strings.ReplaceAll(got.Text, ".", ""))
			if !slices.Equal(heard, words) {
				t.Errorf("heard %d words, want %d\n%v\n%v", len(heard), len(words), heard, words)
			}
			if got.Engine != "whisper" || !(got.Sure > 0.5 && got.Sure <= 1) || len(got.Words) != len(words) {
				t.Errorf("sure %v by %s, %d words", got.Sure, got.Engine, len(got.Words))
			}
			var at time.Duration
			for _, w := range got.Words {
				if w.Start < at || w.End <= w.Start {
					t.Fatalf("%q lies at %v to %v, behind %v", w.Text, w.Start, w.End, at)
				}
				at = w.End
			}
		})
	}
}

func TestOddRecordings(t *testing.T) {
	e := serve(t, config(t, "plain"))
	broken := errors.New("the file broke off")
	for name, tt := range map[string]struct {
		in   *tape
		want error
		text string
	}{
		"empty":      {&tape{}, audio.ErrNoSpeech, ""},
		"silence":    {&tape{pcm: make([]int16, 40*audio.Rate)}, audio.ErrNoSpeech, ""},
		"one sample": {&tape{pcm: []int16{5}}, audio.ErrNoSpeech, ""},
		"broken":     {&tape{pcm: spoken("Set a timer"), err: broken}, broken, ""},
		"late":       {&tape{pcm: append(make([]int16, 60*audio.Rate), spoken("Set a timer")...)}, nil, "Set a timer."},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := e.Transcribe(t.Context(), tt.in)
			if !errors.Is(err, tt.want) || err == nil && strings.Trim(got.Text, ".") != strings.Trim(tt.text, ".") {
				t.Errorf("heard %q, %v", got.Text, err)
			}
			if name == "late" && (len(got.Words) == 0 || got.Words[0].Start < 60*time.Second) {
				t.Errorf("words at %+v", got.Words)
			}
		})
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(broken)
	pcm, _ := readAloud(5, 0)
	if _, err := e.Transcribe(ctx, &tape{pcm: pcm}); !errors.Is(err, broken) {
		t.Errorf("cancelled: %v", err)
	}
}

// An utterance goes before a recording: the recording waits while it is open, and loses nothing.
func TestUtterancesGoFirst(t *testing.T) {
	e := serve(t, config(t, "lazy"))
	s := open(t, e)
	pcm, words := readAloud(40, 500*time.Millisecond)
	done := make(chan string, 1)
	go func() {
		got, err := e.Transcribe(context.Background(), &tape{pcm: pcm})
		if err != nil {
			got.Text = err.Error()
		}
		done <- got.Text
	}()
	if err := s.Feed(spoken(one)); err != nil {
		t.Fatal(err)
	}
	got, err := s.Finish(t.Context())
	if err != nil || got.Text == "" {
		t.Errorf("heard %q, %v", got.Text, err)
	}
	select {
	case text := <-done:
		t.Fatalf("the recording was read while an utterance is open: %q", text)
	default:
	}
	s.Close()
	time.Sleep(50 * time.Millisecond) // a reading is under way
	second := open(t, e)
	if err := second.Feed(spoken(two)); err != nil {
		t.Fatal(err)
	}
	if _, err := second.Finish(t.Context()); err != nil {
		t.Error(err)
	}
	second.Close()
	if heard := strings.Fields(strings.ReplaceAll(<-done, ".", "")); !slices.Equal(heard, words) {
		t.Errorf("heard %d words, want %d", len(heard), len(words))
	}
}

// A piece is never longer than a window, and loses no sample, whatever is voiced.
func FuzzPieces(f *testing.F) {
	f.Add([]byte{1, 1, 0}, uint16(2000))
	f.Add([]byte{0}, uint16(1500))
	f.Add([]byte{1}, uint16(4000))
	f.Fuzz(func(t *testing.T, pattern []byte, frames uint16) {
		if len(pattern) == 0 {
			return
		}
		p := &pieces{}
		for i := range int(frames) % 5000 {
			p.pcm = append(p.pcm, make([]int16, audio.FrameLen)...)
			p.voiced = append(p.voiced, pattern[i/7%len(pattern)]&1 == 1)
			n := p.cut()
			if n == 0 && len(p.pcm) >= pieceMost || n > pieceMost || n > len(p.pcm) || n%audio.FrameLen != 0 {
				t.Fatalf("cut at %d of %d", n, len(p.pcm))
			}
			if n > 0 {
				p.pcm, p.voiced = p.pcm[n:], p.voiced[n/audio.FrameLen:]
			}
		}
	})
}
