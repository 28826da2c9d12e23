package proc

import (
	"bytes"
	"slices"
	"strings"
	"sync"
)

const longestLine = 500 // bytes kept of one line

// words keeps the last lines written to it, in bounded memory.
type words struct {
	tell func(string) // may be nil; sees every line
	keep int

	mu   sync.Mutex
	last []string
	part []byte // a line without its end so far
}

func newWords(keep int, tell func(string)) *words { return &words{keep: keep, tell: tell} }

func (w *words) Write(p []byte) (int, error) {
	n := len(p)
	for {
		i := bytes.IndexAny(p, "\r\n")
		if i < 0 {
			w.extend(p)
			return n, nil
		}
		w.extend(p[:i])
		w.endLine()
		p = p[i+1:]
	}
}

func (w *words) extend(p []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.part = append(w.part, p[:min(len(p), longestLine-len(w.part))]...)
}

func (w *words) endLine() {
	w.mu.Lock()
	line := tidy(w.part)
	w.part = w.part[:0]
	if line != "" {
		w.last = append(w.last, line)
		w.last = w.last[max(0, len(w.last)-w.keep):]
	}
	w.mu.Unlock()
	if line != "" && w.tell != nil {
		w.tell(line)
	}
}

// lines returns what was said last, an unfinished line included.
func (w *words) lines() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	all := slices.Clone(w.last)
	if line := tidy(w.part); line != "" {
		all = append(all, line)
	}
	return all[max(0, len(all)-w.keep):]
}

func (w *words) reset() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.last, w.part = nil, nil
}

func tidy(line []byte) string {
	return strings.TrimSpace(strings.ToValidUTF8(string(line), "?"))
}
