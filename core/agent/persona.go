package agent

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rs/zerolog"
)

//go:embed persona/*.md
var defaults embed.FS

// The files of a persona.
const (
	Soul   = "SOUL.md"  // who Solo is
	Person = "USER.md"  // who the user is
	Habits = "TOOLS.md" // how to use the tools
)

// maxPersona is how much of one file is used, in bytes; a small model pays for each.
const maxPersona = 2400

// ErrPersona says that a persona has no such file.
var ErrPersona = errors.New("the persona has no such file; it has SOUL.md, USER.md and TOOLS.md")

// Persona is who Solo is, in Markdown files that the user edits. A file that is missing is written with its default,
// one that was changed is read again, and one that cannot be read leaves the text that was known before.
// A Persona is safe for use by several goroutines.
type Persona struct {
	dir string
	log zerolog.Logger

	mu   sync.Mutex
	read map[string]page
}

// page is a file as it was read last.
type page struct {
	text  string
	size  int64
	at    time.Time
	tried bool // it was written or read once; trouble is told once
}

// NewPersona builds the persona whose files lie in dir, "" for the defaults alone. Nothing is read or written yet.
func NewPersona(dir string, log zerolog.Logger) *Persona {
	return &Persona{dir: dir, log: log, read: map[string]page{}}
}

// Files are the names of the persona's files.
func (p *Persona) Files() []string { return []string{Soul, Person, Habits} }

// Path is where a file lies; its default is written there first where there is none. Names are those of Files, the
// ending and the case of letters do not matter. Errors: ErrPersona, or why the file could not be written.
func (p *Persona) Path(name string) (string, error) {
	want := strings.ToUpper(strings.TrimSuffix(strings.ToLower(name), ".md")) + ".md"
	if !slices.Contains(p.Files(), want) {
		return "", fmt.Errorf("%q: %w", name, ErrPersona)
	}
	if p.dir == "" {
		return "", errors.New("there is no workspace folder")
	}
	path := filepath.Join(p.dir, want)
	return path, p.found(want, path)
}

// found writes the default of a file that is not there.
func (p *Persona) found(name, path string) error {
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.MkdirAll(p.dir, 0o700); err != nil {
		return fmt.Errorf("making the workspace: %w", err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil // someone else wrote it just now
	}
	if err != nil {
		return fmt.Errorf("writing the default of %s: %w", name, err)
	}
	_, err = f.Write(builtin(name))
	return errors.Join(err, f.Close())
}

// Show is all that a model is told of the persona, each file under its name.
func (p *Persona) Show() string {
	var b strings.Builder
	for _, name := range p.Files() {
		text := p.text(name)
		if text == "" {
			text = "(empty)"
		}
		fmt.Fprintf(&b, "# %s\n%s\n\n", name, text)
	}
	return strings.TrimSpace(b.String()) + "\n"
}

// text is what a file says, without comments, read again where it was changed.
func (p *Persona) text(name string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	old, known := p.read[name]
	if !known {
		old.text = p.plain(name, builtin(name))
	}
	p.read[name] = p.fresh(name, old)
	return p.read[name].text
}

func (p *Persona) fresh(name string, old page) page {
	if p.dir == "" {
		return old
	}
	path := filepath.Join(p.dir, name)
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) && !old.tried {
		if err = p.found(name, path); err == nil {
			info, err = os.Stat(path)
		}
	}
	if err == nil && info.Size() == old.size && info.ModTime().Equal(old.at) {
		return old
	}
	var text []byte
	if err == nil {
		text, err = readHead(path)
	}
	if err != nil {
		if !old.tried {
			p.log.Warn().Err(err).Str("file", name).Msg("persona not read, the last known text is used")
		}
		return page{text: old.text, tried: true}
	}
	return page{p.plain(name, text), info.Size(), info.ModTime(), true}
}

// readHead reads no more of a file than could ever be used.
func readHead(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, 16*maxPersona))
}

var comment = regexp.MustCompile(`(?s)<!--.*?(-->|$)`)

// plain is the part of a file that is read to the model.
func (p *Persona) plain(name string, raw []byte) string {
	text := comment.ReplaceAllString(strings.ToValidUTF8(string(raw), ""), "")
	text = strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n"))
	if len(text) <= maxPersona {
		return text
	}
	p.log.Warn().Str("file", name).Int("bytes", len(text)).Int("used", maxPersona).Msg("persona file is too long, its end is left out")
	return strings.ToValidUTF8(text[:maxPersona], "")
}

func builtin(name string) []byte {
	text, err := defaults.ReadFile("persona/" + name)
	if err != nil {
		return nil // a name that is none of ours
	}
	return text
}
