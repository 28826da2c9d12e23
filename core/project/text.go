package project

import (
	"bufio"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// MaxText is the longest text of a tree that Parse reads, in bytes.
const MaxText = 1 << 20

var (
	ErrLongText = errors.New("the text of a tree is longer than 1 MiB")
	ErrNoTree   = errors.New("no project was found in the text")
)

// Text writes a tree, two spaces a level:
//
//	[ACTIVE] Career [40%]
//	  [PAUSED] Job Applications [20%]
//
// It is "" for an empty tree.
func Text(top []*Node) string {
	var out strings.Builder
	Walk(top, func(n *Node) bool {
		fmt.Fprintf(&out, "%s[%s] %s [%d%%]\n", strings.Repeat("  ", n.Depth), strings.ToUpper(string(n.Status)), n.Name, n.Percent)
		return true
	})
	return out.String()
}

// Sketch is a project as a text tells it.
type Sketch struct {
	Name    string
	Status  Status
	Percent int // -1 where none is told
	Depth   int // 0 at the top
	Line    int // 1 is the first
}

// called are other words for the states.
var called = map[string]Status{
	"active": Active, "open": Active, "doing": Active, "paused": Paused, "waiting": Paused, "on hold": Paused, "hold": Paused,
	"done": Done, "completed": Done, "complete": Done, "finished": Done, "x": Done, "dropped": Dropped, "archived": Dropped,
	"cancelled": Dropped, "canceled": Dropped, " ": Active, "": Active,
}

var (
	head = regexp.MustCompile(`^\[([A-Za-z ]{0,12})\]\s+`)
	tail = regexp.MustCompile(`\s*\[\s*(\d{1,3})\s*%\s*\]$`)
)

// Parse reads what Text writes, and is lenient: tabs indent like two spaces, any deeper indentation is one level, lines
// may begin with "-" or "*", and state and percent may be missing. Empty lines are passed over.
// Errors name the line: ErrLongText, ErrNoTree, ErrTooLong, ErrProgress, ErrDeep, ErrMany.
func Parse(text string) ([]Sketch, error) {
	if len(text) > MaxText {
		return nil, ErrLongText
	}
	var out []Sketch
	var margins []int // of the lines that the present one is below
	lines := bufio.NewScanner(strings.NewReader(strings.ToValidUTF8(text, "\uFFFD")))
	lines.Buffer(nil, MaxText+1)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimRight(lines.Text(), " \t\r")
		margin := indent(line)
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "```") {
			continue
		}
		s, err := sketch(line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		for len(margins) > 0 && margin <= margins[len(margins)-1] {
			margins = margins[:len(margins)-1]
		}
		s.Depth, s.Line = len(margins), n
		margins = append(margins, margin)
		if s.Depth >= Deepest {
			return nil, fmt.Errorf("line %d: %w", n, ErrDeep)
		}
		if out = append(out, s); len(out) > Most {
			return nil, fmt.Errorf("line %d: %w", n, ErrMany)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("reading a tree: %w", err)
	}
	if len(out) == 0 {
		return nil, ErrNoTree
	}
	return out, nil
}

// indent is how far a line is moved in, in spaces.
func indent(line string) int {
	n := 0
	for _, r := range line {
		switch r {
		case ' ':
			n++
		case '\t':
			n += 2
		default:
			return n
		}
	}
	return n
}

// sketch reads one line.
func sketch(line string) (Sketch, error) {
	s := Sketch{Status: Active, Percent: -1}
	for _, bullet := range []string{"- ", "* ", "+ ", "• "} {
		line = strings.TrimPrefix(line, bullet)
	}
	line = strings.TrimSpace(line)
	if m := head.FindStringSubmatch(line); m != nil {
		if st, ok := called[strings.ToLower(m[1])]; ok {
			s.Status, line = st, line[len(m[0]):]
		}
	}
	if m := tail.FindStringSubmatchIndex(line); m != nil {
		p, err := strconv.Atoi(line[m[2]:m[3]])
		if err != nil || p > 100 {
			return s, ErrProgress
		}
		s.Percent, line = p, line[:m[0]]
	}
	s.Name = oneLine(line)
	switch {
	case s.Name == "":
		return s, ErrName
	case len(s.Name) > MaxName:
		return s, ErrTooLong
	}
	return s, nil
}
