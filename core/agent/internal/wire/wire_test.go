package wire

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/solo-assistant/solo/models"
)

func TestParse(t *testing.T) {
	for name, tt := range map[string]struct{ raw, text, calls string }{
		"reply":             {`{"type":"reply","text":"Hello."}`, "Hello.", ""},
		"call":              {`{"type":"tool_call","tool":"timers.set","arguments":{"duration":"PT5M"}}`, "", `timers.set{"duration":"PT5M"}`},
		"calls":             {`{"type":"multi_tool_call","calls":[{"tool":"a.b","arguments":{}},{"tool":"c.d"}]}`, "", `a.b{} c.d{}`},
		"plain":             {"The sky is blue.", "The sky is blue.", ""},
		"spaces":            {"\n\n {\"type\": \"reply\" , \"text\" : \"Hi.\"} \n", "Hi.", ""},
		"code block":        {"```json\n{\"type\":\"tool_call\",\"tool\":\"clock.time\",\"arguments\":{}}\n```", "", "clock.time{}"},
		"words before":      {`Sure, here it is: {"type":"tool_call","tool":"clock.time","arguments":{}}`, "", "clock.time{}"},
		"words after":       {`{"type":"tool_call","tool":"clock.time","arguments":{}} I hope that helps!`, "", "clock.time{}"},
		"two objects":       {`{"type":"reply","text":"First."}{"type":"tool_call","tool":"mail.send","arguments":{}}`, "First.", ""},
		"no type":           {`{"tool":"clock.time","arguments":{}}`, "", "clock.time{}"},
		"no type, reply":    {`{"text":"Hi."}`, "Hi.", ""},
		"single quotes":     {`{'type':'tool_call','tool':'clock.time','arguments':{}}`, "", "clock.time{}"},
		"no quotes":         {`{type: "reply", text: "Hi."}`, "Hi.", ""},
		"trailing comma":    {`{"type":"tool_call","tool":"volume.set","arguments":{"to":30,},}`, "", `volume.set{"to":30}`},
		"open end":          {`{"type":"tool_call","tool":"volume.set","arguments":{"to":30}`, "", `volume.set{"to":30}`},
		"cut reply":         {`{"type":"reply","text":"It is a long`, "It is a long", ""},
		"python":            {`{"type":"tool_call","tool":"tasks.delete","arguments":{"all":True}}`, "", `tasks.delete{"all":true}`},
		"packed arguments":  {`{"type":"tool_call","tool":"volume.set","arguments":"{\"to\":30}"}`, "", `volume.set{"to":30}`},
		"packed answer":     {`{"type":"reply","text":"{\"type\":\"tool_call\",\"tool\":\"clock.time\",\"arguments\":{}}"}`, "", "clock.time{}"},
		"null arguments":    {`{"type":"tool_call","tool":"clock.time","arguments":null}`, "", "clock.time{}"},
		"key twice":         {`{"type":"tool_call","tool":"volume.set","arguments":{"to":100,"to":30}}`, "", `volume.set{"to":30}`},
		"thought aloud":     {"<think>The user wants {\"type\":\"tool_call\"}</think>{\"type\":\"reply\",\"text\":\"Hi.\"}", "Hi.", ""},
		"template's mark":   {`Hello there.<|im_end|>`, "Hello there.", ""},
		"braces in prose":   {"In Go you write {} for an empty block.", "In Go you write {} for an empty block.", ""},
		"raw line break":    {"{\"type\":\"reply\",\"text\":\"One.\nTwo.\"}", "One.\nTwo.", ""},
		"unescaped quotes":  {`{"type":"reply","text":"He said "hi" to me."}`, `He said "hi" to me.`, ""},
		"comment":           {"{\"type\":\"reply\", // speak\n\"text\":\"Hi.\"}", "Hi.", ""},
		"big number stays":  {`{"type":"tool_call","tool":"a.b","arguments":{"n":12345678901234567890}}`, "", `a.b{"n":12345678901234567890}`},
		"unknown key":       {`{"type":"reply","mood":"glad","text":"Hi."}`, "Hi.", ""},
		"reply with a tool": {`{"type":"reply","text":"Hi.","tool":"mail.send","arguments":{}}`, "Hi.", ""},
	} {
		t.Run(name, func(t *testing.T) {
			a, err := Parse(tt.raw)
			if err != nil {
				t.Fatal(err)
			}
			if a.Text != tt.text || calls(a) != tt.calls {
				t.Errorf("text %q calls %s, want %q and %s", a.Text, calls(a), tt.text, tt.calls)
			}
		})
	}
}

func calls(a Answer) string {
	var all []string
	for _, c := range a.Calls {
		all = append(all, c.Tool+string(c.Arguments))
	}
	return strings.Join(all, " ")
}

func TestParseTellsAllThatIsWrong(t *testing.T) {
	for name, tt := range map[string]struct{ raw, want string }{
		"empty":           {"  \n", "empty"},
		"only thinking":   {"<think>hm", "empty"},
		"other object":    {`{"answer":42}`, "not one JSON object"},
		"other type":      {`{"type":"function","name":"x"}`, `type is "function"`},
		"no text":         {`{"type":"reply"}`, "needs text"},
		"text a list":     {`{"type":"reply","text":["a"]}`, "needs text"},
		"no tool":         {`{"type":"tool_call","arguments":{}}`, "tool is missing"},
		"arguments list":  {`{"type":"tool_call","tool":"a.b","arguments":[1]}`, "arguments is not a JSON object"},
		"arguments words": {`{"type":"tool_call","tool":"a.b","arguments":"five"}`, "arguments is not a JSON object"},
		"no calls":        {`{"type":"multi_tool_call","calls":[]}`, "needs calls"},
		"calls object":    {`{"type":"multi_tool_call","calls":{"tool":"a.b"}}`, "needs calls"},
		"too many calls":  {`{"type":"multi_tool_call","calls":[` + strings.TrimSuffix(strings.Repeat(`{"tool":"a.b"},`, 9), ",") + `]}`, "at most 8"},
		"two bad calls":   {`{"type":"multi_tool_call","calls":[{"tool":"a.b"},{"arguments":{}},{"tool":"c.d","arguments":[]}]}`, "call 2: tool is missing; it is a tool's name; call 3: arguments"},
		"ambiguous":       {`{"tool":"a.b","text":"Hi."}`, "type is"},
		"cut number":      {`{"type":"tool_call","tool":"volume.set","arguments":{"to":3`, "broke off"},
		"cut text":        {`{"type":"tool_call","tool":"mail.send","arguments":{"to":"Anna","text":"I will be la`, "broke off"},
		"cut arguments":   {`{"type":"tool_call","tool":"files.delete","arguments":{"path":"/a"`, "broke off"},
		"cut tool":        {`{"type":"tool_call","tool":"files.del`, "broke off"},
		"cut list":        {`{"type":"multi_tool_call","calls":[{"tool":"a.b","arguments":{}},{"tool":"c.d","argum`, "broke off"},
		"cut after one":   {`{"type":"multi_tool_call","calls":[{"tool":"a.b","arguments":{}}`, "broke off"},
		"deep":            {strings.Repeat(`{"type":`, 5000), "not one JSON object"},
	} {
		t.Run(name, func(t *testing.T) {
			a, err := Parse(tt.raw)
			if !errors.Is(err, models.ErrNonsense) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%+v, %v; want %q", a, err, tt.want)
			}
		})
	}
}

// feed reads raw in pieces and gives all that was said, early and at the end.
func feed(pieces ...string) (early, all string, a Answer, err error) {
	var r Reader
	for _, p := range pieces {
		early += r.Feed(p)
	}
	rest, a, err := r.End()
	return early, early + rest, a, err
}

func TestReaderSpeaksEarly(t *testing.T) {
	for name, tt := range map[string]struct{ raw, early string }{
		"half":               {`{"type":"reply","text":"Hello there. How`, "Hello there. How"},
		"escapes":            {`{"type":"reply","text":"a\n\"b\" \\ \u00e9\/`, "a\n\"b\" \\ é/"},
		"pair":               {`{"type":"reply","text":"\ud83d\ude00!`, "😀!"},
		"half a pair":        {`{"type":"reply","text":"\ud83d x`, "\uFFFD x"},
		"half an escape":     {`{"type":"reply","text":"ab\u00`, "ab"},
		"spaces":             {"  { \"type\" :\n\"reply\" , \"text\" : \"Hi", "Hi"},
		"other keys":         {`{"mood":{"text":"no","list":[1,"}"]},"n":-1.5,"type":"reply","text":"Hi`, "Hi"},
		"text first":         {`{"text":"Hi there","type":"reply"`, "Hi there"},
		"text first, unsure": {`{"text":"Hi there"`, ""},
		"a call":             {`{"type":"tool_call","text":"no`, ""},
		"plain":              {"Hello there. How ar", "Hello there. How ar"},
		"a first sentence":   {"Hello there.", ""}, // it may go on: 3.5
		"a lead":             {"Here is your JSON: {'type'", ""},
		"a long lead":        {strings.Repeat("so ", 60), strings.Repeat("so ", 60)},
		"plain, then object": {`Well. {"type":"tool_call"`, "Well. "},
		"plain, then mark":   {"Well. Yes.<|im_end|>", "Well. Yes."},
		"less than":          {"Yes. 3 < 5 is true", "Yes. 3 < 5 is true"},
		"code block":         {"```json\n{\"type\":\"reply\",\"text\":\"Hi", "Hi"},
		"thinking":           {"<think>no</think>\n{\"type\":\"reply\",\"text\":\"Hi", "Hi"},
		"packed":             {`{"type":"reply","text":"{\"type\":\"tool`, ""},
		"text twice":         {`{"type":"reply","text":"One.","text":"Two."`, "One."},
	} {
		t.Run(name, func(t *testing.T) {
			if got, _, _, _ := feed(strings.Split(tt.raw, "")...); got != tt.early {
				t.Errorf("%q is said, want %q", got, tt.early)
			}
			if got, _, _, _ := feed(tt.raw); got != tt.early {
				t.Errorf("%q is said of one piece, want %q", got, tt.early)
			}
		})
	}
}

func TestReaderSaysAllAtTheEnd(t *testing.T) {
	for name, tt := range map[string]struct{ raw, all string }{
		"reply":              {`{"type":"reply","text":"Hi."}`, "Hi."},
		"quotes inside":      {`{"type":"reply","text":"He said "hi" to me."}`, `He said "hi" to me.`},
		"braces in prose":    {"Write {} for it. Then go on.", "Write {} for it. Then go on."},
		"a lead and a reply": {`Here it is: {"type":"reply","text":"Hi."}`, "Hi."},
		"one sentence":       {"Hello there.", "Hello there."},
		"words and a reply":  {`Sure! {"type":"reply","text":"Hi."}`, "Sure! Hi."},
		"no type":            {`{"text":"Hi."}`, "Hi."},
		"brace in the reply": {`{"type":"reply","text":"{} is empty."}`, "{} is empty."},
		"single quotes":      {`{'type':'reply','text':'Hi.'}`, "Hi."},
		"beyond repair":      {`{"type":"reply","text":"Hi. \u`, "Hi. "},
	} {
		t.Run(name, func(t *testing.T) {
			_, all, a, err := feed(strings.Split(tt.raw, "")...)
			if all != tt.all || err != nil || len(a.Calls) > 0 {
				t.Errorf("%q, %v, want %q", all, err, tt.all)
			}
		})
	}
}

// Every text comes out as it went in, whatever the pieces.
func TestReaderGivesEveryTextWhole(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	alphabet := []string{"a", " ", "\"", "\\", "\n", "é", "😀", "\u2028", "<", "}", "{", "/", "日", "\x00", "."}
	for range 2000 {
		text := "x"
		for range rnd.IntN(30) {
			text += alphabet[rnd.IntN(len(alphabet))]
		}
		raw := mustAnswer(t, text)
		var pieces []string
		for len(raw) > 0 {
			n := 1 + rnd.IntN(min(len(raw), 7))
			pieces, raw = append(pieces, raw[:n]), raw[n:]
		}
		early, all, a, err := feed(pieces...)
		if early != text || all != text || err != nil {
			t.Fatalf("%q became %q and %q (%+v, %v)", text, early, all, a, err)
		}
	}
}

func mustAnswer(t *testing.T, text string) string {
	t.Helper()
	raw, err := json.Marshal(map[string]string{"type": "reply", "text": text})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Replace(string(raw), `"text":`, `"x":1,"text":`, 1)
}

// FuzzReader proves that no text breaks the reader, that what is said early does not depend on the pieces, and that
// calls are whole.
func FuzzReader(f *testing.F) {
	for _, s := range []string{`{"type":"reply","text":"a\ud83d\ude00"}`, "Hi {", "```json\n{", "<think>", `{"text":"x","type":"reply"}`,
		`{"type":"multi_tool_call","calls":[{"tool":"a.b","arguments":{"x":[1,{}]}}]}`, `{'a':"b`, "\xff\xfe{\"", "<", "a<", "a<|b|>"} {
		f.Add(s, uint8(3))
	}
	f.Fuzz(func(t *testing.T, raw string, size uint8) {
		var pieces []string
		for rest := raw; rest != ""; {
			n := min(len(rest), 1+int(size%16))
			pieces, rest = append(pieces, rest[:n]), rest[n:]
		}
		began := time.Now()
		early, all, a, err := feed(pieces...)
		if took := time.Since(began); took > 2*time.Second {
			t.Fatalf("took %v", took)
		}
		once, _, b, err2 := feed(raw)
		if early != once || calls(a) != calls(b) || (err == nil) != (err2 == nil) {
			t.Fatalf("in pieces %q %s %v, at once %q %s %v", early, calls(a), err, once, calls(b), err2)
		}
		if !utf8.ValidString(all) {
			t.Fatalf("%q is no text", all)
		}
		if err != nil && !errors.Is(err, models.ErrNonsense) {
			t.Fatal(err)
		}
		for _, c := range a.Calls {
			if c.Tool == "" || !json.Valid(c.Arguments) || c.Arguments[0] != '{' {
				t.Fatalf("a call that is none: %s %s", c.Tool, c.Arguments)
			}
		}
	})
}

// No text takes long, however it was made to.
func TestParseIsQuick(t *testing.T) {
	for _, unit := range []string{`"`, `{`, `[`, `{"a":`, `\`, `,`, `'`, `{"type":"reply","text":"`, "`", `"a" `, `/*`, `+"`, `{"a":"b" `, ` `, `a(`, `"\`, "“", `{"a",`, `x:`, `"a\nb`, `<think>`} {
		for _, head := range []string{`{`, `{"type":"reply","text":"`, `{"type":`, ``} {
			for _, size := range []int{2000, maxRepair - 100, MaxAnswer} {
				raw := head + strings.Repeat(unit, size/len(unit))
				began := time.Now()
				_, _ = Parse(raw)
				if took := time.Since(began); took > 3*time.Second {
					t.Errorf("%d bytes of %q took %v", len(raw), unit, took)
				}
			}
		}
	}
}
