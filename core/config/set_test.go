package config

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

const before = `# Solo
name = "old" # who
list = [ # of
  "a", # first ]
  'b',
]

[voice] # how
# the speed
pace = 1.5# fast
text = """
two "" lines # no comment
""" # yes
when = 07:32:00

[listen]
`

func TestSetKeepsTheRest(t *testing.T) {
	for name, tt := range map[string]struct {
		key     string
		value   any
		old, to string // the only change in before
	}{
		"text":          {"name", "new \"one\"\n", `name = "old" #`, `name = "new \"one\"\n" #`},
		"list":          {"list", []string{"c"}, "[ # of\n  \"a\", # first ]\n  'b',\n]", `["c"]`},
		"number":        {"voice.pace", 2.0, "pace = 1.5#", "pace = 2.0#"},
		"lines":         {"voice.text", "one", "\"\"\"\ntwo \"\" lines # no comment\n\"\"\"", `"one"`},
		"time":          {"voice.when", true, "07:32:00", "true"},
		"in a table":    {"voice.volume", 80, "07:32:00\n", "07:32:00\nvolume = 80\n"},
		"empty table":   {"listen.pause", 150 * time.Millisecond, "[listen]\n", "[listen]\npause = \"150ms\"\n"},
		"no table yet":  {"ha.token", NewSecret("abc"), "[listen]\n", "[listen]\n\n[ha]\ntoken = \"abc\"\n"},
		"before tables": {"zone", named("UTC"), "]\n\n[voice]", "]\nzone = \"UTC\"\n\n[voice]"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, end := range []string{"\n", "\r\n"} {
				lines := func(s string) string { return strings.ReplaceAll(s, "\n", end) }
				path := write(t, "c.toml", lines(before))
				if err := Set(path, tt.key, tt.value); err != nil {
					t.Fatal(err)
				}
				got, err := os.ReadFile(path)
				if want := strings.Replace(lines(before), lines(tt.old), lines(tt.to), 1); err != nil || string(got) != want {
					t.Errorf("%v\n got %q\nwant %q", err, got, want)
				}
			}
		})
	}
}

// First answers go below the examples which they answer.
func TestSetBesideItsExample(t *testing.T) {
	path := write(t, "c.toml", "# all\n#name = \"\"\n\n[ha]\n\n# where\n#url = \"\"\n\n[voice]\nrate = 3\n# how loud\n#volume = 80\n#pace = 1.0\n\n[listen]\n#volume = 1\n#last = 1")
	for _, key := range []string{"voice.volume", "ha.url", "name", "listen.last", "voice.other"} {
		if err := Set(path, key, 7); err != nil {
			t.Fatal(err)
		}
	}
	want := "# all\n#name = \"\"\nname = 7\n\n[ha]\n\n# where\n#url = \"\"\nurl = 7\n\n[voice]\nrate = 3\n# how loud\n#volume = 80\nvolume = 7\nother = 7\n#pace = 1.0\n\n[listen]\n#volume = 1\n#last = 1\nlast = 7\n"
	if got, err := os.ReadFile(path); err != nil || string(got) != want {
		t.Errorf("%v\n got %q\nwant %q", err, got, want)
	}
}

func TestSetMakesTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a", "b", "config.toml")
	for i, key := range []string{"voice.name", "name", "voice.pace"} {
		if err := Set(path, key, i); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if want := "name = 1\n[voice]\nname = 0\npace = 2\n"; err != nil || string(got) != want {
		t.Errorf("%v: %q", err, got)
	}
	info, err := os.Stat(path)
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Error(err, info.Mode())
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".solo-*")); left != nil {
		t.Error(left)
	}
}

func TestSetRefuses(t *testing.T) {
	for name, tt := range map[string]struct {
		text, key string
		value     any
		want      string
	}{
		"bad key":       {"", "a b", 1, `"a b" is no key`},
		"bad type":      {"", "a", []int{1}, "no setting can have the type []int"},
		"no TOML":       {"a = = b", "a", 1, "is no TOML"},
		"inline table":  {"voice = {name = 1}", "voice.pace", 1, "voice"},
		"in an inline":  {"voice = {name = 1}", "voice.name", 2, "edit it yourself"},
		"list of table": {"[[voice]]\nname = 1", "voice.name", 1, "edit it yourself"},
		"a table":       {"[voice.name]\nx = 1", "voice.name", 1, "voice"},
	} {
		t.Run(name, func(t *testing.T) {
			path := write(t, "c.toml", tt.text)
			if err := Set(path, tt.key, tt.value); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v", err)
			}
			if got, err := os.ReadFile(path); err != nil || string(got) != tt.text {
				t.Errorf("%v: the file became %q", err, got)
			}
		})
	}
}

// Any text that Set writes comes back by Load, and a file that Set refuses stays as it was.
func FuzzSet(f *testing.F) {
	f.Add("", "Anna")
	f.Add(before, "two\nlines \\ \"and\" \x00\x7f é")
	f.Add("[voice]\nname='a' # b\n\n[x]", "x")
	f.Add("voice.name = 1\r\n[ha]\r\n", "")
	f.Add("[voice]\nother = [1, {a = \"]\"}, # }\n]\n", "[")
	f.Fuzz(func(t *testing.T, doc, text string) {
		got, err := edit([]byte(doc), "voice.name", quote(text))
		if err != nil {
			return
		}
		entries, problem := readTOML(got)
		if problem != nil {
			t.Fatal(problem)
		}
		for _, e := range entries {
			if e.key == "voice.name" && !e.header {
				if want := string([]rune(text)); e.value != want { // a byte that is no UTF-8 cannot be written
					t.Fatalf("%q came back as %q", text, e.value)
				}
				return
			}
		}
		t.Fatalf("%q lost the key", got)
	})
}
