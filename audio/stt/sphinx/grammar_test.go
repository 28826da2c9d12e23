package sphinx

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"
)

// sentences lists what a graph says, in at most most words.
func (a *automaton) sentences(most int) []string {
	out := map[string]bool{}
	var walk func(state int, said []string)
	walk = func(state int, said []string) {
		if a.final[state] {
			out[strings.Join(said, " ")] = true
		}
		if len(said) == most {
			return
		}
		for _, t := range a.arcs[state] {
			next := slices.Clone(said)
			if t.label.word != freeMark && t.label.word != "" {
				next = append(next, t.label.word)
			}
			walk(t.to, next)
		}
	}
	walk(0, nil)
	return slices.Sorted(maps.Keys(out))
}

func TestGrammarSays(t *testing.T) {
	for name, tt := range map[string]struct {
		rules string
		want  []string
	}{
		"words":            {`public <a> = turn it Off;`, []string{"turn it off"}},
		"alternatives":     {`public <a> = (on | off) now | later;`, []string{"later", "off now", "on now"}},
		"optional":         {`public <a> = [please] stop [now];`, []string{"please stop", "please stop now", "stop", "stop now"}},
		"star":             {`public <a> = go on*;`, []string{"go", "go on", "go on on", "go on on on"}},
		"plus":             {`public <a> = (very | so)+ good day;`, []string{"so good day", "so so good day", "so very good day", "very good day", "very so good day", "very very good day"}},
		"rules":            {`public <a> = <b> <c>; <b> = x; <c> = y | <b>;`, []string{"x x", "x y"}},
		"two public":       {`public <a> = x; public <b> = y; <c> = z;`, []string{"x", "y"}},
		"quoted":           {`public <a> = "New York" city;`, []string{"new york city"}},
		"comments":         {"// one\npublic <a> = x /* two\n | y */ z; // three", []string{"x z"}},
		"tags":             {`public <a> = x {first} | y { second; third };`, []string{"x", "y"}},
		"weights":          {`public <a> = /10/ x | /0.1/ y;`, []string{"x", "y"}},
		"null":             {`public <a> = x <NULL> y;`, []string{"x y"}},
		"void":             {`public <a> = x | y <VOID>;`, []string{"x"}},
		"tail recursion":   {`public <a> = x [and <a>];`, []string{"x", "x and x"}},
		"contractions":     {`public <a> = what's o'clock;`, []string{"what's o'clock"}},
		"brackets touch":   {`public <a>=(x)[y](z|w);`, []string{"x w", "x y w", "x y z", "x z"}},
		"same beginning":   {`public <a> = set a timer | set a volume;`, []string{"set a timer", "set a volume"}},
		"several spellers": {`public <a> = x+ +;`, []string{"x", "x x", "x x x", "x x x x"}},
		"free":             {`public <a> = say <free> | tell <free> now; <free> = (a | b)+;`, []string{"say a", "say a a", "say a a a", "say a a b", "say a a now", "say a b", "say a b a", "say a b b", "say a b now", "say a now", "say b", "say b a", "say b a a", "say b a b", "say b a now", "say b b", "say b b a", "say b b b", "say b b now", "say b now", "tell a", "tell a a", "tell a a a", "tell a a b", "tell a a now", "tell a b", "tell a b a", "tell a b b", "tell a b now", "tell a now", "tell b", "tell b a", "tell b a a", "tell b a b", "tell b a now", "tell b b", "tell b b a", "tell b b b", "tell b b now", "tell b now"}},
	} {
		t.Run(name, func(t *testing.T) {
			rs, err := parseJSGF("#JSGF V1.0 UTF-8 en;\ngrammar test;\n" + tt.rules)
			if err != nil {
				t.Fatal(err)
			}
			a, err := rs.compile()
			if err != nil {
				t.Fatal(err)
			}
			if got := a.sentences(4); !slices.Equal(got, tt.want) {
				t.Errorf("says %q,\nwant %q", got, tt.want)
			}
		})
	}
}

func TestGrammarErrors(t *testing.T) {
	deep := strings.Repeat("(", 1000) + "x" + strings.Repeat(")", 1000)
	doubled := "public <a0> = <a1> <a1>;\n"
	for i := range 40 {
		doubled += fmt.Sprintf("<a%d> = <a%d> x <a%d>;\n", i+1, i+2, i+2)
	}
	for name, tt := range map[string]struct {
		text string
		line int
		says string
	}{
		"nothing":         {"", 1, "#JSGF"},
		"no header":       {"public <a> = x;", 1, "#JSGF"},
		"header unclosed": {"#JSGF V1.0\npublic <a> = x;", 1, ";"},
		"no public rule":  {"#JSGF V1.0;\n<a> = x;\n", 3, "public"},
		"no semicolon":    {"#JSGF V1.0;\npublic <a> = x\n", 3, `';' is missing`},
		"no equals":       {"#JSGF V1.0;\npublic <a> x;", 2, "'=' is missing"},
		"no rule":         {"#JSGF V1.0;\npublic a = x;", 2, "<name>"},
		"open bracket":    {"#JSGF V1.0;\npublic <a> =\n (x | y;", 3, "')' is missing"},
		"wrong bracket":   {"#JSGF V1.0;\npublic <a> = (x];", 2, "')' is missing"},
		"stray bracket":   {"#JSGF V1.0;\npublic <a> = x };", 2, "closes nothing"},
		"open tag":        {"#JSGF V1.0;\npublic <a> = x {tag;", 2, "not closed"},
		"open comment":    {"#JSGF V1.0;\n/* public <a> = x;", 2, "not closed"},
		"open rule name":  {"#JSGF V1.0;\npublic <a = x;\n", 2, "not closed"},
		"open quote":      {"#JSGF V1.0;\npublic <a> = \"x;\n", 2, "not closed"},
		"empty choice":    {"#JSGF V1.0;\npublic <a> = x | | y;", 2, "words are expected"},
		"empty rule":      {"#JSGF V1.0;\npublic <a> = ;", 2, "words are expected"},
		"bad weight":      {"#JSGF V1.0;\npublic <a> = /much/ x | y;", 2, "weight"},
		"negative weight": {"#JSGF V1.0;\npublic <a> = /-1/ x | y;", 2, "weight"},
		"unknown rule":    {"#JSGF V1.0;\npublic <a> = x\n <b>;", 3, "no rule <b>"},
		"twice":           {"#JSGF V1.0;\npublic <a> = x;\n<a> = y;", 3, "line 2"},
		"left recursion":  {"#JSGF V1.0;\npublic <a> = x |\n <a> y;", 3, "names itself"},
		"inner recursion": {"#JSGF V1.0;\npublic <a> = x [<a>] y;", 2, "names itself"},
		"import":          {"#JSGF V1.0;\nimport <com.acme.*>;\npublic <a> = x;", 2, "import"},
		"only nothing":    {"#JSGF V1.0;\npublic <a> = <NULL>;", 2, "no words"},
		"only void":       {"#JSGF V1.0;\npublic <a> = x <VOID>;", 2, "no words"},
		"endless":         {"#JSGF V1.0;\npublic <a> = x <b>; <b> = y <b>;", 2, "no words"},
		"too deep":        {"#JSGF V1.0;\npublic <a> = " + deep + ";", 2, "deep"},
		"too large":       {"#JSGF V1.0;\n" + doubled + "<a41> = x;", 0, "too large"},
		"control sign":    {"#JSGF V1.0;\npublic <a> = x\x01;", 2, "not text"},
		"long word":       {"#JSGF V1.0;\npublic <a> = " + strings.Repeat("x", 300) + ";", 2, "long"},
	} {
		t.Run(name, func(t *testing.T) {
			begun := time.Now()
			rs, err := parseJSGF(tt.text)
			if err == nil {
				_, err = rs.compile()
			}
			var g *GrammarError
			if !errors.As(err, &g) {
				t.Fatalf("error %v, want a *GrammarError", err)
			}
			if tt.line > 0 && g.Line != tt.line || !strings.Contains(g.Error(), tt.says) {
				t.Errorf("%v; want line %d and %q", g, tt.line, tt.says)
			}
			if took := time.Since(begun); took > 20*time.Second {
				t.Errorf("it took %v", took)
			}
		})
	}
}

// The graph of many alike sentences is small: that is what makes decoding fast.
func TestGraphIsSmall(t *testing.T) {
	rs, err := parseJSGF("#JSGF V1.0; public <a> = " + strings.Repeat("please bring me the <x> now | ", 500) + "stop; <x> = tea | milk;")
	if err != nil {
		t.Fatal(err)
	}
	a, err := rs.compile()
	if err != nil {
		t.Fatal(err)
	}
	if len(a.arcs) != 7 {
		t.Errorf("%d states, want 7", len(a.arcs))
	}
	for _, want := range []string{"NUM_STATES 8", "START_STATE 0", "FINAL_STATE 7", "TRANSITION 0 1 1.000000 please", "FSG_END"} {
		if !strings.Contains(a.String(), want) {
			t.Errorf("the graph lacks %q:\n%s", want, a)
		}
	}
}

func TestWordsTakenOut(t *testing.T) {
	rs, err := parseJSGF("#JSGF V1.0; public <a> = buy (milk | æøå bread) | 5;")
	if err != nil {
		t.Fatal(err)
	}
	a, err := rs.compile()
	if err != nil {
		t.Fatal(err)
	}
	a = a.without(func(w string) bool { return w != "æøå" && w != "5" })
	if got := a.sentences(5); !slices.Equal(got, []string{"buy milk"}) {
		t.Errorf("says %q, want only what can be pronounced", got)
	}
}

func FuzzGrammar(f *testing.F) {
	for _, s := range []string{
		"#JSGF V1.0;\ngrammar g;\npublic <a> = x (y | z)* [w];", "#JSGF V1.0; public <a> = /1/ <b> | /2/ <c>+; <b> = x {t}; <c> = \"y z\" // c\n;",
		"#JSGF V1.0; public <a> = x <a>;", "#JSGF V1.0; public <a> = say <free>; <free> = (a|b)+;", "#JSGF ;public <a>=((((x))))*+*;", "#JSGF V1.0;\n/*", "",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		rs, err := parseJSGF(text)
		var a *automaton
		if err == nil {
			a, err = rs.compile()
		}
		var g *GrammarError
		if err != nil {
			if !errors.As(err, &g) || g.Line < 1 || g.Line > 1+strings.Count(text, "\n") {
				t.Fatalf("error %v of %q has no good line", err, text)
			}
			return
		}
		for s, arcs := range a.arcs {
			if len(arcs) == 0 && !a.final[s] {
				t.Fatalf("state %d leads nowhere", s)
			}
			for _, x := range arcs {
				if x.label.word == "" || strings.ContainsAny(x.label.word, " \t\n\r()") || !(x.label.prob > 0 && x.label.prob <= 1) {
					t.Fatalf("bad arc %+v", x)
				}
			}
		}
	})
}
