package wire

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/solo-assistant/solo/models"
)

// all reads every event as "name|data".
func all(r io.Reader) (list []string, err error) {
	events := NewEvents(r)
	for {
		ev, err := events.Next()
		if err != nil {
			return list, err
		}
		list = append(list, ev.Name+"|"+string(ev.Data))
	}
}

func TestEvents(t *testing.T) {
	for name, tt := range map[string]struct {
		in   string
		want string // events, separated by " / "
		err  error
	}{
		"one":                     {"data: a\n\n", "|a", io.EOF},
		"no space":                {"data:a\n\n", "|a", io.EOF},
		"two spaces":              {"data:  a\n\n", "| a", io.EOF},
		"carriage returns":        {"data: a\r\n\r\ndata: b\r\n\r\n", "|a / |b", io.EOF},
		"named":                   {"event: ping\ndata: {}\n\n", "ping|{}", io.EOF},
		"named after":             {"data: {}\nevent: ping\n\n", "ping|{}", io.EOF},
		"two lines":               {"data: a\ndata: b\n\n", "|a\nb", io.EOF},
		"empty data":              {"data\n\n", "|", io.EOF},
		"comment":                 {": hello\n\ndata: a\n: more\n\n", "|a", io.EOF},
		"id and retry":            {"id: 7\nretry: 100\ndata: a\n\n", "|a", io.EOF},
		"unknown field":           {"dota: b\ndata: a\n\n", "|a", io.EOF},
		"no data":                 {"event: ping\n\ndata: a\n\n", "|a", io.EOF},
		"empty lines":             {"\n\n\ndata: a\n\n\n\n", "|a", io.EOF},
		"byte order mark":         {"\xef\xbb\xbfdata: a\n\n", "|a", io.EOF},
		"error field":             {"error: {\"code\":500}\n\n", "error|{\"code\":500}", io.EOF},
		"done without its line":   {"data: a\n\ndata: [DONE]\n", "|a / |[DONE]", io.EOF},
		"done without its end":    {"data: a\n\ndata: [DONE]", "|a / |[DONE]", io.EOF},
		"JSON without its line":   {"data: {\"a\":1}\n", "|{\"a\":1}", io.EOF},
		"cut":                     {"data: a\n\ndata: {\"a\":", "|a", io.ErrUnexpectedEOF},
		"cut after a whole line":  {"data: {\"a\":\n", "", io.ErrUnexpectedEOF},
		"cut in a field's name":   {"data: a\n\nda", "|a", io.ErrUnexpectedEOF},
		"nothing":                 {"", "", io.EOF},
		"colons in data":          {"data: a: b:c\n\n", "|a: b:c", io.EOF},
		"a value that is a field": {"data: data: a\n\n", "|data: a", io.EOF},
	} {
		t.Run(name, func(t *testing.T) {
			for _, r := range []io.Reader{strings.NewReader(tt.in), iotest.OneByteReader(strings.NewReader(tt.in)), iotest.DataErrReader(strings.NewReader(tt.in))} {
				got, err := all(r)
				if strings.Join(got, " / ") != tt.want || !errors.Is(err, tt.err) {
					t.Errorf("got %q, %v, want %q, %v", got, err, tt.want, tt.err)
				}
			}
		})
	}
}

// A server that sends without end fills no memory.
func TestEndless(t *testing.T) {
	for name, beat := range map[string]string{"one line": "data: aaaaaaaaaaaaaa", "one event": "data: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n"} {
		t.Run(name, func(t *testing.T) {
			source := &endless{beat: []byte(beat)}
			if _, err := all(source); !errors.Is(err, models.ErrNonsense) || source.given > 2*LongestEvent {
				t.Errorf("%v after %d bytes", err, source.given)
			}
		})
	}
}

type endless struct {
	beat  []byte
	given int
}

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = e.beat[(e.given+i)%len(e.beat)]
	}
	e.given += len(p)
	return len(p), nil
}

func TestLines(t *testing.T) {
	long := strings.Repeat("x", 100<<10)
	lines := NewLines(iotest.HalfReader(strings.NewReader("a\r\n\n" + long + "\nlast")))
	for _, want := range []struct {
		line string
		err  error
	}{{"a", nil}, {"", nil}, {long, nil}, {"last", io.ErrUnexpectedEOF}, {"", io.EOF}} {
		got, err := lines.Next()
		if string(got) != want.line || !errors.Is(err, want.err) {
			t.Errorf("%d bytes, %v, want %d, %v", len(got), err, len(want.line), want.err)
		}
	}
	broken := errors.New("the cable")
	lines = NewLines(io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(broken)))
	if _, err := lines.Next(); err != nil {
		t.Error(err)
	}
	if _, err := lines.Next(); !errors.Is(err, broken) {
		t.Errorf("%v, want the reader's error", err)
	}
}

// FuzzEvents: whatever comes, reading ends, events do not depend on how the bytes arrive, and what is read can be
// written and read again.
func FuzzEvents(f *testing.F) {
	for _, seed := range []string{"data: a\n\n", "event: x\r\ndata: {}\r\n\r\n", "data: [DONE]", ": c\n\ndata\n\n", "\xef\xbb\xbfdata: \xff\n\nerror: x\n\n", "data: a\ndata: b\n\ndata: {\"a\":1}\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		one, err := all(bytes.NewReader(in))
		two, err2 := all(iotest.OneByteReader(bytes.NewReader(in)))
		if strings.Join(one, "\x00") != strings.Join(two, "\x00") || errors.Is(err, io.EOF) != errors.Is(err2, io.EOF) {
			t.Fatalf("%q, %v\n%q, %v", one, err, two, err2)
		}
		var again bytes.Buffer
		for _, ev := range one {
			name, data, _ := strings.Cut(ev, "|")
			if name != strings.TrimSpace(name) || strings.Contains(name, "\r") || strings.Contains(data, "\r") || strings.Contains(name, "|") {
				return // such cannot be written the same way
			}
			if name != "" {
				again.WriteString("event: " + name + "\n")
			}
			for line := range strings.SplitSeq(data, "\n") {
				again.WriteString("data: " + line + "\n")
			}
			again.WriteString("\n")
		}
		three, err := all(&again)
		if !errors.Is(err, io.EOF) || strings.Join(one, "\x00") != strings.Join(three, "\x00") {
			t.Fatalf("%q, again %q, %v", one, three, err)
		}
	})
}
