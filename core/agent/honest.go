package agent

import (
	"slices"
	"strings"
)

// failed says whether a call went wrong and no later one of its tool went well.
func (t *turn) failed() bool {
	last := map[string]bool{}
	for _, r := range t.ran {
		last[r.call.Tool] = r.err != nil
	}
	for _, bad := range last {
		if bad {
			return true
		}
	}
	return false
}

var (
	// owning are the words by which a reply owns up to a failure.
	owning = []string{"sorry", "unfortunately", "afraid", "fail", "unable", "error", "problem", "went wrong", "trouble", "denied",
		"refused", "too long", "timed out", "impossible", "unsuccessful", "n't"}
	notWords = []string{"not", "cannot", "never", "nothing", "neither", "nor"}
	// pleasant are words that own up to nothing, though they sound like it.
	pleasant = strings.NewReplacer("no problem", "", "not a problem", "", "no trouble", "", "without any problem", "", "without problem", "",
		"without error", "", "no errors", "", "don't worry", "", "nothing else", "", "without fail", "", "sorry for the wait", "",
		"sorry about the wait", "", "sorry for waiting", "", "why not", "")
)

// admits says whether a reply does not hide that something failed.
func admits(reply string) bool {
	low := pleasant.Replace(strings.ToLower(strings.ReplaceAll(reply, "’", "'")))
	if slices.ContainsFunc(owning, func(w string) bool { return strings.Contains(low, w) }) {
		return true
	}
	words := strings.FieldsFunc(low, func(r rune) bool { return r < 'a' || r > 'z' })
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(notWords, w) })
}
