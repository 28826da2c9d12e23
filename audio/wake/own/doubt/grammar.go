package doubt

import (
	"slices"
	"strings"
)

// grammar is a loop of words.
func grammar(phrases, others []string) string {
	var b strings.Builder
	b.WriteString("#JSGF V1.0;\ngrammar wake;\npublic <heard> = (<phrase> | <other>)+;\n<phrase> = ")
	b.WriteString(strings.Join(slices.Sorted(slices.Values(phrases)), " | "))
	b.WriteString(";\n<other> = ")
	b.WriteString(strings.Join(slices.Sorted(slices.Values(others)), " | "))
	b.WriteString(";\n")
	return b.String()
}
