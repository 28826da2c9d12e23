package bus

import "slices"

// Stats is what passed over the bus so far. Counters belong to living subscriptions.
type Stats struct {
	Seq  uint64    `json:"seq"` // events published on the whole bus
	Pubs []PubStat `json:"publishers"`
	Subs []SubStat `json:"subscriptions"`
}

// PubStat counts what one part published of one type.
type PubStat struct {
	Name      string `json:"name"`
	Type      string `json:"type"`
	Published uint64 `json:"published"`
}

// SubStat says how one subscription fares. Each event published since it began is either delivered or dropped.
type SubStat struct {
	Name      string `json:"name"`
	Type      string `json:"type"`
	Policy    string `json:"policy"` // "block" or "drop oldest"
	Len       int    `json:"len"`    // events now queued
	Cap       int    `json:"cap"`
	Delivered uint64 `json:"delivered"` // read, or still queued
	Dropped   uint64 `json:"dropped"`
	Waits     uint64 `json:"waits"` // how often a publisher had to wait for it
}

// Stats returns the counters, ordered by name and type.
func (b *Bus) Stats() Stats {
	b.mu.Lock()
	defer b.mu.Unlock()
	st := Stats{Seq: b.seq.Load()}
	for _, p := range b.pubs {
		st.Pubs = append(st.Pubs, PubStat{p.from, p.typ.String(), p.count.Load()})
	}
	for _, s := range b.subs {
		st.Subs = append(st.Subs, s.stat())
	}
	slices.SortStableFunc(st.Pubs, func(a, b PubStat) int { return byNameAndType(a.Name, a.Type, b.Name, b.Type) })
	slices.SortStableFunc(st.Subs, func(a, b SubStat) int { return byNameAndType(a.Name, a.Type, b.Name, b.Type) })
	return st
}
