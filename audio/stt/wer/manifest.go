package wer

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Case is a recording and what is said in it.
type Case struct {
	Audio string // path
	Text  string
	Line  int // of the manifest
}

// ErrManifest says that a manifest cannot be read; its text has the line and what is wrong with it.
var ErrManifest = errors.New("the manifest cannot be used")

// most lines and longest line of a manifest
const (
	mostCases   = 1_000_000
	longestLine = 1 << 20
)

// Manifest reads which recordings are to be heard. Each line is one of these, all of one kind:
//
//	{"audio": "a.wav", "text": "what is said"}    other fields are skipped
//	a.wav<tab>what is said                        a first line with names, such as path and sentence, tells the columns, the first of each
//	1089-134686-0000 WHAT IS SAID                 as in LibriSpeech: 1089-134686-0000.flac lies beside it
//
// Paths are from folder. Empty lines and lines that begin with # are skipped. Errors: ErrManifest.
func Manifest(r io.Reader, folder string) ([]Case, error) {
	s := bufio.NewScanner(r)
	s.Buffer(make([]byte, 64<<10), longestLine)
	var cases []Case
	m := &manifest{folder: folder, audio: 0, text: 1}
	for n := 1; s.Scan(); n++ {
		line := strings.TrimSpace(strings.TrimPrefix(s.Text(), "\ufeff"))
		if line == "" || line[0] == '#' {
			continue
		}
		c, skip, err := m.read(line)
		if err != nil {
			return nil, fmt.Errorf("%w: line %d: %w", ErrManifest, n, err)
		}
		if skip {
			continue
		}
		if len(cases) == mostCases {
			return nil, fmt.Errorf("%w: more than %d recordings", ErrManifest, mostCases)
		}
		c.Line = n
		cases = append(cases, c)
	}
	if err := s.Err(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrManifest, err)
	}
	if len(cases) == 0 {
		return nil, fmt.Errorf("%w: there is no recording in it", ErrManifest)
	}
	return cases, nil
}

type manifest struct {
	folder      string
	audio, text int // columns
	begun       bool
}

// read takes one line; skip says that it names the columns.
func (m *manifest) read(line string) (c Case, skip bool, err error) {
	first := !m.begun
	m.begun = true
	switch {
	case line[0] == '{':
		var o struct{ Audio, Text *string }
		if err := json.Unmarshal([]byte(line), &o); err != nil {
			return c, false, fmt.Errorf("it is no JSON object: %w", err)
		}
		if o.Audio == nil || o.Text == nil {
			return c, false, errors.New(`it lacks "audio" or "text"`)
		}
		c.Audio, c.Text = *o.Audio, *o.Text
	case strings.Contains(line, "\t"):
		cells := strings.Split(line, "\t")
		if first && m.names(cells) {
			return c, true, nil
		}
		if len(cells) <= max(m.audio, m.text) {
			return c, false, fmt.Errorf("it has %d columns, want %d", len(cells), max(m.audio, m.text)+1)
		}
		c.Audio, c.Text = strings.TrimSpace(cells[m.audio]), cells[m.text]
	default:
		id, text, ok := strings.Cut(line, " ")
		if !ok {
			return c, false, errors.New(`it is neither JSON, nor two columns with a tab between, nor a name and its words`)
		}
		if c.Audio = m.beside(id); c.Audio == "" {
			return c, false, fmt.Errorf("there is no %s.flac, .wav, .mp3, .ogg or .opus beside the manifest", id)
		}
		c.Text = text
	}
	if c.Audio == "" || len(Normal(c.Text)) == 0 {
		return c, false, errors.New("the recording or its words are empty")
	}
	if !filepath.IsAbs(c.Audio) {
		c.Audio = filepath.Join(m.folder, c.Audio)
	}
	return c, false, nil
}

// names takes the first line for the columns' names where it is.
func (m *manifest) names(cells []string) bool {
	audio, text := -1, -1
	for i, cell := range cells {
		switch strings.ToLower(strings.TrimSpace(cell)) {
		case "audio", "path", "file", "wav", "filename", "audio_path":
			if audio < 0 {
				audio = i
			}
		case "text", "sentence", "transcript", "words", "transcription":
			if text < 0 {
				text = i
			}
		}
	}
	if audio < 0 || text < 0 {
		return false
	}
	m.audio, m.text = audio, text
	return true
}

func (m *manifest) beside(id string) string {
	if strings.ContainsAny(id, `/\`) {
		return ""
	}
	for _, ext := range []string{".flac", ".wav", ".mp3", ".ogg", ".opus"} {
		if _, err := os.Stat(filepath.Join(m.folder, id+ext)); err == nil {
			return id + ext
		}
	}
	return ""
}
