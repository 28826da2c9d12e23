package sphinx

import ("testing";"os";"strings";"fmt";"time"; "github.com/solo-assistant/solo/core/intent")

func TestReal(t *testing.T) {
	c := intent.English()
	os.WriteFile("/tmp/sphinx/intent/g.jsgf", []byte(c.JSGF()), 0o644)
	os.WriteFile("/tmp/sphinx/intent/s.txt", []byte(strings.Join(c.Sentences(), "\n")), 0o644)
	t0 := time.Now()
	rs, err := parseJSGF(c.JSGF()); if err != nil { t.Fatal(err) }
	a, err := rs.compile(); if err != nil { t.Fatal(err) }
	n := 0; for _, x := range a.arcs { n += len(x) }
	fmt.Println("states", len(a.arcs), "arcs", n, "words", len(a.words()), time.Since(t0))
	t0 = time.Now()
	x := estimate(c.Sentences(), c.Classes()); y := x.String()
	fmt.Println("trigram", len(y), len(x.words()), time.Since(t0))
	for k, v := range c.Classes() { fmt.Println(k, len(v)) }
}
