package intent

import (
	"strings"
	"testing"
	"testing/fstest"
)

// tiny is a book of commands for one test.
func tiny(t *testing.T, text string) (*Commands, error) {
	t.Helper()
	b, err := readBook(fstest.MapFS{"commands/a.txt": {Data: []byte("before = please\nafter = thanks\nfree free = 5\n" + text)}})
	if err != nil {
		return nil, err
	}
	return build(b)
}

func TestTemplateLanguage(t *testing.T) {
	c, err := tiny(t, `
class color = red|green   # a comment
list size:
  large: big|large|very big
  small: small|~tiny
thing = (lamp|chair)+
paint.it:
  paint [the] {what:thing} {color} [in {size}] .
  ~ color {what:free} {color=blue}
`)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"please paint the lamp red":     "what=lamp color=red",
		"paint lamp chair green thanks": "what=lamp chair color=green",
		"paint chair red in very big":   "what=chair color=red size=large",
		"paint chair red in tiny":       "what=chair color=red size=small",
		"color my old door":             "what=my old door color=blue",
		"paint red":                     "",
		"paint the lamp blue":           "",
	} {
		m, ok := c.Match(text)
		if ok != (want != "") {
			t.Errorf("%q matches: %v", text, ok)
		}
		for part := range strings.FieldsFuncSeq(want, func(r rune) bool { return false }) {
			for _, pair := range strings.Split(part, " ") {
				if k, v, isPair := strings.Cut(pair, "="); isPair && !strings.HasPrefix(m.Slots[k], v) {
					t.Errorf("%q has %s=%q, want %q", text, k, m.Slots[k], v)
				}
			}
		}
	}
	if g := c.JSGF(); strings.Contains(g, "tiny") || strings.Contains(g, "color my") || !strings.Contains(g, "(lamp | chair)+") {
		t.Errorf("grammar:\n%s", g)
	}
}

func TestMistakesAreNamed(t *testing.T) {
	for text, want := range map[string]string{
		"x.y:\n  set (a timer":        "a.txt:5: reading template",
		"x.y:\n  set {a:nothing}":     `rule "nothing" is not defined`,
		"x.y:\n  what's up":           `write "what's" in full`,
		"x.y:\n  a || b":              "nothing at column",
		"x.y:\n  set {}":              "no name",
		"a = <b>\nb = <a>":            "needs itself",
		"a = b\na = c":                "defined twice",
		"class c = a b":               "more than single words",
		"nonsense":                    "neither a heading nor a definition",
		"free f = many":               "most words",
		"free f = 3 but a":            `no "but"`,
		"list l:\n  a b":              "no entry",
		"list l:\n  a: x|y\n  b: y|z": `"y" means both`,
		"x.y:\n  " + strings.Repeat("(", 60) + "a" + strings.Repeat(")", 60): "inside each other",
	} {
		_, err := tiny(t, text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q gives %v, want %q", text, err, want)
		}
	}
}

func FuzzTemplate(f *testing.F) {
	for _, s := range []string{"set a timer for {duration} .", "[a|b] (c d)+ ~e", "{a=b} <n99> {x:y}", `\( \)`, "((((", "~", "a |", "{", "<>"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n, _, err := parseTemplate(text)
		if (n == nil) != (err != nil) {
			t.Fatalf("%q gives %v and %v", text, n, err)
		}
	})
}

func TestNumbers(t *testing.T) {
	for text, want := range map[string]string{
		"twenty five": "25", "a hundred and five": "105", "one hundred twenty three": "123", "two point five": "2.5", "three point one four": "3.14",
		"one and a half": "1.5", "a dozen": "12", "half a dozen": "6", "two thousand and six": "2006", "zero": "0", "minus three": "-3", "half": "0.5",
		"three quarters": "0.75", "two million": "2000000", "one thousand two hundred fifty": "1250", "five six": "", "twelve hundred": "1200",
		"seven and a quarter": "7.25", "point five": "0.5", "": "", "mother": "",
	} {
		got, ok := number(strings.Fields(text))
		if got != want || ok != (want != "") {
			t.Errorf("number %q is %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"1,250": "one thousand two hundred fifty", "7:30pm": "seven thirty p.m.", "7:05": "seven oh five", "2.5kg": "two point five kg", "3rd": "third",
		"$20": "twenty dollars", "50%": "fifty percent", "007": "zero zero seven", "5-minute": "five minute", "(3+4)*2": "( three plus four ) times two",
		"30°c": "thirty degrees c", "10:00": "ten o'clock", "3x4": "three times four", "um": "", "what's": "what is",
	} {
		if got := strings.Join(spell(text), " "); got != want {
			t.Errorf("%q is spelled %q, want %q", text, got, want)
		}
	}
}

func TestDurations(t *testing.T) {
	for text, want := range map[string]string{
		"ten minutes": "PT10M", "an hour and a half": "PT1H30M", "half an hour": "PT30M", "ninety seconds": "PT1M30S", "two and a half minutes": "PT2M30S",
		"a quarter of an hour": "PT15M", "one hour thirty minutes": "PT1H30M", "an hour thirty": "PT1H30M", "two days": "PT48H", "a week": "PT168H",
		"five more minutes": "PT5M", "another ten minutes": "PT10M", "a couple of hours": "PT2H", "zero point five hours": "PT30M", "half a second": "PT0.5S",
		"ten": "", "": "", "minutes": "", "ten miles": "",
	} {
		if got, _ := duration(strings.Fields(text)); got != want {
			t.Errorf("duration %q is %q, want %q", text, got, want)
		}
	}
}
