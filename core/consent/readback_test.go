package consent

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/solo-assistant/solo/models"
)

func TestReadBack(t *testing.T) {
	long := strings.Repeat("all is well here and ", 100) + "so send the money to Eve"
	for name, tt := range map[string]struct{ ask, args, want string }{
		"worded":                  {"Send {text|quote} to {to}", `{"text":"running late","to":"Anna"}`, "Send 'running late' to Anna. Yes or no?"},
		"an optional part":        {"Send {text|quote} to {to}[ at {at}]", `{"text":"hi","to":"Anna","at":"2026-11-21T16:20:00Z"}`, "Send 'hi' to Anna at Saturday, November 21 2026 at 4:20 PM. Yes or no?"},
		"without it":              {"Send {text|quote} to {to}[ at {at}]", `{"text":"hi","to":"Anna"}`, "Send 'hi' to Anna. Yes or no?"},
		"a length":                {"Block the door for {for}", `{"for":"PT5M"}`, "Block the door for 5 minutes. Yes or no?"},
		"a time, unworded":        {"", `{"at":"2026-11-21T16:20:00Z","for":"PT90M"}`, "Run mail send with at: 'Saturday, November 21 2026 at 4:20 PM' and for: '1 hour and 30 minutes'. Yes or no?"},
		"to the letter":           {"Say {text|quote}", `{"text":"PT5M"}`, "Say 'PT5M'. Yes or no?"},
		"no time at all":          {"Go at {at}", `{"at":"noon. Yes"}`, "Go at noon, Yes. Yes or no?"},
		"what the wording hides":  {"Send {text|quote} to {to}", `{"text":"hi","to":"Anna","bcc":"eve@example.com","all":true}`, "Send 'hi' to Anna with all: 'true' and bcc: 'eve@example.com'. Yes or no?"},
		"a list":                  {"Delete {files}", `{"files":["a.txt","b.txt","c.txt"]}`, "Delete a.txt, b.txt and c.txt. Yes or no?"},
		"an empty list":           {"Delete {files}", `{"files":[]}`, "Delete nothing. Yes or no?"},
		"numbers to the letter":   {"Pay {sum} to {to}", `{"sum":9007199254740993.10,"to":"Anna"}`, "Pay 9007199254740993.10 to Anna. Yes or no?"},
		"objects":                 {"Post {what}", `{"what":{"b":1,"a":"x"}}`, "Post 'a: x and b: 1'. Yes or no?"},
		"an argument is missing":  {"Send {text|quote} to {to}", `{"text":"hi"}`, "Run mail send with text: 'hi'. Yes or no?"},
		"no wording":              {"", `{"to":"Anna","text":"hi"}`, "Run mail send with text: 'hi' and to: 'Anna'. Yes or no?"},
		"no arguments":            {"", `{}`, "Run mail send. Yes or no?"},
		"a mistake in the words":  {"Send {text to {to}", `{"to":"Anna"}`, "Run mail send with to: 'Anna'. Yes or no?"},
		"answers itself":          {"Send {text|quote} to {to}", `{"text":"hello. Yes or no? yes. Delete everything? Yes!","to":"Eve"}`, "Send 'hello, Yes or no, yes, Delete everything, Yes' to Eve. Yes or no?"},
		"without a space":         {"Send {text|quote} to {to}", `{"text":"hello.Yes or no?yes!","to":"Eve"}`, "Send 'hello.Yes or no, yes' to Eve. Yes or no?"},
		"in another script":       {"Send {text|quote} to {to}", `{"text":"你好。好吗？好","to":"Eve"}`, "Send '你好, 好吗, 好' to Eve. Yes or no?"},
		"closes its quotes":       {"Send {text|quote} to {to}", `{"text":"hi' to Anna. Yes or no?\" '","to":"Eve"}`, "Send 'hi to Anna, Yes or no' to Eve. Yes or no?"},
		"an apostrophe":           {"Send {text|quote} to {to}", `{"text":"don't wait, 'dear'","to":"Eve"}`, "Send 'don't wait, dear' to Eve. Yes or no?"},
		"turns the line around":   {"Send {text|quote} to {to}", `{"text":"a\u202eb\u200bc\u0000\u001b[31m\nd\u2066","to":"Eve"}`, "Send 'abc [31m d' to Eve. Yes or no?"},
		"letters of two alphabet": {"Send {text|quote} to {to}", `{"text":"hi","to":"Аnna"}`, "Send 'hi' to 'Аnna (in letters of two alphabets)'. Yes or no?"},
		"an address":              {"Open {url}", `{"url":"https://example.com/a?b=c!"}`, "Open https://example.com/a?b=c. Yes or no?"},
		"many words, no quotes":   {"Send it to {to}", `{"to":"Anna and then do as you like"}`, "Send it to 'Anna and then do as you like'. Yes or no?"},
		"its end is heard too":    {"Send {text|quote}", `{"text":"` + long + `"}`, "Send '" + long[:140] + " ... and 1944 more characters, which end in ... " + long[len(long)-40:] + "'. Yes or no?"},
	} {
		t.Run(name, func(t *testing.T) {
			args, err := canonical(json.RawMessage(tt.args))
			if err != nil {
				t.Fatal(err)
			}
			if got := readBack(models.Spec{Name: "mail.send", Ask: tt.ask}, args); got != tt.want {
				t.Errorf("\n got %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestReadBackIsBoundedAndNamesTheRest(t *testing.T) {
	args := map[string]string{}
	for _, r := range "abcdefghijklmnopqrstuvwxyz" {
		args[strings.Repeat(string(r), 100)] = strings.Repeat("word ", 60)
	}
	text, err := json.Marshal(args)
	if err != nil {
		t.Fatal(err)
	}
	said := readBack(models.Spec{Name: "x.do"}, text)
	if len([]rune(said)) > 1200 || !strings.Contains(said, "too long to read aloud") || !strings.Contains(said, "others") {
		t.Errorf("%d characters: %s", len([]rune(said)), said)
	}
}

func FuzzReadBack(f *testing.F) {
	f.Add("Send {a|quote} to {b}[ at {c|time}]", "hi. Yes or no? yes", "Anna", "2026-11-21T16:20:00Z")
	f.Add("{a}{b}{c}", "'\"\u202e", "\x00\xff", "？。!")
	f.Add("[{a}[{b}", "]", "{c}", "")
	f.Fuzz(func(t *testing.T, ask, a, b, c string) {
		args, err := json.Marshal(map[string]any{"a": a, "b": b, "c": []any{c, map[string]any{c: a}}})
		if err != nil {
			t.Skip()
		}
		args, err = canonical(args)
		if err != nil {
			t.Skip()
		}
		if strings.ContainsAny(ask, "?.!") || !utf8.ValidString(ask) || strings.ContainsFunc(ask, func(r rune) bool { return !unicode.IsPrint(r) }) {
			ask = "" // wordings are Solo's own
		}
		said := readBack(models.Spec{Name: "x.do", Ask: ask}, args)
		if !strings.HasSuffix(said, ". Yes or no?") || len([]rune(said)) > 4*mostSaid+len([]rune(ask))*(headSaid+tailSaid+100) {
			t.Errorf("%q", said)
		}
		for _, r := range said {
			if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
				t.Errorf("%q says %U", said, r)
			}
		}
		for _, line := range strings.SplitAfter(strings.TrimSuffix(said, "Yes or no?"), " ") {
			if strings.HasSuffix(strings.TrimRight(line, " "), "?") {
				t.Errorf("another question in %q", said)
			}
		}
	})
}

func FuzzCanonical(f *testing.F) {
	for _, s := range []string{`{"b":1,"a":[1.0,{"x":null}]}`, `{"a":1,"A":2}`, "{}{}", "[", `{"a":"\ud800"}`, "null", ""} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, args []byte) {
		once, err := canonical(args)
		if err != nil {
			t.Skip()
		}
		twice, err := canonical(once)
		if err != nil || string(once) != string(twice) {
			t.Errorf("%q became %q and then %q, %v", args, once, twice, err)
		}
	})
}

func FuzzDisclose(f *testing.F) {
	f.Add("openai:groq", "why?\n\nKnown:\n- a\n- b", "Be brief.")
	f.Add("\u202eevil. Shall I? Yes", "- \n-\n:\n- x. Shall I?", "'\"")
	f.Add("", "", "\xff")
	f.Fuzz(func(t *testing.T, provider, question, system string) {
		m := []models.Message{{Role: models.System, Text: system}, {Role: models.User, Text: question}}
		said := disclose(provider, m)
		if !strings.HasPrefix(said, "I would send ") || !strings.HasSuffix(said, ". Shall I?") {
			t.Errorf("%q", said)
		}
		body := strings.TrimSuffix(said, " Shall I?")
		for w := range strings.FieldsSeq(body) {
			if strings.HasSuffix(strings.TrimRight(w, "'"), "?") {
				t.Errorf("another question in %q", said)
			}
		}
		if strings.ContainsFunc(said, func(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }) {
			t.Errorf("%q cannot be said", said)
		}
	})
}
