package main

import (
	"cmp"
	"context"
	"errors"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	ps "github.com/shirou/gopsutil/v4/process"

	"github.com/solo-assistant/solo/bus"
	"github.com/solo-assistant/solo/core/channel/web"
	"github.com/solo-assistant/solo/core/event"
	"github.com/solo-assistant/solo/core/store"
	"github.com/solo-assistant/solo/core/store/rows"
	"github.com/solo-assistant/solo/core/supervise"
	"github.com/solo-assistant/solo/models"
	"github.com/solo-assistant/solo/models/gpu"
	"github.com/solo-assistant/solo/models/router"
)

// vitals keep what /status tells. What takes time to find out is found out beside the asking, at most every two seconds,
// and only while somebody asks. It is a supervise.Service.
type vitals struct {
	s     *assistant
	st    *store.Store
	db    *rows.DB
	cards *gpu.Reader
	want  chan struct{} // room for one: somebody asked

	mu    sync.Mutex
	turns []web.Turn // the newest last
	llm   web.LLM
	slow  slow
	names map[string]string // of engines; never changed
	named time.Time
}

// slow is what takes time to find out.
type slow struct {
	at       time.Time
	database web.Database
	memory   web.Memory
	gpu      []web.GPU
	note     string
	process  web.Process
	busy     float64 // processor time of the tree so far, in seconds
}

const (
	vitalsEvery = 2 * time.Second
	turnsShown  = 30
)

func newVitals(s *assistant, st *store.Store, db *rows.DB) *vitals {
	v := &vitals{s: s, st: st, db: db, cards: gpu.New(gpu.Config{}), want: make(chan struct{}, 1)}
	s.bus.Tap(v.hear)
	return v
}

func (v *vitals) String() string { return "vitals" }

// Serve finds out what is asked for until ctx ends.
func (v *vitals) Serve(ctx context.Context) error {
	supervise.Ready(ctx)
	defer v.cards.Close()
	for {
		select {
		case <-v.want:
			now := v.look(ctx)
			v.mu.Lock()
			v.slow = now
			v.mu.Unlock()
		case <-ctx.Done():
			return nil
		}
	}
}

// hear notes turns and what language models did.
func (v *vitals) hear(m bus.Meta, e any) {
	switch e := e.(type) {
	case event.Turned:
		v.mu.Lock()
		defer v.mu.Unlock()
		v.turns = append(v.turns, web.Turn{Turn: m.Turn, At: m.At, Outcome: e.Outcome, Heard: e.Heard, Spoken: e.Spoken, Endpoint: e.Endpoint.Milliseconds(),
			STT: e.STT.Milliseconds(), Think: e.Think.Milliseconds(), FirstAudio: e.FirstAudio.Milliseconds(), Total: e.Total().Milliseconds()})
		v.turns = v.turns[max(0, len(v.turns)-turnsShown):]
	case router.Asked:
		if e.Usage.Engine == "" || e.FromCache {
			return
		}
		v.mu.Lock()
		defer v.mu.Unlock()
		v.llm = v.s.usage(e)
	}
}

// usage is one request to a model as it is shown. Where the engine tells no times, those that Solo measured stand in.
func (s *assistant) usage(e router.Asked) web.LLM {
	u := e.Usage
	l := web.LLM{Engine: u.Engine, Model: u.Model, First: e.FirstToken.Milliseconds()}
	for _, w := range works {
		if name, _, cloud := s.brain.router.Provider(w); name == u.Engine {
			l.Cloud = cloud
		}
	}
	if u.Reading > 0 {
		l.PromptTPS = float64(u.Prompt-u.Cached) / u.Reading.Seconds()
	}
	if writing := cmp.Or(u.Writing, e.Took-e.FirstToken); writing > 0 {
		l.GenTPS = float64(u.Generated) / writing.Seconds()
	}
	return l
}

// Status is how everything is, from memory.
func (v *vitals) Status() web.Status {
	v.mu.Lock()
	if time.Since(v.slow.at) > vitalsEvery {
		select {
		case v.want <- struct{}{}:
		default: // somebody else asked
		}
	}
	turns, llm, slow := slices.Clone(v.turns), v.llm, v.slow
	v.mu.Unlock()
	slices.Reverse(turns)
	st := web.Status{State: string(v.s.dialog.State()), Uptime: time.Since(v.s.started).Seconds(), Engines: v.engines(), LLM: llm,
		Database: slow.database, Memory: slow.memory, GPU: slow.gpu, GPUNote: slow.note, Process: slow.process, Turns: turns, Lacks: slices.Concat(v.s.lacks, v.s.brain.lacks, v.s.levels.troubles())}
	if st.LLM.Engine == "" && v.s.brain.router != nil {
		st.LLM.Engine, st.LLM.Model, st.LLM.Cloud = v.s.brain.router.Provider(models.Quick)
	}
	for _, k := range v.s.tree.States() {
		one := web.Service{Name: k.Name, State: string(k.State), Restarts: k.Restarts, Since: k.Since}
		if k.Err != nil {
			one.Error = k.Err.Error()
		}
		st.Services = append(st.Services, one)
	}
	st.Audio = v.s.levels.audio()
	st.Audio.Muted = v.s.hearing.muted()
	return st
}

// engines are the names of what Solo runs on, by their jobs. Some are looked up on the disk, so that they are kept a while.
func (v *vitals) engines() map[string]string {
	v.mu.Lock()
	names, at := v.names, v.named
	v.mu.Unlock()
	if time.Since(at) <= vitalsEvery {
		return names
	}
	names = map[string]string{"database": databaseName(v.db)}
	for _, e := range v.s.engines() {
		if e.Found {
			names[e.Job] = strings.TrimSpace(e.Name + " " + e.Version)
		}
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.names, v.named = names, time.Now()
	return names
}

// databaseName is the engine of the rows, with its version where it is a part of Solo.
func databaseName(db *rows.DB) string {
	if db.Engine() == rows.SQLite {
		return "sqlite " + libraries()["modernc.org/sqlite"]
	}
	return string(db.Engine())
}

// look finds out what takes time.
func (v *vitals) look(ctx context.Context) slow {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	now := slow{database: web.Database{Engine: string(v.db.Engine())}}
	if t, err := v.st.Tally(ctx); err == nil {
		now.database.OK = true
		now.memory = web.Memory{Facts: t.Facts, Tasks: t.Tasks, Timers: t.Timers + t.Reminders}
	}
	now.memory.Recall = v.s.memory.Meaning()
	if docs, err := v.s.bookcase.List(ctx); err == nil {
		now.memory.Documents = int64(len(docs))
	}
	for _, end := range []string{"", "-wal"} {
		if f, err := os.Stat(v.db.Path() + end); err == nil {
			now.database.Bytes += f.Size()
		}
	}
	v.mu.Lock()
	before := v.slow
	v.mu.Unlock()
	pids := now.take(ctx, before)
	now.gpu, now.note = v.graphics(ctx, pids)
	now.at = time.Now()
	return now
}

// take measures Solo and the programs that it runs, and gives their process ids.
func (n *slow) take(ctx context.Context, before slow) map[int]bool {
	n.process.Goroutines = runtime.NumGoroutine()
	pids := map[int]bool{os.Getpid(): true}
	own, err := ps.NewProcessWithContext(ctx, int32(os.Getpid()))
	if err != nil {
		return pids
	}
	family := []*ps.Process{own}
	for i := 0; i < len(family); i++ { // it grows by the children
		children, _ := family[i].ChildrenWithContext(ctx) // none is an error too
		family = append(family, children...)
		pids[int(family[i].Pid)] = true
		if m, err := family[i].MemoryInfoWithContext(ctx); err == nil {
			n.process.Tree += int64(m.RSS)
			if i == 0 {
				n.process.RSS = int64(m.RSS)
			}
		}
		if t, err := family[i].TimesWithContext(ctx); err == nil {
			n.busy += t.User + t.System
		}
	}
	if gap := time.Since(before.at).Seconds(); !before.at.IsZero() && gap > 0 && gap < time.Minute.Seconds() {
		n.process.CPU = max(0, (n.busy-before.busy)/gap)
	}
	return pids
}

func (v *vitals) graphics(ctx context.Context, own map[int]bool) (all []web.GPU, note string) {
	cards, err := v.cards.Cards(ctx)
	for _, c := range cards {
		g := web.GPU{Name: c.Name, Used: c.MemUsed, Total: c.MemTotal, Util: max(0, float64(c.Util)/100), Temp: float64(c.Temp), Power: c.Power}
		for pid, bytes := range c.Processes {
			if own[pid] {
				g.Own += bytes
			}
		}
		all = append(all, g)
	}
	if errors.Is(err, gpu.ErrNone) {
		return nil, gpu.ErrNone.Error()
	}
	if err != nil {
		note = err.Error()
	}
	return all, note
}

// unready are the services that are not up. What Solo tells itself at the start keeps nobody waiting.
func (s *assistant) unready() []string {
	var list []string
	for _, k := range s.tree.States() {
		if k.Name == (check{}).String() || k.Name == (opened{}).String() {
			continue
		}
		if k.State != supervise.Up && k.State != supervise.Done {
			list = append(list, k.Name)
		}
	}
	return list
}
