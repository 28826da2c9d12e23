package wire

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/solo-assistant/solo/models"
)

// LongestEvent is how many bytes one event or one line of a stream may have.
const LongestEvent = 4 << 20

// Lines reads a stream line by line.
type Lines struct {
	r    *bufio.Reader
	long []byte // a line that did not fit into the reader's buffer
}

// NewLines reads lines from r.
func NewLines(r io.Reader) *Lines { return &Lines{r: bufio.NewReaderSize(r, 16<<10)} }

// Next gives the next line without its end; it stays valid until the next call. The error is io.EOF after the
// last line, io.ErrUnexpectedEOF with what there is of a line that has no end, models.ErrNonsense for one longer
// than LongestEvent, or the reader's.
func (l *Lines) Next() ([]byte, error) {
	l.long = l.long[:0]
	for {
		piece, err := l.r.ReadSlice('\n')
		if len(l.long)+len(piece) > LongestEvent {
			return nil, fmt.Errorf("%w: a line of over %d MiB", models.ErrNonsense, LongestEvent>>20)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			l.long = append(l.long, piece...)
			continue
		case len(l.long) > 0:
			l.long = append(l.long, piece...)
			piece = l.long
		}
		if errors.Is(err, io.EOF) && len(piece) > 0 {
			err = io.ErrUnexpectedEOF
		}
		return bytes.TrimSuffix(bytes.TrimSuffix(piece, []byte("\n")), []byte("\r")), err
	}
}

// Events reads a stream of server-sent events, as the HTML standard describes them.
type Events struct {
	lines *Lines
	data  []byte
	began bool
}

// NewEvents reads events from r.
func NewEvents(r io.Reader) *Events { return &Events{lines: NewLines(r)} }

// Event is one event; Data stays valid until the next one is read.
type Event struct {
	Name string
	Data []byte // its lines, joined by line feeds
}

// Next gives the next event that has data. The error is io.EOF after the last one, io.ErrUnexpectedEOF when
// the stream ended within one, or as that of Lines. A last event without the empty line after it counts when
// its data is whole JSON or "[DONE]", because some servers leave the line out.
func (e *Events) Next() (Event, error) {
	var ev Event
	e.data = e.data[:0]
	has := false
	for {
		line, err := e.lines.Next()
		if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
			return Event{}, err
		}
		if !e.began {
			line, e.began = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf")), true
		}
		if len(line) > 0 {
			if has = e.field(&ev, line, has); len(e.data) > LongestEvent {
				return Event{}, fmt.Errorf("%w: an event of over %d MiB", models.ErrNonsense, LongestEvent>>20)
			}
		}
		switch {
		case err != nil:
			return e.last(ev, has, err)
		case len(line) == 0 && has:
			ev.Data = e.data
			return ev, nil
		case len(line) == 0:
			ev = Event{}
		}
	}
}

// field takes one line of an event in; it tells whether the event has data now.
func (e *Events) field(ev *Event, line []byte, has bool) bool {
	name, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch string(name) {
	case "event":
		ev.Name = eventName(value)
		return has
	case "error": // llama-server has sent its errors this way
		ev.Name = "error"
	case "data":
	default:
		return has
	}
	if has {
		e.data = append(e.data, '\n')
	}
	e.data = append(e.data, value...)
	return true
}

// last decides about an event that the stream's end cut short.
func (e *Events) last(ev Event, has bool, err error) (Event, error) {
	if has && (string(e.data) == "[DONE]" || json.Valid(e.data)) {
		ev.Data = e.data
		return ev, nil
	}
	if has {
		err = io.ErrUnexpectedEOF
	}
	return Event{}, err
}

// eventName spares an allocation for the names that come with every token.
func eventName(b []byte) string {
	if string(b) == "content_block_delta" {
		return "content_block_delta"
	}
	return string(b)
}
