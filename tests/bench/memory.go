package main

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/philippgille/chromem-go"

	remember "github.com/solo-assistant/solo/core/memory"
	"github.com/solo-assistant/solo/core/rank"
	"github.com/solo-assistant/solo/core/store"
	"github.com/solo-assistant/solo/core/store/rows"
	"github.com/solo-assistant/solo/core/vector/slab"
)

const (
	memories   = 100_000
	numbers    = 384 // of a vector
	questions  = 200
	writes     = 100
	fewAnswers = 10
)

// measureMemory measures the memory at a hundred thousand rows, beside plain FTS5 and plain chromem-go in the same run.
// The vectors are random: they cost what real ones cost, and tell nothing.
func measureMemory(ctx context.Context, b *bench) (section, error) {
	var s section
	dir := filepath.Join(b.dir, "memory")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return s, err
	}
	defer os.RemoveAll(dir)
	r := rand.New(rand.NewPCG(7, 7))
	texts := inventTexts(r, memories)
	t := newTable("", "p50, ms", "p95, ms")
	line := func(what string, ms []float64) {
		t.row(what, figure(percentile(ms, 0.5)), figure(percentile(ms, 0.95)))
	}
	path := filepath.Join(dir, "solo.db")
	if err := fillMemory(ctx, &s, path, texts); err != nil {
		return s, err
	}
	began := time.Now()
	db, err := rows.Open(ctx, rows.Config{Path: path})
	if err != nil {
		return s, err
	}
	defer db.Close()
	user, err := db.User(ctx, "owner")
	if err != nil {
		return s, err
	}
	kept := store.New(db, user).Memory()
	em := &randomVectors{r: r}
	m := remember.New(remember.Config{Rows: kept, Embedder: em, Near: func(n int) remember.Vectors { return slab.New(n) }})
	if _, err := m.Search(ctx, "the first question", fewAnswers); err != nil {
		return s, err
	}
	start := time.Since(began)
	asked := make([]string, questions)
	for i := range asked {
		words := strings.Fields(texts[r.IntN(len(texts))])
		asked[i] = strings.Join(words[:min(len(words), 3+r.IntN(6))], " ")
	}
	search := func() ([]float64, error) {
		return timed(asked, func(q string) error { _, err := m.Search(ctx, q, fewAnswers); return err })
	}
	byWords, err := search()
	if err != nil {
		return s, err
	}
	line("recall by words", byWords)
	wrote, err := timed(texts[:writes], func(text string) error { _, err := m.Keep(ctx, text+" again", "typed"); return err })
	if err != nil {
		return s, err
	}
	line("writing one", wrote)
	if err := giveVectors(ctx, kept, em); err != nil {
		return s, err
	}
	loaded, err := loadVectors(ctx, m)
	if err != nil {
		return s, err
	}
	both, err := search()
	if err != nil {
		return s, err
	}
	line("recall by words and 384 numbers", both)
	plain, err := plainFTS(ctx, filepath.Join(dir, "plain.db"), texts, asked)
	if err != nil {
		return s, err
	}
	line("plain FTS5, any of the words by bm25", plain)
	if plain, err = plainChromem(ctx, em); err != nil {
		return s, err
	}
	line("plain chromem-go, 384 numbers", plain)
	s.goals = append(s.goals,
		atMost("recall by words among 100,000, p50", percentile(byWords, 0.5), 15, "ms"), atMost("recall by words among 100,000, p95", percentile(byWords, 0.95), 40, "ms"),
		atMost("writing a memory, p95", percentile(wrote, 0.95), 5, "ms"), atMost("from start to the first recall", start.Seconds(), 1, "s"),
		atMost("recall by words and vectors, p95", percentile(both, 0.95), 60, "ms"))
	s.text += fmt.Sprintf("%d memories of 8 to 25 invented words whose frequencies fall as those of a language do, %d questions of 3 to 8 words of one of them; the vectors are random.\n\n%s\nThe vectors were loaded behind it in %.1f s.\n",
		memories, questions, t.String(), loaded.Seconds())
	return s, nil
}

func timed(list []string, do func(string) error) ([]float64, error) {
	var ms []float64
	for _, one := range list {
		began := time.Now()
		if err := do(one); err != nil {
			return nil, err
		}
		ms = append(ms, float64(time.Since(began).Microseconds())/1000)
	}
	return ms, nil
}

// inventTexts makes texts of invented words.
func inventTexts(r *rand.Rand, n int) []string {
	words := make([]string, 30_000)
	for i := range words {
		for range 2 + r.IntN(3) {
			words[i] += string("bcdfghklmnprstvwz"[r.IntN(17)]) + string("aeiou"[r.IntN(5)])
		}
	}
	zipf := rand.NewZipf(r, 1.05, 8, uint64(len(words)-1))
	texts := make([]string, n)
	for i := range texts {
		said := make([]string, 8+r.IntN(18))
		for k := range said {
			said[k] = words[zipf.Uint64()]
		}
		texts[i] = strings.Join(said, " ")
	}
	return texts
}

func fillMemory(ctx context.Context, s *section, path string, texts []string) error {
	db, err := rows.Open(ctx, rows.Config{Path: path})
	if err != nil {
		return err
	}
	defer db.Close()
	user, err := db.User(ctx, "owner")
	if err != nil {
		return err
	}
	m := remember.New(remember.Config{Rows: store.New(db, user).Memory()})
	began := time.Now()
	for i := 0; i < len(texts); i += 1000 {
		var items []remember.Item
		for k := i; k < min(i+1000, len(texts)); k++ {
			items = append(items, remember.Item{Key: fmt.Sprint(k), Text: texts[k], Session: fmt.Sprint(k / 40)})
		}
		if _, err := m.Import(ctx, items...); err != nil {
			return err
		}
	}
	rate := float64(len(texts)) / time.Since(began).Seconds()
	s.goals = append(s.goals, goal{"importing memories", figure(rate) + " rows/s", "at least 2000 rows/s", rate >= 2000})
	return nil
}

// randomVectors is an embedding model that knows nothing.
type randomVectors struct{ r *rand.Rand }

func (randomVectors) Model(context.Context) string { return "random" }

func (v *randomVectors) Embed(_ context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i := range out {
		out[i] = make([]float32, numbers)
		for k := range out[i] {
			out[i][k] = float32(v.r.NormFloat64())
		}
	}
	return out, nil
}

func giveVectors(ctx context.Context, kept store.Memory, v *randomVectors) error {
	for {
		items, err := kept.Unread(ctx, "random", 0, 2000)
		if err != nil || len(items) == 0 {
			return err
		}
		ids, texts := make([]int64, len(items)), make([]string, len(items))
		for i, it := range items {
			ids[i] = it.ID
		}
		vectors, _ := v.Embed(ctx, texts) // it cannot fail
		if err := kept.PutVectors(ctx, "random", ids, vectors); err != nil {
			return err
		}
	}
}

// loadVectors serves the memory until its vectors are loaded.
func loadVectors(ctx context.Context, m *remember.Memory) (time.Duration, error) {
	ctx, stop := context.WithCancel(ctx)
	done := make(chan error, 1)
	began := time.Now()
	go func() { done <- m.Serve(ctx) }()
	for !strings.Contains(m.Meaning(), "random") || strings.Contains(m.Meaning(), "so far") {
		if time.Since(began) > 3*time.Minute {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	took := time.Since(began)
	stop()
	return took, <-done
}

func plainFTS(ctx context.Context, path string, texts, asked []string) ([]float64, error) {
	db, err := sql.Open("sqlite", path)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	if _, err := db.ExecContext(ctx, "CREATE VIRTUAL TABLE plain USING fts5 (text, tokenize = 'porter unicode61')"); err != nil {
		return nil, err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	for _, t := range texts {
		if _, err := tx.ExecContext(ctx, "INSERT INTO plain (text) VALUES (?)", t); err != nil {
			return nil, err
		}
	}
	if err := tx.Commit(); err != nil {
		return nil, err
	}
	return timed(asked, func(q string) error {
		rows, err := db.QueryContext(ctx, "SELECT rowid FROM plain WHERE plain MATCH ? ORDER BY rank LIMIT 10", strings.Join(rank.Tokens(q), " OR "))
		if err != nil {
			return err
		}
		for rows.Next() {
		}
		return rows.Close()
	})
}

func plainChromem(ctx context.Context, v *randomVectors) ([]float64, error) {
	c, err := chromem.NewDB().CreateCollection("plain", nil, nil)
	if err != nil {
		return nil, err
	}
	vectors, _ := v.Embed(ctx, make([]string, memories)) // it cannot fail
	docs := make([]chromem.Document, memories)
	for i := range docs {
		docs[i] = chromem.Document{ID: fmt.Sprint(i), Embedding: vectors[i], Content: "x"}
	}
	if err := c.AddDocuments(ctx, docs, 2); err != nil {
		return nil, err
	}
	return timed(make([]string, 40), func(string) error {
		q, _ := v.Embed(ctx, []string{""}) // it cannot fail
		_, err := c.QueryEmbedding(ctx, q[0], fewAnswers, nil, nil)
		return err
	})
}
