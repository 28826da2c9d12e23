package config

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestParseDotEnv(t *testing.T) {
	for name, tt := range map[string]struct {
		text string
		want []variable
		errs string
	}{
		"plain":       {"A=b", []variable{{"A", "b", 1}}, ""},
		"crlf":        {"A=b\r\nC=d\r\n", []variable{{"A", "b", 1}, {"C", "d", 2}}, ""},
		"spaces":      {"  A = b c  \n\tB=\n", []variable{{"A", "b c", 1}, {"B", "", 2}}, ""},
		"comments":    {"# x\nA=b # c\nB=b#c\nC=#c\n D='#' # c", []variable{{"A", "b", 2}, {"B", "b#c", 3}, {"C", "", 4}, {"D", "#", 5}}, ""},
		"export":      {"export A=b\nexport=c\nexportB=d\nexport\tC=e", []variable{{"A", "b", 1}, {"export", "c", 2}, {"exportB", "d", 3}, {"C", "e", 4}}, ""},
		"single":      {`A='a\n "$B" # c'`, []variable{{"A", `a\n "$B" # c`, 1}}, ""},
		"double":      {`A="a\n\t\"\\\$B$C # d" # e`, []variable{{"A", "a\n\t\"\\$B$C # d", 1}}, ""},
		"many lines":  {"A=\"1\n2\"\nB='3\n\n4'\nC=5", []variable{{"A", "1\n2", 1}, {"B", "3\n\n4", 3}, {"C", "5", 6}}, ""},
		"equals":      {"A=b=c==", []variable{{"A", "b=c==", 1}}, ""},
		"quote later": {`A=it's "so"`, []variable{{"A", `it's "so"`, 1}}, ""},
		"empty":       {"", nil, ""},
		"no equals":   {"hello\nA=b", []variable{{"A", "b", 2}}, "1: hello is no NAME=value"},
		"bad name":    {"1A=b\nÄ=c\n=d", nil, "1:  is no NAME=value; 2:  is no NAME=value; 3:  is no NAME=value"},
		"open":        {"A=\"b\nB=c", []variable{{"B", "c", 2}}, `1: A lacks its closing "`},
		"open single": {"A='b", nil, `1: A lacks its closing '`},
		"ends in \\":  {`A="b\`, nil, `1: A lacks its closing "`},
		"after":       {`A="b"c`, nil, "1: A has something after the closing quote"},
		"escape":      {`A="\d"`, nil, `1: A has \d; known are \n \r \t \" \\ \$`},
	} {
		t.Run(name, func(t *testing.T) {
			vars, problems := parseDotEnv(tt.text)
			var errs []string
			for _, p := range problems {
				errs = append(errs, fmt.Sprintf("%d: %s %s", p.Line, p.Key, p.What))
			}
			if !slices.Equal(vars, tt.want) || strings.Join(errs, "; ") != tt.errs {
				t.Errorf("got %+v, %q", vars, errs)
			}
		})
	}
}

// Whatever stands in the file: lines are counted right, and what was read can be written and read again.
func FuzzParseDotEnv(f *testing.F) {
	for _, s := range []string{"A=b", "export A='b\n'\nC=\"\\n\" # d", "A=\"", "=", "A = b # c\r\n", "\x00=\xff", "A='b'c\nD=e"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		vars, problems := parseDotEnv(text)
		last := 0
		for _, v := range vars {
			if v.line <= last || v.line > 1+strings.Count(text, "\n") {
				t.Fatalf("line %d after %d in %q", v.line, last, text)
			}
			last = v.line
			quoted := "# c\n" + v.name + `="` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\r", `\r`).Replace(v.text) + `" # c`
			again, wrong := parseDotEnv(quoted)
			if len(wrong) > 0 || len(again) != 1 || again[0] != (variable{v.name, v.text, 2}) {
				t.Fatalf("%q came back as %+v, %v", quoted, again, wrong)
			}
		}
		for _, p := range problems {
			if p.What == "" || p.Line < 1 {
				t.Fatalf("%+v", p)
			}
		}
		if !utf8.ValidString(text) && len(vars) == 0 && len(problems) == 0 && strings.TrimSpace(text) != "" && text[0] != '#' && !strings.Contains(text, "#") {
			t.Fatalf("%q was passed over", text)
		}
	})
}
