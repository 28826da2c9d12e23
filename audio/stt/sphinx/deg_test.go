package sphinx
import ("testing";"fmt";"sort"; "github.com/solo-assistant/solo/core/intent")
func TestDeg(t *testing.T) {
	rs, _ := parseJSGF(intent.English().JSGF()); a, _ := rs.compile()
	d := map[int]int{}; words := map[string]int{}; probs := map[float64]int{}
	for _, x := range a.arcs { d[len(x)]++; for _, y := range x { words[y.label.word]++; probs[y.label.prob]++ } }
	var k []int; for n := range d { k = append(k, n) }; sort.Ints(k)
	for _, n := range k { if n*d[n] > 300 { fmt.Println("deg", n, "x", d[n], "=", n*d[n]) } }
	fmt.Println(probs)
	type wc struct { w string; n int }; var ws []wc; for w, n := range words { ws = append(ws, wc{w, n}) }; sort.Slice(ws, func(i, j int) bool { return ws[i].n > ws[j].n }); fmt.Println(ws[:60])
}
