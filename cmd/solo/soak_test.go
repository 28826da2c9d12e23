package main

import (
	"context"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/audio/codec"
	"github.com/solo-assistant/solo/core/channel/cli"
	"github.com/solo-assistant/solo/core/store/rows"
	"github.com/solo-assistant/solo/tests/corpus"
)

// soaking skips a long proof outside of make soak.
func soaking(t *testing.T) {
	t.Helper()
	if os.Getenv("SOLO_SOAK") == "" {
		t.Skip("skipped: a long proof; make soak runs it")
	}
}

// orders are what the soak asks, each with the command that it is.
var orders = []struct{ text, name string }{
	{"what time is it", "clock.time"},
	{"what day is it", "clock.day"},
	{"set a timer for ten minutes", "timers.set"},
	{"how long is left on my timer", "timers.left"},
	{"cancel my timer", "timers.cancel"},
	{"what is twelve plus thirty", "calc.compute"},
	{"what are my tasks", "tasks.list"},
	{"who are you", "help.identity"},
	{"volume up", "volume.change"},
	{"what can you do", "help.abilities"},
}

// loop is hours of sound: people who talk to each other, noise, silence, and every now and then an order to Solo.
type loop struct {
	left   int64 // samples to come
	next   func() []int16
	buffer []int16
}

func (l *loop) Read(pcm []int16) (int, error) {
	if l.left <= 0 {
		return 0, io.EOF
	}
	for len(l.buffer) == 0 {
		l.buffer = l.next()
	}
	n := copy(pcm, l.buffer)
	l.buffer = l.buffer[n:]
	l.left -= int64(n)
	return n, nil
}

// clips decodes every sound file below dir.
func clips(t *testing.T, dir string) (all [][]int16) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		in, err := codec.OpenFile(name)
		if err != nil {
			continue // labels and licences
		}
		var pcm []int16
		buf := make([]int16, 8192)
		for {
			n, err := in.Read(buf)
			pcm = append(pcm, buf[:n]...)
			if err != nil {
				break
			}
		}
		if err := in.Close(); err != nil {
			t.Fatal(err)
		}
		all = append(all, pcm)
	}
	return all
}

// Hours of a living room, faster than real time: no false wake, every order answered, nothing grows.
func TestSoakHoursOfSpeech(t *testing.T) {
	soaking(t)
	listens(t)
	dir := corpus.Dir(t)
	const hours = 2
	rnd := rand.New(rand.NewPCG(1, 2))
	room := append(clips(t, filepath.Join(dir, "speech")), clips(t, filepath.Join(dir, "noise"))...)
	room = append(room, clips(t, filepath.Join(dir, "commands"))...)
	calls := clips(t, filepath.Join(dir, "wake", "jarvis"))
	asked, step := 0, 0
	sound := &loop{left: hours * 3600 * audio.Rate, next: func() []int16 {
		step++
		if step%4 != 0 {
			return join(room[rnd.IntN(len(room))], quiet(time.Duration(rnd.IntN(4000))*time.Millisecond))
		}
		asked++
		voice := []string{"slt", "rms", "awb", "kal16"}[rnd.IntN(4)]
		return join(quiet(2*second), calls[rnd.IntN(len(calls))], say(t, voice, orders[asked%len(orders)].text), quiet(8*second))
	}}
	a, db := soakApp(t)
	var mu sync.Mutex
	count := map[string]int{}
	var early, late uint64
	began := time.Now()
	tell := func(l cli.Line) {
		mu.Lock()
		defer mu.Unlock()
		switch l := l.(type) {
		case cli.Woken:
			count["woken"]++
		case cli.Intent:
			if l.Name != nil {
				count["understood"]++
			}
		case cli.Turn:
			count["turns"]++
			count[l.Outcome]++
			if count["turns"] == 50 {
				early = heap()
			}
		}
	}
	if _, err := a.play(t.Context(), db, tape{in: sound, out: &sink{}}, tell); err != nil {
		t.Fatal(err)
	}
	late = heap()
	t.Logf("soak: %d hours of sound in %v (%.0f times real time): %d orders, %d wakes, %d turns, %d understood, %d misheard",
		hours, time.Since(began).Round(second), hours*3600/time.Since(began).Seconds(), asked, count["woken"], count["turns"], count["understood"], count["misheard"])
	t.Logf("soak: heap after 50 turns %d KB, at the end %d KB, %d goroutines", early>>10, late>>10, runtime.NumGoroutine())
	if count["woken"] != count["turns"] {
		t.Errorf("%d wakes but %d turns: some never ended", count["woken"], count["turns"])
	}
	if count["turns"] > asked*103/100 || count["understood"] < asked*80/100 {
		t.Errorf("of %d orders %d were turns and %d understood", asked, count["turns"], count["understood"])
	}
	if late > 2*early+20<<20 {
		t.Errorf("memory grew from %d to %d KB", early>>10, late>>10)
	}
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func soakApp(t *testing.T) (*app, *rows.DB) {
	t.Helper()
	h, err := findHome(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s, _, err := loadSettings(h, nil)
	if err != nil {
		t.Fatal(err)
	}
	db, err := rows.Open(t.Context(), s.Store)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return &app{home: h, settings: s, log: zerolog.Nop()}, db
}

// The voice is killed again and again while turns run; each time the next turn is answered aloud.
func TestSoakChaos(t *testing.T) {
	soaking(t)
	listens(t)
	a, db := soakApp(t)
	const rounds = 30
	answered, killed := 0, 0
	for i := range rounds {
		question := join(quiet(second), say(t, "slt", "jarvis"), say(t, "slt", orders[i%2].text), quiet(3*second))
		ctx, cancel := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		if i%2 == 0 {
			wg.Go(func() { killed += killVoices(ctx) })
		}
		spoken := false
		heard, err := a.play(t.Context(), db, tape{in: &loop{left: int64(len(question)), next: func() []int16 { return question }}, out: &sink{}}, func(l cli.Line) {
			if turn, ok := l.(cli.Turn); ok {
				spoken = turn.Outcome == "answered" && turn.FirstAudio > 0
			}
		})
		cancel()
		wg.Wait()
		if err != nil || heard != 1 {
			t.Errorf("round %d: heard %d, %v", i, heard, err)
		}
		if i%2 == 1 {
			if spoken {
				answered++
			} else {
				t.Errorf("round %d: the turn after the kill was not answered aloud", i)
			}
		}
	}
	t.Logf("soak: %d voices killed with -9 in %d turns; %d of %d turns after them answered aloud", killed, rounds/2, answered, rounds/2)
	if killed == 0 {
		t.Error("nothing was killed, so nothing was proved")
	}
}

// killVoices kills every flite that this process starts until ctx ends.
func killVoices(ctx context.Context) (n int) {
	for ctx.Err() == nil {
		for _, pid := range children("flite") {
			if p, err := os.FindProcess(pid); err == nil && p.Kill() == nil {
				n++
			}
		}
		time.Sleep(time.Millisecond)
	}
	return n
}

// Solo itself is killed with -9 again and again; what it promised and was told is there each time.
func TestSoakKilledSolo(t *testing.T) {
	soaking(t)
	home := t.TempDir()
	pets := strings.Fields("cat dog horse parrot hamster turtle goldfish rabbit donkey goose lizard spider ferret pony canary")
	for _, pet := range pets {
		p, out := process(t, home, "run", "--no-input")
		await(t, out, `"ready"`)
		fact := "remember that my " + pet + " likes carrots"
		if code, lines := solo(t, home, "", "understand", "--do", fact); code != 0 {
			t.Fatalf("exit %d, %v", code, lines)
		}
		if err := p.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = p.Wait() // it was killed
	}
	for _, pet := range pets {
		_, lines := solo(t, home, "", "understand", "what do you know about my "+pet)
		if !strings.Contains(lines[0].text("reply"), pet) {
			t.Errorf("the %s was lost: %v", pet, lines)
		}
	}
	t.Logf("soak: Solo killed with -9 %d times right after a promise; none lost", len(pets))
}
