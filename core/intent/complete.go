package intent

import (
	"slices"
	"strings"
)

// Complete says whether the words so far are a whole command, and whether more words could make them a
// longer or different one. Words that are no command yet but may become one are (false, true). Of "stop",
// "what time is it" and other commands that end for themselves nothing more is expected: (true, false),
// even though "stop the timer" is a command too. Politeness that may follow does not count.
func (c *Commands) Complete(partial string) (complete, extendable bool) {
	s := read(partial)
	if len(s.words) == 0 {
		return false, true
	}
	f, ok := c.find(&s)
	if ok && f.final {
		return true, false
	}
	return ok, c.extends(&s) || c.grows(partial)
}

// grows says that the last word may be heard as the beginning of a longer one: "what is today" of "today's date".
func (c *Commands) grows(partial string) bool {
	s := read(strings.TrimSpace(partial) + "'s")
	return c.extends(&s)
}

// extends says that some command begins with all of the words and goes on.
func (c *Commands) extends(s *said) bool {
	if len(s.words) > maxWords {
		return false
	}
	r := c.runners.Get().(*runner)
	defer c.runners.Put(r)
	r.reset(c, s)
	starts := r.starts()
	if starts&(1<<r.n) != 0 {
		return true // only politeness so far
	}
	for start := 0; start < r.n; start++ {
		if starts&(1<<start) == 0 {
			continue
		}
		if _, hungry := r.ruleEnds(c.before, start); hungry {
			r.more = true // "would you"
		}
		c.each(r.ids[start], func(i int) {
			if !r.more && c.templates[i].first != nil { // one that begins with a free span could follow on anything
				r.try(c.templates[i].program, start)
			}
		})
	}
	return r.more
}

// Free says where the free span of a command lies: words begin to end-1 of strings.Fields(text).
// A command with several has the widest one reported. False where the text is no command or has none.
func (c *Commands) Free(text string) (begin, end int, ok bool) {
	s := read(text)
	f, found := c.find(&s)
	if !found {
		return 0, 0, false
	}
	for _, k := range f.captures {
		if k.rule < 0 || c.free[k.rule] == nil {
			continue
		}
		from, to := s.words[k.from].first, s.words[k.to-1].last+1
		if to-from > end-begin {
			begin, end, ok = from, to, true
		}
	}
	return begin, end, ok
}

// FreeSpan is the words in front of the free span of a command, false where there is no free span:
// of "remind me to call mom at five" it is "remind me to". Free says where the span ends.
func (c *Commands) FreeSpan(text string) (prefix string, ok bool) {
	begin, _, ok := c.Free(text)
	if !ok {
		return "", false
	}
	return strings.Join(slices.Clone(strings.Fields(text)[:begin]), " "), true
}
