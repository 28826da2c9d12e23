package apps

import (
	"bufio"
	"errors"
	"io"
	"os/exec"
	"strings"
)

// entry is how a program is registered: by a .desktop file's content, or by a path alone.
type entry struct {
	path     string // of the entry
	exec     string // command line of a .desktop file
	dir      string
	icon     string
	terminal bool
}

// errTerminal and errExec tell the user why an entry cannot be started.
var (
	errTerminal = errors.New("it needs a terminal")
	errExec     = errors.New("it is not installed rightly")
)

// parseDesktop reads a .desktop file; ok is false for what is no visible program. Names in languages other than the
// English come after it.
func parseDesktop(r io.Reader) (p program, ok bool) {
	var kind, try string
	hide, in := false, false
	var local []string
	s := bufio.NewScanner(io.LimitReader(r, 1<<20))
	for s.Scan() {
		row := strings.TrimSpace(s.Text())
		if strings.HasPrefix(row, "[") {
			if in {
				break // what follows are actions
			}
			in = row == "[Desktop Entry]"
			continue
		}
		key, value, found := strings.Cut(row, "=")
		if !in || !found || strings.HasPrefix(row, "#") {
			continue
		}
		key, value = strings.TrimSpace(key), unescape(strings.TrimSpace(value))
		switch base, _, translated := strings.Cut(key, "["); {
		case base == "Name" && translated:
			local = append(local, value)
		case base == "GenericName":
			p.also = append(p.also, value)
		case key == "Name":
			p.names = []string{value}
		case key == "Type":
			kind = value
		case key == "Exec":
			p.entry.exec = value
		case key == "TryExec":
			try = value
		case key == "Path":
			p.entry.dir = value
		case key == "Icon":
			p.entry.icon = value
		case key == "Terminal":
			p.entry.terminal = value == "true"
		case key == "NoDisplay", key == "Hidden":
			hide = hide || value == "true"
		}
	}
	if try != "" {
		if _, err := exec.LookPath(try); err != nil {
			return program{}, false
		}
	}
	if s.Err() != nil || kind != "Application" || hide || len(p.names) == 0 || p.names[0] == "" || p.entry.exec == "" {
		return program{}, false
	}
	p.names = append(p.names, local...)
	return p, true
}

var escapes = strings.NewReplacer(`\\`, `\`, `\s`, " ", `\n`, "\n", `\t`, "\t", `\r`, "\r")

func unescape(value string) string { return escapes.Replace(value) }

// splitExec parts the Exec line of a .desktop file as the Desktop Entry Specification tells: by spaces, double quotes hold
// together, a backslash within them takes the next letter as it is.
func splitExec(line string) ([]string, error) {
	var all []string
	var word strings.Builder
	quoted, begun, plain := false, false, false
	for _, r := range line {
		switch {
		case plain:
			word.WriteRune(r)
			plain = false
		case quoted && r == '\\':
			plain = true
		case r == '"':
			quoted, begun = !quoted, true
		case !quoted && (r == ' ' || r == '\t' || r == '\n'):
			if begun {
				all = append(all, word.String())
			}
			word.Reset()
			begun = false
		default:
			word.WriteRune(r)
			begun = true
		}
	}
	if quoted || plain {
		return nil, errExec
	}
	if begun {
		all = append(all, word.String())
	}
	if len(all) == 0 || all[0] == "" {
		return nil, errExec
	}
	return all, nil
}

// fill replaces the codes of an Exec line. There are no files to open, so those for files go.
func (e entry) fill(args []string, name string) []string {
	var out []string
	for _, arg := range args {
		switch arg {
		case "%f", "%F", "%u", "%U", "%d", "%D", "%n", "%N", "%v", "%m":
			continue
		case "%i":
			if e.icon != "" {
				out = append(out, "--icon", e.icon)
			}
			continue
		}
		var word strings.Builder
		for i := 0; i < len(arg); i++ {
			if arg[i] != '%' || i+1 == len(arg) {
				word.WriteByte(arg[i])
				continue
			}
			i++
			switch arg[i] {
			case '%':
				word.WriteByte('%')
			case 'c':
				word.WriteString(name)
			case 'k':
				word.WriteString(e.path)
			}
		}
		out = append(out, word.String())
	}
	return out
}

// execCommand is the command of a .desktop entry.
func (e entry) execCommand(name string) (Command, error) {
	if e.terminal {
		return Command{}, errTerminal
	}
	args, err := splitExec(e.exec)
	if err != nil {
		return Command{}, err
	}
	if args = e.fill(args, name); len(args) == 0 {
		return Command{}, errExec
	}
	path, err := exec.LookPath(args[0])
	if err != nil {
		return Command{}, errExec
	}
	return Command{Path: path, Args: args[1:], Dir: e.dir}, nil
}
