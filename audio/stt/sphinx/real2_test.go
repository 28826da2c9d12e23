//go:build sphinx && cgo
package sphinx

import ("syscall";"runtime";"testing";"os";"strings";"fmt";"time";"context";"path/filepath";"sort"; "github.com/solo-assistant/solo/core/intent")

func rss() string { b, _ := os.ReadFile("/proc/self/status"); for _, l := range strings.Split(string(b), "\n") { if strings.HasPrefix(l, "VmRSS") { return l } }; return "" }
func rawf(p string) []int16 { b, _ := os.ReadFile(p); o := make([]int16, len(b)/2); for i := range o { o[i] = int16(uint16(b[2*i])|uint16(b[2*i+1])<<8) }; return o }
func cpu() time.Duration { var u syscall.Rusage; syscall.Getrusage(1, &u); return time.Duration(u.Utime.Nano()+u.Stime.Nano()) }
func TestReal2(t *testing.T) {
	runtime.LockOSThread()
	extra = strings.Fields(os.Getenv("EX"))
	c := intent.English()
	if v := os.Getenv("FP"); v != "" { fmt.Sscan(v, &freeProb) }
	fmt.Println(rss())
	t0 := cpu()
	cfg := Config{Grammar: c.JSGF(), Cache: t.TempDir()}
	if os.Getenv("TRI") != "" { cfg.Sentences = c.Sentences(); cfg.Classes = c.Classes() }
	fmt.Println("texts", cpu()-t0); t0 = cpu()
	e, err := New(cfg); if err != nil { t.Fatal(err) }
	fmt.Println("new", cpu()-t0, rss()); t0 = cpu()
	e.Close()
	e, err = New(cfg); if err != nil { t.Fatal(err) }
	fmt.Println("again", cpu()-t0, rss())
	txt, _ := os.ReadFile("testdata/solo.txt"); lines := strings.Split(strings.TrimSpace(string(txt)), "\n")
	files, _ := filepath.Glob("/tmp/sphinx/solo/*-slt.raw"); ood, _ := filepath.Glob("/tmp/sphinx/ood/*.raw")
	var live, fin time.Duration; n := 0; var lats []float64; ok := 0
	for _, f := range append(files, ood...) {
		x := rawf(f); if len(x) > 16000*12 { x = x[:16000*12] }
		n += len(x)
		s, err := e.Open(context.Background()); if err != nil { t.Fatal(err) }
		c0 := cpu()
		for i := 0; i < len(x); i += 320 { if err := s.Feed(x[i:min(len(x), i+320)]); err != nil { t.Fatal(err) } }
		live += cpu()-c0; p := s.Partial(); c0 = cpu()
		r, err := s.Finish(context.Background()); d := cpu()-c0; fin += d; lats = append(lats, d.Seconds()*1000)
		var k int; want := ""; if strings.HasSuffix(f, "-slt.raw") { fmt.Sscanf(filepath.Base(f), "%d", &k); want = lines[k-1] }
		if r.Text == want { ok++ } 
		if os.Getenv("V") != "" && (r.Text != want || want == "") { fmt.Printf("%-22s %.0fms %.3f %s | %s | p: %s %v %s\n", filepath.Base(f), lats[len(lats)-1], r.Sure, want, r.Text, p, err, r.Engine) }
		s.Close()
	}
	sort.Float64s(lats)
	fmt.Printf("ok %d/%d live rtf %.4f fin rtf %.4f p50 %.0f p95 %.0f %s\n", ok, len(files), live.Seconds()/(float64(n)/16000), fin.Seconds()/(float64(n)/16000), lats[len(lats)/2], lats[len(lats)*95/100], rss())
}
