package wire

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/solo-assistant/solo/models"
)

func TestNames(t *testing.T) {
	long := strings.Repeat("a", 70)
	own := []string{"timers.set", "timers_set", "timers-set", "größe", "", long + "1", long + "2", "a b"}
	var tools []models.Spec
	for _, name := range own {
		tools = append(tools, models.Spec{Name: name})
	}
	n := NewNames(tools, []models.Message{{Calls: []models.ToolCall{{Call: models.Call{Tool: "from.before"}}}}})
	plain := regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)
	seen := map[string]bool{}
	for _, name := range append(own, "from.before") {
		w := n.Wire(name)
		if !plain.MatchString(w) || seen[w] || n.Own(w) != name {
			t.Errorf("%q is %q, which is %q", name, w, n.Own(w))
		}
		seen[w] = true
	}
	if n.Own("nobody.offered") != "nobody.offered" {
		t.Error("an unknown name was changed")
	}
}

func TestArguments(t *testing.T) {
	for in, want := range map[string]string{
		"": "{}", " null ": "{}", `{"a":1}`: `{"a":1}`, "\n{ }\n": "{ }", "[1]": "[1]", `{"a":`: `"{\"a\":"`, "set it": `"set it"`, `"{}"`: `"{}"`,
	} {
		if got := string(Arguments([]byte(in))); got != want {
			t.Errorf("%q gave %s, want %s", in, got, want)
		}
	}
	for in, want := range map[string]string{`{"a":1}`: `{"a":1}`, "[1]": `{"arguments":[1]}`, "x": `{"arguments":"x"}`, "": "{}"} {
		if got := string(Object(json.RawMessage(in))); got != want {
			t.Errorf("%q gave %s, want %s", in, got, want)
		}
	}
}

func TestLine(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "a\nb\r\n\tc": "a b c", "a\x00b\x1b[31m": "ab[31m", " \u2028x ": "x", strings.Repeat("ü", 400): strings.Repeat("ü", 150) + "...",
	} {
		if got := Line(in); got != want {
			t.Errorf("%q gave %q, want %q", in, got, want)
		}
	}
}

func FuzzLine(f *testing.F) {
	f.Add("a\nb\x00\xff")
	f.Fuzz(func(t *testing.T, in string) {
		got := Line(in)
		if len(got) > longestLine+3 || !utf8.ValidString(got) || strings.ContainsAny(got, "\n\r\t\x00\x1b") || Line(got) != got && len(got) <= longestLine {
			t.Errorf("%q gave %q", in, got)
		}
	})
}

// FuzzRefused: any page becomes one short line that does not hold the key.
func FuzzRefused(f *testing.F) {
	for _, seed := range []string{`{"error":{"message":"m","type":"t","code":"c","param":"p"}}`, `{"error":"words"}`, `{"message":"m"}`, `{"detail":[{"msg":"m"}]}`, "<html>", `{"error":{"code":400,"type":7}}`, `{"error":"{\"error\":{\"message\":\"x\"}}"}`} {
		f.Add(400, []byte(seed))
	}
	p := &Peer{name: "x", secret: "sk-123"}
	f.Fuzz(func(t *testing.T, status int, page []byte) {
		err := p.Refused(status, page)
		if text := err.Error(); len(text) > longestLine+200 || strings.Contains(text, "sk-123") || strings.ContainsAny(text, "\n\r") || models.Excuse(err) == "Something went wrong with my language model." {
			t.Errorf("%q", text)
		}
	})
}
