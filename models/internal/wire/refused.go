package wire

import "sync"

// mostRefused bounds what is remembered.
const mostRefused = 1000

// Refused remembers what a server does not take of a request: fields, schemas. The zero Refused is empty; it is safe
// for use by several goroutines.
type Refused struct {
	mu  sync.Mutex
	all map[string]bool
}

// Note remembers one thing more; false when it is known already, or when there is too much of it.
func (r *Refused) Note(what string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.all[what] || len(r.all) > mostRefused {
		return false
	}
	if r.all == nil {
		r.all = map[string]bool{}
	}
	r.all[what] = true
	return true
}

// Has says whether something is refused.
func (r *Refused) Has(what string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.all[what]
}
