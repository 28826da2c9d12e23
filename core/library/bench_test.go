package library_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/solo-assistant/solo/core/library"
	"github.com/solo-assistant/solo/core/store"
	"github.com/solo-assistant/solo/core/store/rows"
	"github.com/solo-assistant/solo/core/store/rows/rowstest"
)

// babble makes texts whose words are as frequent as those of a language: the n-th word comes 1/n as often as the first.
type babble struct {
	r     *rand.Rand
	zipf  *rand.Zipf
	words []string
}

func newBabble() *babble {
	b := &babble{r: rand.New(rand.NewPCG(1, 2))}
	syllables := strings.Fields("ka lo mi ru te san ber dol fin gar hul jor kem lat mon nir pol quen ras tib ulm ver wis yan zor")
	for i := range 60_000 {
		w := ""
		for n := i + 30; n > 0; n /= len(syllables) {
			w += syllables[n%len(syllables)]
		}
		b.words = append(b.words, w)
	}
	b.zipf = rand.NewZipf(b.r, 1.07, 8, uint64(len(b.words)-1))
	return b
}

func (b *babble) text(words int) string {
	var out strings.Builder
	for i := range words {
		if i > 0 && i%14 == 0 {
			out.WriteString(".")
		}
		out.WriteString(" " + b.words[b.zipf.Uint64()])
	}
	return out.String()[1:] + "."
}

// question is some words, as frequent as they are in the texts, but for the most frequent ones: in a question those are
// left out, since they say nothing.
func (b *babble) question(words int) string {
	var out []string
	for len(out) < words {
		if n := b.zipf.Uint64(); n >= 60 {
			out = append(out, b.words[n])
		}
	}
	return strings.Join(out, " ")
}

// BenchmarkSearch asks questions of two to six words of 100,000 passages of 220 words.
func BenchmarkSearch(b *testing.B) {
	const documents, each = 5_000, 20
	db := rowstest.Open(b, rows.Config{Path: filepath.Join(b.TempDir(), "solo.db")})
	keep, talk := store.New(db, rowstest.Owner(b, db)).Library(), newBabble()
	began := time.Now()
	for from := 0; from < documents; from += 50 {
		var batch []library.Reading
		for i := from; i < from+50; i++ {
			r := library.Reading{Document: library.Document{Path: fmt.Sprintf("/library/%d.txt", i)}, Text: library.Text{Hash: fmt.Sprint(i), Title: fmt.Sprint(i), Pages: each, Version: library.Version}}
			for p := range each {
				r.Chunks = append(r.Chunks, library.Chunk{Page: p + 1, Text: talk.text(220)})
			}
			batch = append(batch, r)
		}
		if _, err := keep.PutReadings(b.Context(), batch...); err != nil {
			b.Fatal(err)
		}
	}
	b.Logf("%d passages in %v", documents*each, time.Since(began).Round(time.Second))
	l := library.New(library.Config{Own: "/library", Rows: keep, Reader: plain{}})
	var took []time.Duration
	for b.Loop() {
		question := talk.question(2 + talk.r.IntN(5))
		start := time.Now()
		if _, err := l.Search(b.Context(), question, 10); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(start))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms")
}
