//go:build sphinx && cgo

package sphinx

import ("testing";"os";"fmt";"path/filepath";"strings";"sort")

func TestExpFeat(t *testing.T) {
	d, err := openDecoder("-hmm", M+"/en-us", "-dict", "/tmp/sphinx/all.dict", "-remove_silence", "no"); if err != nil { t.Fatal(err) }
	d.addGrammar("solo", "/tmp/sphinx/solo.fsg", 6.5); d.addGrammar("coffee", "/tmp/sphinx/coffee.fsg", 6.5); d.addGrammar("loop", "/tmp/sphinx/loop.fsg", 1)
	out, _ := os.Create("/tmp/sphinx/feat.csv"); defer out.Close()
	txt, _ := os.ReadFile("testdata/solo.txt"); lines := strings.Split(strings.TrimSpace(string(txt)), "\n")
	noise := map[string][]int16{"": nil}
	for _, n := range []string{"tau2_people_talking_babble", "sb_noise2"} { noise[n] = rawf("/tmp/sphinx/noise/"+n+".raw") }
	isw := func(w string) bool { return !strings.HasPrefix(w, "<") && !strings.HasPrefix(w, "[") && !strings.HasPrefix(w, "(") }
	run := func(set, g, f string, in bool, nz string, i int) {
		x := rawf(f); if len(x) > 16000*12 { x = x[:16000*12] }
		if noise[nz] != nil { x = mix(x, noise[nz], 10, i*7919) }
		y := cut(x, voiced(x))
		d.use(g); d.begin(); d.feed(y, true); d.end(); s, _ := d.text()
		ac, n, fill, total := 0, 0, 0, 0; worst := 0.0; var per []float64
		for _, w := range d.words() { l := w.to-w.from+1; total += l; if isw(w.word) { ac += w.acoustic; n += l; v := float64(w.acoustic)/float64(l); per = append(per, v); if v < worst { worst = v } } else if w.word != "<sil>" && w.word != "(NULL)" { fill += l } }
		sort.Float64s(per); med := 0.0; if len(per) > 0 { med = per[len(per)/2] }
		d.use("loop"); d.begin(); d.feed(y, true); d.end(); la, ln := 0, 0
		for _, w := range d.words() { if isw(w.word) { la += w.acoustic; ln += w.to-w.from+1 } }
		if set == "solo" { var k int; fmt.Sscanf(filepath.Base(f), "%d", &k); if g == "solo" && lines[k-1] != s { return } }
		fmt.Fprintf(out, "%s,%s,%v,%s,%s,%.2f,%.2f,%.2f,%.3f,%.3f,%.2f,%.4f,%s\n", set, g, in, nz, filepath.Base(f), float64(ac)/float64(max(1,n)), worst, med, float64(n)/float64(max(1,total)), float64(fill)/float64(max(1,total)), float64(la)/float64(max(1,ln)), float64(len(strings.Fields(s)))/float64(len(y))*16000, s)
	}
	sets := map[string]string{"coffee":"/tmp/sphinx/raw/*.raw","solo":"/tmp/sphinx/solo/*.raw","ood":"/tmp/sphinx/ood/*.raw"}
	for nz := range noise { for set, pat := range sets { for _, g := range []string{"coffee","solo"} {
		files, _ := filepath.Glob(pat)
		for i, f := range files { if set == "solo" && (strings.Contains(f, "-en-") || i%3 != 0) { continue }; run(set, g, f, set == g, nz, i) }
	}}}
}
