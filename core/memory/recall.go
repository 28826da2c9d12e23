package memory

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/solo-assistant/solo/core/rank"
	"github.com/solo-assistant/solo/core/words"
)

// A memory is about something when it holds at least the share enough of what was asked, and is not far behind the best.
const (
	enough = 0.3
	behind = 0.5
)

// most is how many memories one answer has at most.
const most = 1000

// Recall gives at most n things that the user told about something, the best first; n of 0 or less is all. "" and words
// that name nothing ("me", "that") give all, the newest first. A question of more than MaxText bytes is ErrTooLong.
func (m *Memory) Recall(ctx context.Context, about string, n int) ([]Item, error) {
	if len(about) > MaxText {
		return nil, ErrTooLong
	}
	if n <= 0 || n > most {
		n = most
	}
	if len(words.Content(about)) == 0 {
		return m.latest(ctx, n)
	}
	found, err := m.Search(ctx, about, most)
	var out []Item
	for _, f := range found {
		if f.Kind != Episode && f.Cover >= enough && f.Score >= behind*found[0].Score && len(out) < n {
			out = append(out, f.Item)
		}
	}
	return out, err
}

// Everything gives all that mentions something, what was only said in a talk and older values among it; where nothing
// mentions it by all its words, what Recall gives.
func (m *Memory) Everything(ctx context.Context, about string) ([]Item, error) {
	if len(words.Content(about)) == 0 {
		return nil, nil
	}
	var out []Item
	for after := int64(0); ; {
		items, err := m.c.Rows.After(ctx, after, 2000)
		if err != nil {
			return nil, fmt.Errorf("recalling: %w", err)
		}
		for _, it := range items {
			after = it.ID
			if Mentions(about, it.Text) {
				out = append(out, m.local(it))
			}
		}
		if len(items) < 2000 {
			break
		}
	}
	if len(out) == 0 {
		return m.Recall(ctx, about, 0)
	}
	return out, nil
}

// latest are the newest things that the user told.
func (m *Memory) latest(ctx context.Context, n int) ([]Item, error) {
	all, err := m.c.Rows.Latest(ctx, "", most)
	if err != nil {
		return nil, fmt.Errorf("recalling: %w", err)
	}
	all = slices.DeleteFunc(all, func(it Item) bool { return it.Kind == Episode || m.over(it) })
	return m.locals(all[:min(n, len(all))]), nil
}

// Profile lists the newest n things that tell who the user is.
func (m *Memory) Profile(ctx context.Context, n int) ([]Item, error) {
	all, err := m.c.Rows.Latest(ctx, Profile, n)
	if err != nil {
		return nil, fmt.Errorf("recalling who the user is: %w", err)
	}
	return m.locals(slices.DeleteFunc(all, m.over)), nil
}

func (m *Memory) over(it Item) bool { return !it.Expires.IsZero() && !it.Expires.After(m.c.Now()) }

// Search gives the k memories that answer a question best, the best first: by words, and by meaning where there are
// vectors. Older values are left out. Where no word of the question is known, what is newest is given, with a score of 0.
func (m *Memory) Search(ctx context.Context, question string, k int) ([]Found, error) {
	if len(question) > MaxText {
		return nil, ErrTooLong
	}
	k = min(max(k, 1), most)
	hits, err := rank.Search(ctx, m.index, rank.Parse(question), max(k, fused), m.c.Now())
	if err != nil {
		return nil, fmt.Errorf("recalling: %w", err)
	}
	found := make(map[int64]Found, len(hits))
	byWords := make([]int64, len(hits))
	for i, h := range hits {
		byWords[i] = h.ID
		found[h.ID] = Found{Score: h.Score, Cover: h.Cover}
	}
	order := byWords
	if byMeaning := m.meaning.nearest(ctx, question, fused); len(byMeaning) > 0 {
		var score map[int64]float64
		order, score = rank.Fuse([]float64{1, meant}, byWords, byMeaning)
		for id, s := range score {
			found[id] = Found{Score: s, Cover: found[id].Cover}
		}
	}
	if len(order) == 0 {
		return m.newest(ctx, k)
	}
	return m.read(ctx, order, found, k)
}

const (
	fused = 100 // of each ranking that are joined
	meant = 1.0 // weight of the ranking by meaning
)

func (m *Memory) newest(ctx context.Context, k int) ([]Found, error) {
	all, err := m.c.Rows.Latest(ctx, "", k)
	var out []Found
	for _, it := range m.locals(all) {
		out = append(out, Found{Item: it})
	}
	return out, err
}

// read gives the first k of an order that still hold.
func (m *Memory) read(ctx context.Context, order []int64, found map[int64]Found, k int) ([]Found, error) {
	items, err := m.c.Rows.Items(ctx, order[:min(len(order), k+fused)])
	if err != nil {
		return nil, fmt.Errorf("recalling: %w", err)
	}
	out := make([]Found, 0, len(items))
	for _, it := range items {
		if f := found[it.ID]; it.Replaced.IsZero() && !m.over(it) {
			f.Item = m.local(it)
			out = append(out, f)
		}
	}
	place := make(map[int64]int, len(order))
	for i, id := range order {
		place[id] = i
	}
	slices.SortFunc(out, func(a, b Found) int { return cmp.Compare(place[a.ID], place[b.ID]) })
	return out[:min(k, len(out))], nil
}

// index is the rows as ranking asks them.
type index struct {
	rows Rows
	now  func() time.Time

	mu    sync.Mutex
	span  rank.Span
	at    time.Time // when span was read
	vocab *rank.Vocabulary
}

const spanFor = 20 * time.Second // that a count may be old

func (x *index) Span(ctx context.Context) (rank.Span, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if age := time.Since(x.at); x.span.Count > 0 && age < spanFor {
		return x.span, nil
	}
	span, err := x.rows.Span(ctx)
	if err == nil {
		x.span, x.at = span, time.Now()
	}
	return span, err
}

func (x *index) Holding(ctx context.Context, groups [][]string, limit int) ([]int64, error) {
	return x.rows.Holding(ctx, groups, limit)
}

// priors are how much likelier a kind is to be meant.
var priors = map[Kind]float64{Profile: 0.04, Preference: 0.04, Fact: 0.03}

func (x *index) Read(ctx context.Context, ids []int64) ([]rank.Text, error) {
	items, err := x.rows.Items(ctx, ids)
	out := make([]rank.Text, 0, len(items))
	now := x.now()
	for _, it := range items {
		if !it.Replaced.IsZero() || !it.Expires.IsZero() && !it.Expires.After(now) {
			continue
		}
		out = append(out, rank.Text{ID: it.ID, Body: it.Text, Near: it.Near, At: it.At, Prior: priors[it.Kind]})
	}
	return out, err
}

// Words are the stems of all memories, read when they are first needed.
func (x *index) Words(ctx context.Context) (*rank.Vocabulary, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.vocab != nil {
		return x.vocab, nil
	}
	v := rank.NewVocabulary(nil)
	for after := int64(0); ; {
		items, err := x.rows.After(ctx, after, 2000)
		if err != nil {
			return nil, err
		}
		for _, it := range items {
			v.Learn(it.Text)
			after = it.ID
		}
		if len(items) < 2000 {
			x.vocab = v
			return v, nil
		}
	}
}

func (x *index) learned(items []Item) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, it := range items {
		if x.vocab != nil {
			x.vocab.Learn(it.Text)
		}
		if x.span.Count > 0 && it.ID > x.span.High {
			x.span.Count++
			x.span.High = it.ID
		}
	}
	if x.span.Count < 1000 || len(items) > 0 && items[0].ID == 0 { // an import
		x.at = time.Time{}
	}
}

// forgot drops what is known of the rows: words of what was forgotten must not be found any more.
func (x *index) forgot() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.vocab, x.at = nil, time.Time{}
}
