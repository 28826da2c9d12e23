package library_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/solo-assistant/solo/core/library"
	"github.com/solo-assistant/solo/core/store/rows"
	"github.com/solo-assistant/solo/core/store/rows/rowstest"
)

// SOLO_EVAL is a folder with texts.jsonl of {id,title,text} and questions.jsonl of {q,ids}: what a question should find.
func TestQuality(t *testing.T) {
	dir := os.Getenv("SOLO_EVAL")
	if dir == "" {
		t.Skip("skipped: SOLO_EVAL names no folder of texts and questions")
	}
	db := rowstest.Open(t, rows.Config{Path: filepath.Join(dir, "eval.db")})
	l := open(t, db, filepath.Join(dir, "docs"), func(c *library.Config) { c.Readers = 2 })
	docs := filepath.Join(dir, "docs")
	if _, err := os.Stat(docs); err != nil {
		each := func(x map[string]any) { write(t, docs, x["id"].(string)+".txt", fmt.Sprint(x["text"])) }
		lines(t, filepath.Join(dir, "texts.jsonl"), each)
	}
	began := time.Now()
	stop := serve(t, l)
	for ; ; time.Sleep(200 * time.Millisecond) {
		s, err := l.Status(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if s.Documents > 0 && s.Waiting == 0 && len(s.Progress.Reading) == 0 {
			t.Logf("%d documents, %d passages in %v", s.Documents, s.Chunks, time.Since(began).Round(time.Millisecond))
			break
		}
	}
	stop()
	var m measure
	lines(t, filepath.Join(dir, "questions.jsonl"), func(x map[string]any) {
		var want []string
		for _, id := range x["ids"].([]any) {
			want = append(want, id.(string)+".txt")
		}
		start := time.Now()
		hits, err := l.Search(context.Background(), x["q"].(string), 100)
		if err != nil {
			t.Logf("%v: %v", x["q"], err)
		}
		var got []string
		for _, h := range hits {
			if !slices.Contains(got, h.Document) {
				got = append(got, h.Document)
			}
		}
		m.add(got, want, time.Since(start))
	})
	t.Log(m)
}

func lines(t testing.TB, path string, each func(map[string]any)) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	in.Buffer(nil, 1<<24)
	for in.Scan() {
		var x map[string]any
		if err := json.Unmarshal(in.Bytes(), &x); err != nil {
			t.Fatal(err)
		}
		each(x)
	}
}

// measure sums up how well questions were answered.
type measure struct {
	n                           int
	r1, r5, r10, r100, mrr, dcg float64
	took                        []time.Duration
}

func (m *measure) add(got, want []string, took time.Duration) {
	m.n++
	m.took = append(m.took, took)
	ideal, dcg, first := 0.0, 0.0, 0
	for i := range want {
		if i < 10 {
			ideal += 1 / math.Log2(float64(i+2))
		}
	}
	for i, g := range got {
		if !slices.Contains(want, g) {
			continue
		}
		if first == 0 {
			first = i + 1
		}
		part := 1 / float64(len(want))
		for _, at := range []struct {
			k int
			r *float64
		}{{1, &m.r1}, {5, &m.r5}, {10, &m.r10}, {100, &m.r100}} {
			if i < at.k {
				*at.r += part
			}
		}
		if i < 10 {
			dcg += 1 / math.Log2(float64(i+2))
		}
	}
	if first > 0 && first <= 10 {
		m.mrr += 1 / float64(first)
	}
	m.dcg += dcg / ideal
}

func (m measure) String() string {
	n := float64(m.n)
	slices.Sort(m.took)
	return fmt.Sprintf("%d questions: R@1 %.3f R@5 %.3f R@10 %.3f R@100 %.3f MRR@10 %.3f nDCG@10 %.3f, p50 %v p95 %v", m.n, m.r1/n, m.r5/n, m.r10/n, m.r100/n, m.mrr/n, m.dcg/n,
		m.took[m.n/2].Round(10*time.Microsecond), m.took[m.n*95/100].Round(10*time.Microsecond))
}
