//go:build sphinx && cgo

package sphinx

import ("testing";"os";"fmt";"path/filepath";"strings";"sort";"time")

func TestExpScore(t *testing.T) {
	txt, _ := os.ReadFile("testdata/solo.txt"); lines := strings.Split(strings.TrimSpace(string(txt)), "\n")
	gs := map[string]string{"coffee": "/tmp/sphinx/coffee.jsgf", "solo": "testdata/solo.jsgf"}
	open := func(a ...string) *decoder {
		d, err := openDecoder(append([]string{"-hmm", M+"/en-us", "-dict", "/tmp/sphinx/all.dict", "-remove_silence", "no"}, a...)...); if err != nil { t.Fatal(err) }
		for n, f := range gs {
			b, _ := os.ReadFile(f); rs, err := parseJSGF(string(b)); if err != nil { t.Fatal(err) }
			a, err := rs.compile(); if err != nil { t.Fatal(err) }
			os.WriteFile("/tmp/sphinx/"+n+".fsg", []byte(a.String()), 0o644)
			if err := d.addGrammar(n, "/tmp/sphinx/"+n+".fsg", 6.5); err != nil { t.Fatal(err) }
		}
		d.addGrammar("loop", "/tmp/sphinx/loop.fsg", 1)
		return d
	}
	d1, d2 := open(), open("-compallsen", "yes")
	sets := map[string]string{"coffee":"/tmp/sphinx/raw/*.raw","solo":"/tmp/sphinx/solo/*.raw","ood":"/tmp/sphinx/ood/*.raw"}
	babble := rawf("/tmp/sphinx/noise/tau2_people_talking_babble.raw")
	pass := func(d *decoder, g string, y []int16, el *time.Duration) (string, float64, float64) {
		d.use(g); t0 := time.Now(); d.begin(); d.feed(y, true); d.end(); s, sc := d.text(); *el += time.Since(t0)
		ac, n := 0, 0; for _, w := range d.words() { if !strings.HasPrefix(w.word, "<") && !strings.HasPrefix(w.word, "[") && !strings.HasPrefix(w.word, "(") { ac += w.acoustic; n += w.to-w.from+1 } }
		return s, float64(sc)/float64(d.frames()), float64(ac)/float64(max(1,n))
	}
	for _, g := range []string{"coffee","solo"} { for _, set := range []string{"coffee","solo","ood"} { for _, noisy := range []bool{false, true} {
		if noisy && set == "ood" { continue }
		files, _ := filepath.Glob(sets[set]); none := 0; var el [3]time.Duration; n := 0; right := 0
		diff := make([][]float64, 6)
		stride := 1; if set == "solo" { stride = 5 }; if set == "coffee" { stride = 2 }
		for i := 0; i < len(files); i += stride { f := files[i]
			x := rawf(f); if len(x) > 16000*12 { x = x[:16000*12] }
			if noisy { x = mix(x, babble, 10, i*7919) }
			y := cut(x, voiced(x)); n += len(x)
			s, a, b := pass(d1, g, y, &el[0])
			_, e, h := pass(d2, g, y, &el[1])
			_, l, m := pass(d1, "loop", y, &el[2])
			if s == "" { none++; continue }
			for k, v := range []float64{a, b, e, h, a-l, b-m} { diff[k] = append(diff[k], v) }
			if set == "solo" { var k int; fmt.Sscanf(filepath.Base(f), "%d", &k); if lines[k-1] == s { right++ } else if g == "solo" && !noisy { fmt.Println("   ", filepath.Base(f), lines[k-1], "|", s) } }
		}
		fmt.Printf("%s<-%s noisy=%v n=%d none=%d right=%d  rtf %.4f all %.4f loop %.4f\n", g, set, noisy, len(files)/stride, none, right, el[0].Seconds()/(float64(n)/16000), el[1].Seconds()/(float64(n)/16000), el[2].Seconds()/(float64(n)/16000))
		for k, nm := range []string{"path","words","path-all","words-all","path-loop","words-loop"} { v := diff[k]; if len(v) == 0 { continue }; sort.Float64s(v); q := func(p float64) float64 { return v[int(p*float64(len(v)-1))] }
			fmt.Printf("   %-12s min %.1f 5%% %.1f 25%% %.1f med %.1f 75%% %.1f 95%% %.1f max %.1f\n", nm, q(0), q(.05), q(.25), q(.5), q(.75), q(.95), q(1)) }
	}}}
}
