package intent

import (
	"maps"
	"slices"
	"strings"
)

// Complete says whether the words so far are a whole command, and whether more words could make them a
// longer or different one. Words that are no command yet but may become one are (false, true). Of "stop",
// "what time is it" and other commands that end for themselves nothing more is expected: (true, false),
// even though "stop the timer" is a command too. Neither politeness that may follow counts, nor words that would
// change nothing ("what are my reminders for today").
func (c *Commands) Complete(partial string) (complete, extendable bool) {
	s := read(partial)
	if len(s.words) == 0 {
		return false, true
	}
	f, ok := c.find(&s)
	if ok && f.final {
		return true, false
	}
	sofar := anything
	if ok {
		sofar = c.settled(&s, f)
	}
	return ok, c.extends(&s, sofar) || c.grows(partial, sofar)
}

// settled is what a whole command tells of the readings that go on.
type settled struct {
	whole  bool
	intent string
	slots  map[string]string
	free   int // a reading with more words in free spans is none: nobody who asks for a timer means a task of that name
}

// anything may follow on words that are no command yet.
var anything = settled{free: maxWords}

// spacious is the length of a free span, in words, from which on it holds speech and no name. Speech goes on as it likes.
const spacious = 5

func (c *Commands) settled(s *said, f found) settled {
	is := settled{whole: true, intent: f.template.intent, slots: c.fill(s, f.captures), free: f.free}
	if c.politely(s) {
		is.free = maxWords // "set a reminder for me" to do something
	}
	for _, k := range f.captures {
		if k.rule >= 0 && c.free[k.rule] != nil && c.free[k.rule].most >= spacious {
			is.free = maxWords
		}
	}
	return is
}

// politely says that the last words may be politeness.
func (c *Commands) politely(s *said) bool {
	r := c.runners.Get().(*runner)
	defer c.runners.Put(r)
	r.reset(c, s)
	return r.endings() != 1<<r.n
}

// grows says that the last word may be heard as the beginning of a longer one: "what is today" of "today's date".
func (c *Commands) grows(partial string, sofar settled) bool {
	s := read(strings.TrimSpace(partial) + "'s")
	return c.extends(&s, sofar)
}

// extends says that some command begins with all of the words and goes on.
func (c *Commands) extends(s *said, sofar settled) bool {
	if len(s.words) > maxWords {
		return false
	}
	r := c.runners.Get().(*runner)
	defer c.runners.Put(r)
	r.reset(c, s)
	r.sofar = sofar
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
				r.template = &c.templates[i]
				r.try(c.templates[i].program, start)
			}
		})
	}
	return r.more
}

// goesOn notes that the template under way needs words behind the last one, from place pc on, after so many more in a
// free span.
func (r *runner) goesOn(pc, free int) {
	if r.more || r.template == nil || r.free+free > r.sofar.free {
		return
	}
	r.more = !r.sofar.whole || r.template.intent != r.sofar.intent || r.template.tells(pc) ||
		!maps.Equal(r.c.fill(r.said, r.captures), r.sofar.slots)
}

// fits says whether the last words, from place pos on, may be the beginning of a longer name in the list rule: of the
// unit "kilometers" comes "kilometers per hour" only where the other unit is one of speed too.
func (r *runner) fits(rule, pos int) bool {
	list := r.c.book.rules[r.c.ruleNames[rule]].list
	if !r.sofar.whole || list == nil {
		return true
	}
	begin := strings.Join(r.said.texts(pos, r.n), " ") + " "
	for name, value := range list {
		if strings.HasPrefix(name, begin) && r.suits(rule, value) {
			return true
		}
	}
	return false
}

// suits says that a value goes with those of the same list that were captured.
func (r *runner) suits(rule int, value string) bool {
	for _, k := range r.captures {
		if k.rule != rule {
			continue
		}
		if other, _ := r.c.value(r.said, rule, k.from, k.to); rate(other) != rate(value) {
			return false
		}
	}
	return true
}

// rate says that a unit is one of speed; a knot is one too, but begins no longer name.
func rate(unit string) bool { return strings.Contains(unit, " per ") || unit == "knot" }

// tells says that something may be kept in a slot from place pc on.
func (p *program) tells(pc int) bool {
	seen := make([]bool, len(p.ops))
	for todo := []int{pc}; len(todo) > 0; {
		pc := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[pc] {
			continue
		}
		seen[pc] = true
		switch o := p.ops[pc]; o.code {
		case opSlot, opFree, opFixed:
			return true
		case opSplit:
			todo = append(todo, o.a, o.b)
		case opJump:
			todo = append(todo, o.a)
		case opWord, opRule:
			todo = append(todo, pc+1)
		}
	}
	return false
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
