package memory

import (
	"regexp"
	"slices"
	"strings"

	"github.com/solo-assistant/solo/core/words"
)

var (
	profiles = regexp.MustCompile(`(?i)^(?:that )?(?:my name is|i am called|call me|i(?:'m| am) (?:from|born|allergic|married|single|retired|vegetarian|vegan|\d+ years|a |an )|i (?:live|work|was born|come from|grew up|study|have (?:an? )?(?:allergy|\w+ (?:children|kids|sons|daughters|sisters|brothers)))|my (?:birthday|address|job|employer|home town|hometown|age|wife|husband|partner|blood type) )`)
	likings  = regexp.MustCompile(`(?i)^(?:that )?(?:i (?:really |also |do not |don't |would |always |never )*(?:like|love|prefer|hate|dislike|enjoy|can't stand|cannot stand|drink|eat|take my)|i'd rather|my favou?rite)\b`)
)

// kindOf tells what sort of thing a text is.
func kindOf(text string) Kind {
	switch {
	case likings.MatchString(text):
		return Preference
	case profiles.MatchString(text):
		return Profile
	}
	return Fact
}

// single are things of which there is one at a time, so that a new value takes the place of the old one.
var single = regexp.MustCompile(`(?i)\b(?:password|passcode|code|pin|number|address|birthday|name|colou?r|size|phone|e-?mail|age|weight|height|favou?rite|email|salary|rent|plate|appointment|deadline|employer|job|town|wifi|wi-fi|level|seat|room|anniversary|landlord|boss|dentist|doctor|bank|budget|goal|shift|password|zip|postcode)\b`)

var (
	valued = regexp.MustCompile(`(?i)^(?:that )?(?:(?:my|our|the|his|her|their) |[\pL'’]+?['’]s )(.{2,60}?)(?: is now| are now| is| are| was| were| has changed to| changed to| will be| moved to)\b `)
	owner  = regexp.MustCompile(`(?i)^(?:that )?([\pL'’]+?)['’]s `)
	placed = regexp.MustCompile(`(?i)^(?:that )?(i|we|[\pL]+) (?:now )?(live|lives|work|works|moved|parked)(?: now)? (?:in|at|to|for|on|with|as)\b`)
	called = regexp.MustCompile(`(?i)^(?:that )?(?:my name is|call me|i am called)\b`)
)

// subjectOf names what a text gives the value of, "" where it is no value, or one of many.
func subjectOf(text string) string {
	if called.MatchString(text) {
		return "my name"
	}
	if m := placed.FindStringSubmatch(text); m != nil {
		verb := words.Stem(strings.ToLower(m[2]))
		if verb == "mov" {
			verb = "liv"
		}
		return strings.ToLower(m[1]) + " " + verb
	}
	m := valued.FindStringSubmatch(text)
	if m == nil || !single.MatchString(m[1]) {
		return ""
	}
	return subject(text, m[1])
}

// subject is the folded name of a thing, with whose it is.
func subject(text, thing string) string {
	whose := "my"
	if o := owner.FindStringSubmatch(text); o != nil {
		whose = strings.ToLower(o[1])
	} else if first, _, _ := strings.Cut(strings.TrimPrefix(strings.ToLower(text), "that "), " "); slices.Contains([]string{"the", "his", "her", "their"}, first) {
		whose = first
	}
	content := words.Content(thing)
	if len(content) == 0 {
		content = words.Fold(thing)
	}
	slices.Sort(content)
	return whose + " " + strings.Join(content, " ")
}

// subjectWords are the words of the thing that a text gives the value of.
func subjectWords(text string) []string {
	if m := valued.FindStringSubmatch(text); m != nil {
		return words.Content(m[1])
	}
	return nil
}
