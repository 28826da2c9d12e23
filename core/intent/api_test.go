package intent_test

import (
	"strings"
	"testing"

	"github.com/solo-assistant/solo/core/intent"
)

func TestComplete(t *testing.T) {
	c := intent.English()
	for text, want := range map[string][2]bool{
		"":                                      {false, true},
		"please":                                {false, true},
		"could you":                             {false, true},
		"what":                                  {true, true},
		"what time":                             {false, true},
		"what time is":                          {false, true},
		"what time is it":                       {true, false},
		"what time is it please":                {true, false},
		"stop":                                  {true, false},
		"repeat that":                           {true, false},
		"what day is it":                        {true, false},
		"louder":                                {true, false},
		"set a timer":                           {true, true},
		"set a timer for":                       {false, true},
		"set a timer for ten":                   {false, true},
		"set a timer for ten minutes":           {true, true},
		"set a timer for ten minutes and":       {false, true},
		"set a timer for an hour":               {true, true},
		"set a timer for ten minutes called":    {false, true},
		"remind me":                             {true, true},
		"remind me to":                          {false, true},
		"remind me to call mom":                 {true, true},
		"remind me to call mom at":              {false, true},
		"remind me to call mom at five":         {true, true},
		"remind me in ten minutes":              {true, true},
		"what's five":                           {false, true},
		"what's five plus":                      {false, true},
		"what's five plus six":                  {true, true},
		"set an alarm for seven":                {true, true},
		"add milk":                              {false, true},
		"what day":                              {true, true},
		"what is today":                         {true, true},
		"how long is left":                      {true, true},
		"how long is left on my timer":          {true, false},
		"set the volume to seventy":             {true, true},
		"set the volume to seventy percent":     {true, false},
		"what tasks do i have":                  {true, false},
		"what are my reminders":                 {true, false}, // "for today" would change nothing
		"cancel the laundry timer":              {true, false}, // "laundry timer" is no name of a task
		"cancel the timer":                      {true, true},  // "called laundry"
		"turn the volume down":                  {true, true},  // "a bit"
		"set a reminder for me":                 {true, true},  // "to call mom"
		"what day is tomorrow":                  {true, false},
		"add milk to my list":                   {true, true},
		"how many ounces":                       {false, true},
		"remember that":                         {false, true},
		"call me":                               {false, true},
		"turn it up":                            {true, true},
		"weather in berlin":                     {false, false},
		"play some music":                       {false, false},
		"cancel the":                            {false, true},
		strings.Repeat("very ", 80) + "long":    {false, false},
		"set an alarm for seven o'clock":        {true, true},
		"convert ten miles to kilometers":       {true, false},
		"convert ten knots to kilometers":       {true, true}, // "per hour"
		"convert ten miles per hour to feet":    {true, true}, // "per second"
		"what is ten miles in kilometers":       {true, false},
		"convert ten miles":                     {false, true},
		"convert ten miles to square":           {false, true},
		"what is twenty percent of two hundred": {true, true},
	} {
		complete, extendable := c.Complete(text)
		if complete != want[0] || extendable != want[1] {
			t.Errorf("%q is complete %v, extendable %v; want %v", text, complete, extendable, want)
		}
	}
}

// What is typed grows word by word: as long as a command can come of it, it is extendable or complete.
func TestCompleteFollowsEverySentence(t *testing.T) {
	c := intent.English()
	for i, s := range positives(t) {
		if i%4 != 0 || strings.ContainsAny(s.text, "0123456789") || strings.Contains(s.text, " for me") {
			continue
		}
		f := strings.Fields(s.text)
		if begin, _, free := c.Free(s.text); free && begin == 0 {
			continue // it could follow on anything
		}
		for n := 1; n < len(f); n++ {
			if complete, extendable := c.Complete(strings.Join(f[:n], " ")); !complete && !extendable {
				t.Errorf("%q: nothing is expected after %q", s.text, strings.Join(f[:n], " "))
			}
		}
		if complete, _ := c.Complete(s.text); !complete {
			t.Errorf("%q is not complete", s.text)
		}
	}
}

// Where the listener would stop waiting, nothing that changes the command may follow.
func TestCompleteWaitsForWhatChangesTheCommand(t *testing.T) {
	c := intent.English()
	for _, s := range positives(t) {
		whole := c.Meaning(s.text)
		f := strings.Fields(s.text)
		for n := 1; n < len(f); n++ {
			part := strings.Join(f[:n], " ")
			complete, extendable := c.Complete(part)
			if complete && !extendable && !c.EndsForItself(part) && c.Meaning(part) != whole {
				t.Errorf("nothing is waited for after %q, but %q is another command", part, s.text)
			}
		}
	}
}

func TestNear(t *testing.T) {
	c := intent.English()
	for text, want := range map[string]string{
		"set a time for ten minutes":                "set a timer for ten minutes",
		"set a timer for ten":                       "set a timer for ten minutes",
		"cancle the timer":                          "cancel the timer",
		"set an alrm for seven":                     "set an alarm for seven",
		"what tome is it":                           "what time is it",
		"add milk to my list pleese":                "add milk to my list please",
		"set a nice timer for ten minutes":          "",
		"what's the weather like":                   "",
		"play some jazz":                            "",
		"turn the lights on in the kitchen":         "",
		"stop":                                      "",
		"who was the first president of the states": "",
		"what's the time in tokyo":                  "",
		"remind mee to call mom":                    "remind me to call mom",
	} {
		got, name, ok := c.Near(text)
		if ok != (want != "") && text != "set a nice timer for ten minutes" || want != "" && got != want {
			t.Errorf("near %q is %q (%s), want %q", text, got, name, want)
		}
		if m, matched := c.Match(got); ok && (!matched || m.Name != name) {
			t.Errorf("near %q is %q, which is %v %s, not %s", text, got, matched, m.Name, name)
		}
	}
	for _, text := range lines(t, "testdata/negative.txt") {
		if got, name, ok := c.Near(text); ok {
			t.Logf("near %q: %q (%s)", text, got, name)
		}
	}
}

func TestMeaning(t *testing.T) {
	c := intent.English()
	for _, same := range [][]string{
		{"how much time is left on the timer", "so how much time is left on the timer"},
		{"set a timer for ten minutes", "please set a timer for ten minutes"},
	} {
		if first := c.Meaning(same[0]); first == "" || c.Meaning(same[1]) != first {
			t.Errorf("%q means %q, %q means %q", same[0], first, same[1], c.Meaning(same[1]))
		}
	}
	if a, b := c.Meaning("set a timer for ten minutes"), c.Meaning("set a timer for two minutes"); a == b {
		t.Errorf("two timers mean %q", a)
	}
	if m := c.Meaning("why is the sky blue"); m != "" {
		t.Errorf("a question means %q", m)
	}
}

func TestFree(t *testing.T) {
	c := intent.English()
	for text, want := range map[string][2]string{
		"remind me to call mom at five":           {"remind me to", "call mom"},
		"remember that my code is blue horse":     {"remember that", "my code is blue horse"},
		"remind me at five to call mom":           {"remind me at five to", "call mom"},
		"could you add milk to my list":           {"could you add", "milk"},
		"call me anna":                            {"call me", "anna"},
		"set a pasta timer for ten minutes":       {"set a", "pasta"},
		"what time is it":                         {"", ""},
		"set a timer for ten minutes called rice": {"set a timer for ten minutes called", "rice"},
		"remind me to take the bus at 7:30 p.m.":  {"remind me to", "take the bus"},
	} {
		prefix, ok := c.FreeSpan(text)
		begin, end, _ := c.Free(text)
		span := strings.Join(strings.Fields(text)[begin:end], " ")
		if ok != (want[1] != "") || prefix != want[0] || span != want[1] {
			t.Errorf("free span of %q: %q after %q, want %q", text, span, prefix, want)
		}
	}
}

func FuzzMatch(f *testing.F) {
	for _, s := range []string{"set a timer for 10:30 minutes", "remind me to ° 5'11\" at 1,000.5.6pm", "what's ((3+)) * 4", "p m o clock a m", "“x” — …", "1st 2nd 99th 007", "٣ kg ٣3", "\xc4\xa73m", "-5% $20 x3 3x4 **"} {
		f.Add(s)
	}
	c := intent.English()
	f.Fuzz(func(t *testing.T, text string) {
		m, ok := c.Match(text)
		complete, _ := c.Complete(text)
		if ok != complete {
			t.Errorf("%q matches %v but is complete %v", text, ok, complete)
		}
		if ok && m.Name == "" {
			t.Errorf("%q matches a nameless command", text)
		}
		for k, v := range m.Slots {
			if v == "" {
				t.Errorf("%q has an empty slot %s", text, k)
			}
		}
		if begin, end, ok := c.Free(text); ok && (begin >= end || end > len(strings.Fields(text))) {
			t.Errorf("%q has a free span from %d to %d", text, begin, end)
		}
		if len(text) < 80 {
			if got, _, ok := c.Near(text); ok {
				if _, ok := c.Match(got); !ok {
					t.Errorf("near %q is %q, which is no command", text, got)
				}
			}
		}
	})
}

func BenchmarkMatch(b *testing.B) {
	c := intent.English()
	all := positives(b)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		c.Match(all[i%len(all)].text)
	}
}

func BenchmarkMatchNothing(b *testing.B) {
	c := intent.English()
	all := lines(b, "testdata/negative.txt")
	for i := 0; b.Loop(); i++ {
		c.Match(all[i%len(all)])
	}
}

func BenchmarkComplete(b *testing.B) {
	c := intent.English()
	all := positives(b)
	for i := 0; b.Loop(); i++ {
		c.Complete(all[i%len(all)].text)
	}
}
