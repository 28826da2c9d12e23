//go:build sphinx && cgo

package sphinx

import ("testing";"os";"fmt";"path/filepath";"encoding/binary";"math";"time";"sort";"strings")

func rawf(p string) []int16 { b, _ := os.ReadFile(p); o := make([]int16, len(b)/2); for i := range o { o[i] = int16(binary.LittleEndian.Uint16(b[2*i:])) }; return o }
func rms(x []int16) float64 { s := 0.0; for _, v := range x { s += float64(v)*float64(v) }; return math.Sqrt(s/float64(len(x))+1e-9) }
func mix(x, n []int16, db float64, off int) []int16 {
	g := rms(x)/rms(n)/math.Pow(10, db/20); o := make([]int16, len(x))
	for i := range x { v := float64(x[i]) + g*float64(n[(i+off)%len(n)]); o[i] = int16(max(-32767, min(32767, v))) }
	return o
}
const M = "/usr/share/pocketsphinx/model/en-us"
func TestExpDecode(t *testing.T) {
	files, _ := filepath.Glob("/tmp/sphinx/raw/*.raw")
	noises := []string{"", "tau2_people_talking_babble", "sb_noise1", "sb_noise2", "pv_kitchen", "librosa_ragtime"}
	type variant struct { name string; trim, whole bool; args []string }
	vs := []variant{
		{"A rs", false, true, []string{"-remove_silence", "yes"}},
		{"A live", false, false, []string{"-remove_silence", "yes", "-cmn", "live"}},
		{"B trim", true, true, []string{"-remove_silence", "no"}},
		{"C trim nn", true, true, []string{"-remove_silence", "no", "-remove_noise", "no"}},
		{"D trim+rs", true, true, []string{"-remove_silence", "yes"}},
	}
	if v := os.Getenv("VS"); v != "" { vs = nil; for _, l := range strings.Split(v, ";") { f := strings.Fields(l); vs = append(vs, variant{l, strings.Contains(f[0], "t"), strings.Contains(f[0], "w"), f[1:]}) } }
	for _, v := range vs {
		args := append([]string{"-hmm", M+"/en-us", "-dict", M+"/cmudict-en-us.dict", "-logfn", "/dev/null"}, v.args...)
		d, err := openDecoder(args...); if err != nil { t.Fatal(err) }
		if err := d.addGrammar("g", "/tmp/sphinx/coffee.fsg", 6.5); err != nil { t.Fatal(err) }
		d.use("g")
		for _, n := range noises {
			var nz []int16
			if n != "" { nz = rawf("/tmp/sphinx/noise/"+n+".raw") }
			o, _ := os.Create("/tmp/sphinx/out/"+strings.ReplaceAll(v.name, "/", "_")+"."+n)
			var el time.Duration; var tot int; var lat []float64
			for i, f := range files {
				x := rawf(f); if nz != nil { x = mix(x, nz, 10, i*7919) }
				t0 := time.Now()
				y := x; if v.trim { y = cut(x, voiced(x)) }
				d.begin()
				if v.whole { d.feed(y, true) } else { for j := 0; j < len(y); j += 320 { d.feed(y[j:min(len(y), j+320)], false) } }
				d.end()
				s, _ := d.text()
				el += time.Since(t0); lat = append(lat, float64(time.Since(t0).Milliseconds())); tot += len(x)
				fmt.Fprintf(o, "%s (%s 0)\n", s, strings.TrimSuffix(filepath.Base(f), ".raw"))
			}
			o.Close(); sort.Float64s(lat)
			fmt.Printf("%-10s %-30s rtf %.4f p95 %.0f ms\n", v.name, n, el.Seconds()/(float64(tot)/16000), lat[38])
		}
		d.close()
	}
}
