package intent

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Match is a command that was understood.
type Match struct {
	Name  string            // also the name of the tool, such as "timers.set"
	Slots map[string]string // canonical values by slot name; docs/intents.md lists them
}

// Commands understands one language's commands. It may be used by many goroutines at once.
type Commands struct {
	book      *book
	words     map[string]int
	slots     []string
	values    []string
	rules     []*program
	ruleNames []string
	free      []*free // by rule, nil where it is none
	templates []compiled
	byFirst   map[int][]int // templates by a word that they may begin with
	anyFirst  []int
	before    int // rule of polite words in front of a command
	after     int // and after it
	runners   sync.Pool
	near      func() *speller
}

type compiled struct {
	*template
	*program
}

// English returns Solo's own commands, read once.
var English = sync.OnceValue(func() *Commands {
	c, err := load()
	if err != nil {
		panic(err) // the files are part of the program and a test reads them
	}
	return c
})

func load() (*Commands, error) {
	b, err := readBook(files)
	if err != nil {
		return nil, err
	}
	return build(b)
}

func build(b *book) (*Commands, error) {
	for _, name := range []string{"before", "after", "free"} {
		if b.rules[name] == nil {
			return nil, fmt.Errorf("the commands need a rule %q", name)
		}
	}
	k := newCompiler(b)
	c := &Commands{book: b, ruleNames: b.order, byFirst: map[int][]int{}, before: k.rules["before"], after: k.rules["after"]}
	for _, name := range b.order {
		d := b.rules[name]
		c.free = append(c.free, d.free)
		if d.free != nil {
			c.rules = append(c.rules, &program{ops: []op{{code: opEnd}}})
			continue
		}
		c.rules = append(c.rules, k.compile(d.root))
	}
	for i, t := range b.templates {
		p := k.compile(t.root)
		c.templates = append(c.templates, compiled{t, p})
		if p.first == nil {
			c.anyFirst = append(c.anyFirst, i)
		}
		for w := range p.first {
			c.byFirst[w] = append(c.byFirst[w], i)
		}
	}
	c.words, c.slots, c.values = k.words, k.names, k.values
	c.runners.New = func() any { return new(runner) }
	c.near = sync.OnceValue(c.newSpeller)
	return c, nil
}

// Match says which command text is, and false when it is none. Text may be spoken words or typed,
// with capitals, digits and punctuation; politeness around the command does not count.
func (c *Commands) Match(text string) (Match, bool) {
	s := read(text)
	f, ok := c.find(&s)
	if !ok {
		return Match{}, false
	}
	return Match{Name: f.template.intent, Slots: c.fill(&s, f.captures)}, true
}

// Understand is Match in plain values, for those who know only those.
func (c *Commands) Understand(text string) (name string, slots map[string]string, ok bool) {
	m, ok := c.Match(text)
	return m.Name, m.Slots, ok
}

// Meaning is one line that is the same for all texts that say the same command with the same slots, "" where text is
// no command.
func (c *Commands) Meaning(text string) string {
	m, ok := c.Match(text)
	if !ok {
		return ""
	}
	line := m.Name
	for _, slot := range slices.Sorted(maps.Keys(m.Slots)) {
		line += " " + slot + "=" + strconv.Quote(m.Slots[slot])
	}
	return line
}

// found is the best way to read a text as a command.
type found struct {
	template compiled
	captures []capture
	final    bool // one of the ways waits for nothing more
	free     int  // words in free spans
	polite   int  // words around the command
	order    int
}

// better prefers what leaves less to free spans, then what leaves less to politeness, then the earlier template.
func (f found) better(g found) bool {
	if f.free != g.free {
		return f.free < g.free
	}
	if f.polite != g.polite {
		return f.polite < g.polite
	}
	return f.order < g.order
}

// find runs all templates that may fit and keeps the best.
func (c *Commands) find(s *said) (found, bool) {
	if len(s.words) == 0 || len(s.words) > maxWords {
		return found{}, false
	}
	r := c.runners.Get().(*runner)
	defer c.runners.Put(r)
	r.reset(c, s)
	r.accept = r.endings()
	var best found
	ok, final := false, false
	starts := r.starts()
	for start := 0; start < r.n; start++ {
		if starts&(1<<start) == 0 {
			continue
		}
		c.each(r.ids[start], func(i int) {
			t := c.templates[i]
			if !r.has(t.needs) || !r.try(t.program, start) {
				return
			}
			f := found{template: t, free: r.free, polite: start, order: i}
			final = final || t.final && !t.root.typed // what people rarely say is more likely a beginning: "what day"
			if !ok || f.better(best) {
				f.captures = append(best.captures[:0], r.captures...)
				best, ok = f, true
			}
		})
	}
	best.final = final
	return best, ok
}

// each visits the templates that may begin with word id.
func (c *Commands) each(id int, visit func(int)) {
	for _, i := range c.byFirst[id] {
		visit(i)
	}
	for _, i := range c.anyFirst {
		visit(i)
	}
}

func (r *runner) try(p *program, start int) bool {
	r.captures, r.free, r.arena = r.captures[:0], 0, r.arena[:0]
	return r.run(p, r.marks(p), 0, start)
}

// has says that the text holds all the words.
func (r *runner) has(needs []int) bool {
next:
	for _, w := range needs {
		for _, id := range r.ids {
			if id == w {
				continue next
			}
		}
		return false
	}
	return true
}

// starts marks the words at which a command may begin, politeness aside.
func (r *runner) starts() uint64 {
	marks := uint64(1)
	for i := 0; i < r.n; i++ {
		if marks&(1<<i) != 0 {
			ends, _ := r.ruleEnds(r.c.before, i)
			marks |= ends
		}
	}
	return marks
}

// endings marks the words at which a command may end.
func (r *runner) endings() uint64 {
	marks := uint64(1) << r.n
	for i := r.n - 1; i > 0; i-- {
		if ends, _ := r.ruleEnds(r.c.after, i); ends&marks != 0 {
			marks |= 1 << i
		}
	}
	return marks
}

// fill gives the captured slots their values.
func (c *Commands) fill(s *said, captures []capture) map[string]string {
	slots := map[string]string{}
	for _, k := range captures {
		if k.slot < 0 {
			continue
		}
		var v string
		if k.rule < 0 {
			v = c.values[k.fixedValue]
		} else {
			v, _ = c.value(s, k.rule, k.from, k.to)
		}
		if old := slots[c.slots[k.slot]]; old != "" && k.rule >= 0 {
			v = old + joint(s, k) + v // what was interrupted: "tomorrow" remind me to call Anna "at five"
		}
		slots[c.slots[k.slot]] = v
	}
	return slots
}

// value is the canonical form of what a rule took, false where it has none.
func (c *Commands) value(s *said, rule, from, to int) (string, bool) {
	name := c.ruleNames[rule]
	if list := c.book.rules[name].list; list != nil {
		v, ok := list[strings.Join(s.texts(from, to), " ")]
		return v, ok
	}
	if f := values[name]; f != nil {
		return f(s.texts(from, to))
	}
	return s.raw(from, to), true
}

// values makes canonical values of the rules whose words are not their own value.
var values = map[string]func(words []string) (string, bool){
	"number": number, "amount": amount, "less": less, "duration": duration, "more_time": duration,
	"sum": sum, "ordered": sum, "anded": sum, "over_of": sum, "tomorrows": owner, "goes_into": goesInto, "percentage": percentage,
}

// joint stands between the parts of a slot: a bare clock time gets an "at".
func joint(s *said, k capture) string {
	if w := s.words[k.from].text; counts[w] || w == "noon" || w == "midnight" || w == "half" || w == "quarter" {
		return " at "
	}
	return " "
}

// owner is the day of "tomorrow's alarm".
func owner(words []string) (string, bool) {
	return strings.TrimSuffix(strings.Join(words, " "), "'s"), true
}
