//go:build sphinx && cgo

package sphinx

import ("testing";"os";"fmt";"path/filepath";"strings";"sort")

func TestExpVoice(t *testing.T) {
	txt, _ := os.ReadFile("testdata/solo.txt"); lines := strings.Split(strings.TrimSpace(string(txt)), "\n")
	d, err := openDecoder("-hmm", M+"/en-us", "-dict", "/tmp/sphinx/all.dict", "-remove_silence", "no"); if err != nil { t.Fatal(err) }
	d.addGrammar("solo", "/tmp/sphinx/solo.fsg", 6.5); d.use("solo")
	by := map[string][]float64{}; ok := map[string]int{}
	run := func(f string) (string, float64) {
		x := rawf(f); if len(x) > 16000*12 { x = x[:16000*12] }
		d.begin(); d.feed(cut(x, voiced(x)), true); d.end(); s, _ := d.text()
		ac, n := 0, 0; for _, w := range d.words() { if !strings.HasPrefix(w.word, "<") && !strings.HasPrefix(w.word, "[") && !strings.HasPrefix(w.word, "(") { ac += w.acoustic; n += w.to-w.from+1 } }
		return s, float64(ac)/float64(max(1,n))
	}
	files, _ := filepath.Glob("/tmp/sphinx/solo/*.raw")
	for _, f := range files { s, v := run(f); var k int; fmt.Sscanf(filepath.Base(f), "%d", &k); _, voice, _ := strings.Cut(strings.TrimSuffix(filepath.Base(f), ".raw"), "-")
		by[voice] = append(by[voice], v); if s == lines[k-1] { ok[voice]++ } else { fmt.Printf("   %-8s %.1f %s | %s\n", voice, v, lines[k-1], s) } }
	for k, v := range by { sort.Float64s(v); fmt.Printf("%s ok %d of %d min %.1f 10%% %.1f med %.1f max %.1f\n", k, ok[k], len(v), v[0], v[len(v)/10], v[len(v)/2], v[len(v)-1]) }
	files, _ = filepath.Glob("/tmp/sphinx/ood/*.raw")
	for _, f := range files { s, v := run(f); fmt.Printf("ood %s %.1f %s\n", filepath.Base(f), v, s) }
}
