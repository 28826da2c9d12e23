package ear_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/solo-assistant/solo/audio/wake/own/internal/ear"
)

// golden reads embeddings, each behind a line that begins with "#".
func golden(t *testing.T) (all [][]float32) {
	t.Helper()
	text, err := os.ReadFile("testdata/embeddings.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			all = append(all, nil)
			continue
		}
		for _, f := range strings.Fields(line) {
			v, err := strconv.ParseFloat(f, 32)
			if err != nil {
				t.Fatal(err)
			}
			all[len(all)-1] = append(all[len(all)-1], float32(v))
		}
	}
	for i, e := range all {
		if len(e) != ear.Size {
			t.Fatalf("embedding %d has %d numbers", i, len(e))
		}
	}
	return all
}
