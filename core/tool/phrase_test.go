package tool_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/solo-assistant/solo/core/tool"
)

func TestLists(t *testing.T) {
	for n, want := range []string{"", "a", "a and b", "a, b and c", "a, b, c and 1 more", "a, b, c and 2 more"} {
		words := strings.Split("abcde", "")[:n]
		if got := tool.Some(words, 3); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
	if got := tool.Either([]string{"tea", "milk"}); got != "tea or milk" {
		t.Error(got)
	}
}

func TestOrdinal(t *testing.T) {
	for n, want := range map[int]string{1: "1st", 2: "2nd", 3: "3rd", 4: "4th", 11: "11th", 12: "12th", 13: "13th", 21: "21st", 22: "22nd", 31: "31st", 112: "112th"} {
		if got := tool.Ordinal(n); got != want {
			t.Errorf("%d is %q, want %q", n, got, want)
		}
	}
}

func TestTrim(t *testing.T) {
	for in, want := range map[string]string{
		"that my bike is red.": "my bike is red", "  That  it rains ": "it rains", "that": "that",
		"thatched roof": "thatched roof", "to": "to", "": "", "...": "",
	} {
		if got := tool.Trim(in, "that", "to"); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}

func TestMirror(t *testing.T) {
	for in, want := range map[string]string{
		"my bike lock code is 427":               "your bike lock code is 427",
		"I am allergic to nuts":                  "you are allergic to nuts",
		"i'm on holiday in may":                  "you're on holiday in may",
		"I’ve parked on level two":               "you've parked on level two",
		"I was born in Graz":                     "you were born in Graz",
		"call me back":                           "call you back",
		"Anna gave me her key, and mine is lost": "Anna gave you her key, and yours is lost",
		"we moved to our new house":              "you moved to your new house",
		"they sold us the US edition":            "they sold you the US edition",
		"you are slow":                           "I am slow",
		"you're called Solo":                     "I'm called Solo",
		"your name is Solo":                      "my name is Solo",
		"I like you":                             "you like me",
		"I said that you can help me":            "you said that I can help you",
		"where I am":                             "where you are",
		"where am I":                             "where are you",
		"Anna was late":                          "Anna was late",
		"":                                       "",
	} {
		if got := tool.Mirror(in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}

func TestPick(t *testing.T) {
	names := []string{"pasta", "eggs", "sweet potato", "potato", "buy oat milk", "buy milk"}
	for said, want := range map[string][]int{
		"pasta": {0}, "the pasta one": {0}, "Pasta.": {0}, "egg": {1}, "potato": {3}, "sweet potato": {2},
		"milk": {5, 4}, "to buy milk": {5}, "oat": {4}, "pesta": {0}, "rice": nil, "": nil, "the sweet potatos please": {2},
		"a sweet potato for the oven": {2},
	} {
		if got := tool.Pick(said, names); !slices.Equal(got, want) {
			t.Errorf("%q picked %v, want %v", said, got, want)
		}
	}
}

func TestEvery(t *testing.T) {
	at := time.Date(2026, 11, 25, 7, 30, 0, 0, time.UTC) // a Wednesday
	for rule, want := range map[string]string{
		"FREQ=DAILY":            "every day at 7:30 AM",
		"FREQ=DAILY;INTERVAL=2": "every other day at 7:30 AM",
		"FREQ=DAILY;INTERVAL=3": "every 3 days at 7:30 AM",
		"FREQ=WEEKLY":           "every Wednesday at 7:30 AM",
		"RRULE:FREQ=WEEKLY;BYDAY=MO;BYHOUR=9;BYMINUTE=0": "every Monday at 9 AM",
		"FREQ=WEEKLY;BYDAY=FR,TH,WE,TU,MO;BYHOUR=7":      "every weekday at 7 AM",
		"FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=7":       "every weekday at 7 AM",
		"FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU":         "every day at 7:30 AM",
		"FREQ=WEEKLY;BYDAY=SU,SA;BYHOUR=10":              "every Saturday and Sunday at 10 AM",
		"FREQ=WEEKLY;INTERVAL=2;BYDAY=TU":                "every other Tuesday at 7:30 AM",
		"FREQ=WEEKLY;INTERVAL=3;BYDAY=TU":                "every 3 weeks on Tuesday at 7:30 AM",
		"FREQ=DAILY;BYHOUR=8,20;BYMINUTE=0":              "every day at 8 AM and 8 PM",
		"FREQ=MONTHLY;BYMONTHDAY=1;BYHOUR=12":            "on the 1st of every month at noon",
		"FREQ=MONTHLY;BYMONTHDAY=1,15":                   "on the 1st and the 15th of every month at 7:30 AM",
		"FREQ=MONTHLY;BYMONTHDAY=-1":                     "on the last day of every month at 7:30 AM",
		"FREQ=MONTHLY":                                   "on the 25th of every month at 7:30 AM",
		"FREQ=MONTHLY;BYDAY=1MO":                         "on the first Monday of every month at 7:30 AM",
		"FREQ=MONTHLY;BYDAY=FR;BYSETPOS=-1":              "on the last Friday of every month at 7:30 AM",
		"FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1":  "on the last weekday of every month at 7:30 AM",
		"FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=2":           "on the 2nd of every 3 months at 7:30 AM",
		"FREQ=YEARLY;BYMONTH=7;BYMONTHDAY=4;BYHOUR=0":    "every year on July 4 at midnight",
		"FREQ=YEARLY":                       "every year on November 25 at 7:30 AM",
		"FREQ=YEARLY;BYMONTH=11;BYDAY=4TH":  "every year on the fourth Thursday of November at 7:30 AM",
		"FREQ=HOURLY":                       "every hour",
		"FREQ=HOURLY;INTERVAL=4":            "every 4 hours",
		"FREQ=MINUTELY;INTERVAL=30":         "every 30 minutes",
		"FREQ=DAILY;COUNT=5":                "every day at 7:30 AM, 5 times",
		"FREQ=DAILY;UNTIL=20261224T000000Z": "every day at 7:30 AM until December 24",
		"FREQ=DAILY;UNTIL=20270101":         "every day at 7:30 AM until January 1, 2027",
		"nonsense":                          "again and again at 7:30 AM",
	} {
		if got := tool.Every(rule, at); got != want {
			t.Errorf("%s is %q, want %q", rule, got, want)
		}
	}
}

func FuzzEvery(f *testing.F) {
	f.Add("FREQ=WEEKLY;BYDAY=MO;BYHOUR=9")
	f.Add("FREQ=MONTHLY;BYDAY=-1FR;BYSETPOS=99;COUNT=;UNTIL=2026")
	f.Fuzz(func(t *testing.T, rule string) {
		if tool.Every(rule, time.Unix(0, 0).UTC()) == "" {
			t.Errorf("%q says nothing", rule)
		}
	})
}

func FuzzMirror(f *testing.F) {
	f.Add("I'm here, you are there, my us")
	f.Fuzz(func(t *testing.T, s string) {
		if got := len(strings.Fields(tool.Mirror(s))); got != len(strings.Fields(s)) {
			t.Errorf("%q has %d words after", s, got)
		}
	})
}

func TestAbout(t *testing.T) {
	page := "# Theme\n\nFor people.\n\n## a.one\nDoes one.\n\nWell.\n\n## a.two\nDoes two.\n"
	for name, want := range map[string]string{"a.one": "Does one.\n\nWell.", "a.two": "Does two.", "a.three": "", "a": ""} {
		if got := tool.About(page, name); got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
}
