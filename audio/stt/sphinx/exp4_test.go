//go:build sphinx && cgo

package sphinx

import ("testing";"os";"fmt";"path/filepath";"time";"strings")

var phoneSet = strings.Fields("AA AE AH AO AW AY B CH D DH EH ER EY F G HH IH IY JH K L M N NG OW OY P R S SH T TH UH UW V W Y Z ZH")

func TestExpLoop(t *testing.T) {
	db, _ := os.ReadFile(M+"/cmudict-en-us.dict")
	for _, p := range phoneSet { db = append(db, []byte("_"+strings.ToLower(p)+" "+p+"\n")...) }
	os.WriteFile("/tmp/sphinx/all.dict", db, 0o644)
	var b strings.Builder; b.WriteString("FSG_BEGIN x\nNUM_STATES 2\nSTART_STATE 0\nFINAL_STATE 1\n")
	for _, p := range phoneSet { fmt.Fprintf(&b, "TRANSITION 0 1 0.0256 _%s\n", strings.ToLower(p)) }
	b.WriteString("TRANSITION 1 0 1.0\nFSG_END\n"); os.WriteFile("/tmp/sphinx/loop.fsg", []byte(b.String()), 0o644)
	for _, ci := range []string{"no", "yes"} {
	d, err := openDecoder("-hmm", M+"/en-us", "-dict", "/tmp/sphinx/all.dict", "-remove_silence", "no", "-allphone_ci", ci); if err != nil { t.Fatal(err) }
	d.addGrammar("coffee", "/tmp/sphinx/coffee.fsg", 6.5)
	if err := d.addGrammar("loop", "/tmp/sphinx/loop.fsg", 1); err != nil { t.Fatal(err) }
	d.addPhones("phones", M+"/en-us-phone.lm.bin")
	files, _ := filepath.Glob("/tmp/sphinx/raw/*.raw")
	for _, f := range files[:3] {
		x := rawf(f); y := cut(x, voiced(x))
		for _, g := range []string{"coffee","loop","phones"} {
			if g == "phones" && ci == "no" { continue }
			d.use(g); t0 := time.Now(); d.begin(); d.feed(y, true); d.end(); s, sc := d.text()
			fmt.Printf("%s %s %.2fs rtf %.4f score/frame %.1f %s\n", ci, g, float64(len(x))/16000, time.Since(t0).Seconds()/(float64(len(x))/16000), float64(sc)/float64(d.frames()), s)
		}
	}
	d.close()
	}
}
