package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
)

// Line is one thing told to the user: a sentence for people, or an object for programs.
type Line interface {
	Event() string // its name in the JSON object
	Human() string // "" where people need not see it
}

// printer writes lines, each whole, in the form that was asked for.
type printer struct {
	mu     sync.Mutex
	json   bool
	out    io.Writer
	errs   io.Writer
	failed bool // a Broken was printed
}

func (c *command) printer() *printer {
	return &printer{json: c.globals.JSON, out: c.out, errs: c.errs}
}

func (p *printer) print(l Line) {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, broken := l.(Broken)
	p.failed = p.failed || broken
	switch {
	case p.json:
		_, _ = p.out.Write(object(l)) // who closed our output does not want to know
	case broken:
		fmt.Fprintln(p.errs, "solo: "+l.Human())
	case l.Human() != "":
		fmt.Fprintln(p.out, l.Human())
	}
}

// object is the line as JSON with the event's name first.
func object(l Line) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(l); err != nil {
		return fmt.Appendf(nil, `{"event":"error","code":"unprintable","message":%q}`+"\n", err.Error())
	}
	name, _ := json.Marshal(l.Event()) // a string always marshals
	head := append([]byte(`{"event":`), name...)
	if body := b.Bytes(); len(body) > 3 { // more than {}\n
		return append(append(head, ','), body[1:]...)
	}
	return append(head, '}', '\n')
}

// failureLine is an error as a line.
func failureLine(err error) Broken {
	b := Broken{Code: "failed", Message: err.Error()}
	var f *Failure
	if errors.As(err, &f) {
		b = Broken{File: f.File, Code: f.Code, Message: f.Err.Error(), Hint: f.Hint}
	}
	var u usageError
	if errors.As(err, &u) {
		b.Code = "usage"
	}
	return b
}

// Fail is a failure as a line, for what goes on with the rest.
func Fail(err error) Line { return failureLine(err) }
