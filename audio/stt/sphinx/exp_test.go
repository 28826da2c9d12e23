package sphinx

import ("testing";"os";"fmt")

func TestExpFSG(t *testing.T) {
	b, _ := os.ReadFile("/tmp/sphinx/coffee.jsgf")
	rs, err := parseJSGF(string(b)); if err != nil { t.Fatal(err) }
	a, err := rs.compile(); if err != nil { t.Fatal(err) }
	n := 0; for _, x := range a.arcs { n += len(x) }
	fmt.Println(len(a.arcs), n, len(a.words()))
	os.WriteFile("/tmp/sphinx/coffee.fsg", []byte(a.String()), 0o644)
	for s, arcs := range a.arcs { _ = s; p := 1/float64(len(arcs)); for i := range arcs { arcs[i].label.prob = p } }
	os.WriteFile("/tmp/sphinx/coffee-u.fsg", []byte(a.String()), 0o644)
}
