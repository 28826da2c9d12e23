package intent

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// machine is a finite state grammar read back from its text.
type machine struct {
	start, final, states int
	arcs                 map[int][]arc
}

func readFSG(t *testing.T, text string) machine {
	t.Helper()
	m := machine{arcs: map[int][]arc{}}
	for l := range strings.Lines(text) {
		var from, to int
		var p float64
		var word string
		switch {
		case strings.HasPrefix(l, "NUM_STATES"):
			fmt.Sscanf(l, "NUM_STATES %d", &m.states)
		case strings.HasPrefix(l, "START_STATE"):
			fmt.Sscanf(l, "START_STATE %d", &m.start)
		case strings.HasPrefix(l, "FINAL_STATE"):
			fmt.Sscanf(l, "FINAL_STATE %d", &m.final)
		case strings.HasPrefix(l, "TRANSITION"):
			if n, _ := fmt.Sscanf(l, "TRANSITION %d %d %f %s", &from, &to, &p, &word); n < 3 || p <= 0 || p > 1 || from >= m.states || to >= m.states {
				t.Fatalf("bad transition %q", l)
			}
			m.arcs[from] = append(m.arcs[from], arc{word, to})
		}
	}
	return m
}

func (m machine) accepts(words []string) bool {
	at := m.close(map[int]bool{m.start: true})
	for _, w := range words {
		next := map[int]bool{}
		for s := range at {
			for _, a := range m.arcs[s] {
				if a.word == w {
					next[a.to] = true
				}
			}
		}
		at = m.close(next)
	}
	return at[m.final]
}

func (m machine) close(at map[int]bool) map[int]bool {
	var todo []int
	for s := range at {
		todo = append(todo, s)
	}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, a := range m.arcs[s] {
			if a.word == "" && !at[a.to] {
				at[a.to] = true
				todo = append(todo, a.to)
			}
		}
	}
	return at
}

func TestFSGHoldsEveryCommand(t *testing.T) {
	c := English()
	m := readFSG(t, c.FSG())
	if m.states > 3500 {
		t.Errorf("%d states are more than a recogniser should load", m.states)
	}
	g := grammar{book: c.book, used: map[string]bool{}}
	for i, tm := range c.book.templates {
		if tm.root.typed {
			continue
		}
		s := speaker{book: c.book, grammar: &g, seed: uint64(i) + 99}
		for range 8 {
			text, ok := s.sentence(tm.root, false)
			if ok && text != "" && !m.accepts(strings.Fields(text)) {
				t.Errorf("%q of %q is not in the grammar", text, tm.source)
			}
		}
	}
	for _, text := range []string{"set a timer", "set timer a", "remind me", "what", "please please", "stop stop stop"} {
		want := text == "set a timer"
		if got := m.accepts(strings.Fields(text)); got != want {
			t.Errorf("%q in the grammar: %v", text, got)
		}
	}
}

// rules reads a JSGF grammar by the rules of the format, as far as Solo uses it.
func rules(t *testing.T, text string) map[string]string {
	t.Helper()
	if !strings.HasPrefix(text, "#JSGF V1.0;\n") {
		t.Fatal("no JSGF header")
	}
	out := map[string]string{}
	for i, part := range strings.Split(text, ";") {
		part = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(part), "public "))
		if i == 0 || part == "" || strings.HasPrefix(part, "grammar ") {
			continue
		}
		name, body, ok := strings.Cut(part, " = ")
		if !ok || out[name] != "" || !strings.HasPrefix(name, "<") {
			t.Fatalf("bad rule %q", part)
		}
		out[name] = body
	}
	return out
}

// wellFormed says that brackets close and that no choice or bracket is empty.
func wellFormed(body string) bool {
	var open []byte
	last := byte('|')
	for i := range len(body) {
		switch b := body[i]; b {
		case '(', '[':
			open = append(open, b)
		case ')', ']':
			if len(open) == 0 || last == '|' || last == '(' || last == '[' || (open[len(open)-1] == '(') != (b == ')') {
				return false
			}
			open = open[:len(open)-1]
		case '|':
			if last == '|' || last == '(' || last == '[' {
				return false
			}
		case ' ', '\n':
			continue
		}
		last = body[i]
	}
	return len(open) == 0 && last != '|'
}

func TestJSGFIsWellFormed(t *testing.T) {
	all := rules(t, English().JSGF())
	if all["<command>"] == "" || all["<free>"] == "" {
		t.Fatal("no <command> or no <free>")
	}
	for name, body := range all {
		if !wellFormed(body) {
			t.Errorf("%s = %s is not well formed", name, body)
		}
		if strings.ContainsAny(regexp.MustCompile(`<[a-z_0-9]+>`).ReplaceAllString(body, ""), "0123456789~{}") {
			t.Errorf("%s holds signs that cannot be spoken: %s", name, body)
		}
		for rest := body; ; {
			i := strings.IndexByte(rest, '<')
			if i < 0 {
				break
			}
			end := strings.IndexByte(rest[i:], '>') + i + 1
			if all[rest[i:end]] == "" {
				t.Errorf("%s names %s, which is not there", name, rest[i:end])
			}
			rest = rest[end:]
		}
	}
}

const model = "/usr/share/pocketsphinx/model/en-us/"

func TestWordsAreInTheDictionary(t *testing.T) {
	dict, err := os.ReadFile(model + "cmudict-en-us.dict")
	if err != nil {
		t.Skip("skipped: no pocketsphinx dictionary")
	}
	known := map[string]bool{}
	for l := range strings.Lines(string(dict)) {
		w, _, _ := strings.Cut(l, " ")
		known[w] = true
	}
	for _, w := range English().Words() {
		if !known[w] {
			t.Errorf("%q is not in the dictionary", w)
		}
	}
}

// TestPocketsphinxLoads gives both grammars to the real recogniser, with a second of silence to hear.
func TestPocketsphinxLoads(t *testing.T) {
	if _, err := exec.LookPath("pocketsphinx_batch"); err != nil {
		t.Skip("skipped: no pocketsphinx_batch")
	}
	if _, err := os.Stat(model + "en-us"); err != nil {
		t.Skip("skipped: no pocketsphinx model")
	}
	dir := t.TempDir()
	c := English()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("a.raw", strings.Repeat("\x00", 32000))
	ctl := write("ctl", "a\n")
	for name, flags := range map[string][]string{
		"jsgf": {"-jsgf", write("g.jsgf", c.JSGF()), "-toprule", "solo.command"},
		"fsg":  {"-fsg", write("g.fsg", c.FSG())},
	} {
		t.Run(name, func(t *testing.T) {
			args := append([]string{"-hmm", model + "en-us", "-dict", model + "cmudict-en-us.dict", "-cepdir", dir, "-cepext", ".raw", "-adcin", "yes", "-ctl", ctl}, flags...)
			out, err := exec.CommandContext(t.Context(), "pocketsphinx_batch", args...).CombinedOutput()
			if err != nil {
				t.Fatalf("%v: %.400s", err, out[max(0, len(out)-400):])
			}
			for l := range strings.Lines(string(out)) {
				if strings.Contains(l, "ERROR") && !strings.Contains(l, "Final result") || strings.Contains(l, "not in the dictionary") {
					t.Error(l)
				}
			}
		})
	}
}

func TestSentences(t *testing.T) {
	c := English()
	all, classes := c.Sentences(), c.Classes()
	if len(all) < 2000 {
		t.Errorf("only %d sentences", len(all))
	}
	if again := c.Sentences(); strings.Join(all, "\n") != strings.Join(again, "\n") {
		t.Error("two calls give different sentences")
	}
	for _, s := range all {
		for w := range strings.FieldsSeq(s) {
			if w[0] != '[' {
				if strings.ContainsAny(w, "0123456789[]()<>~{}") || strings.ToLower(w) != w {
					t.Errorf("%q holds %q", s, w)
				}
			} else if len(classes[strings.Trim(w, "[]")]) == 0 {
				t.Errorf("%q names the class %s, which is not there", s, w)
			}
		}
	}
}
