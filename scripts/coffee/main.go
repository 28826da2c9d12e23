// Command coffee makes the JSGF grammar of the coffee orders from coffee_maker.yaml.
//
//	go run ./scripts/coffee ../shared/data/commands/coffee_maker.yaml > coffee.jsgf
package main

import (
	"bufio"
	"fmt"
	"io"
	"log"
	"os"
	"regexp"
	"strings"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: coffee coffee_maker.yaml > coffee.jsgf")
	}
	f, err := os.Open(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	text, err := grammar(f)
	if err != nil {
		log.Fatalf("reading %s: %v", os.Args[1], err)
	}
	fmt.Print(text)
}

// rules holds the two lists of the file, in its order.
type rules struct {
	expressions []string
	slots       []slot
}

type slot struct {
	name   string
	values []string
}

// grammar reads the benchmark's YAML (context: expressions by intent, slots by name) and writes JSGF.
func grammar(r io.Reader) (string, error) {
	rs, err := read(r)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("#JSGF V1.0;\n\ngrammar coffee;\n\npublic <order> =\n    ")
	for i, e := range rs.expressions {
		if i > 0 {
			b.WriteString("\n  | ")
		}
		b.WriteString(expand(e))
	}
	b.WriteString(";\n")
	for _, s := range rs.slots {
		fmt.Fprintf(&b, "\n<%s> = %s;\n", s.name, strings.Join(s.values, " | "))
	}
	return b.String(), nil
}

// read understands as much YAML as the file has: two levels of keys and lists of strings.
func read(r io.Reader) (rules, error) {
	var rs rules
	section, scan := "", bufio.NewScanner(r)
	for n := 1; scan.Scan(); n++ {
		line := strings.TrimSpace(scan.Text())
		item, isItem := strings.CutPrefix(line, "- ")
		key, isKey := strings.CutSuffix(line, ":")
		switch {
		case line == "" || line == "context:":
		case line == "expressions:" || line == "slots:":
			section = key
		case isItem && section == "expressions":
			rs.expressions = append(rs.expressions, strings.Trim(item, `"`))
		case isItem && section == "slots" && len(rs.slots) > 0:
			s := &rs.slots[len(rs.slots)-1]
			s.values = append(s.values, strings.ToLower(strings.Trim(item, `"`)))
		case isKey && section == "slots":
			rs.slots = append(rs.slots, slot{name: key})
		case isKey && section == "expressions": // the intent's name
		default:
			return rs, fmt.Errorf("line %d: %q is not understood", n, line)
		}
	}
	if len(rs.expressions) == 0 {
		return rs, fmt.Errorf("no expressions")
	}
	return rs, scan.Err()
}

var (
	choice = regexp.MustCompile(`\[([^\]]*)\]`) // [a, b]: exactly one of them
	use    = regexp.MustCompile(`\$(\w+):\w+`)  // $slot:name
)

func expand(e string) string {
	words := choice.ReplaceAllStringFunc(e, func(c string) string {
		return "(" + strings.ReplaceAll(strings.ToLower(c[1:len(c)-1]), ", ", " | ") + ")"
	})
	return use.ReplaceAllString(words, "<$1>")
}
