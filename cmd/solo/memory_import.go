package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/solo-assistant/solo/core/channel/cli"
	"github.com/solo-assistant/solo/core/memory"
)

const (
	importRows  = 1000    // that are stored at once
	importBytes = 1 << 20 // of them
	maxLine     = 8 << 20 // of an import
)

// ImportMemory keeps the memories of a file of JSON lines.
func (a *app) ImportMemory(ctx context.Context, from io.Reader, tell cli.Tell) error {
	began := time.Now()
	var total cli.Imported
	var batch []memory.Item
	size := 0
	flush := func() error {
		if len(batch) == 0 {
			return nil
		}
		err := a.memories(ctx, "memory.import", batch, func(raw json.RawMessage) error {
			var n cli.Imported
			err := json.Unmarshal(raw, &n)
			total.Added, total.Changed, total.Same = total.Added+n.Added, total.Changed+n.Changed, total.Same+n.Same
			return err
		})
		batch, size = batch[:0], 0
		return err
	}
	in := bufio.NewReaderSize(from, 1<<16)
	now := a.now()
	for n := 1; ; n++ {
		line, err := importLine(in)
		if errors.Is(err, io.EOF) && len(line) == 0 {
			break
		}
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, errLongLine) {
			return fmt.Errorf("read line %d: %w", n, err)
		}
		if line = bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))); len(line) == 0 && err == nil {
			continue
		}
		var it memory.Item
		bad := err
		if bad == nil || errors.Is(bad, io.EOF) {
			it, bad = importOne(line, now)
		}
		if bad != nil {
			total.Skipped++
			tell(cli.Skipped{Line: n, Why: bad.Error()})
			continue
		}
		if batch, size = append(batch, it), size+len(it.Text); len(batch) == importRows || size > importBytes {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	if err := flush(); err != nil {
		return err
	}
	took := time.Since(began)
	total.Took = cli.Seconds(took)
	total.Rate = float64(total.Added+total.Changed+total.Same) / max(took.Seconds(), 1e-3)
	tell(total)
	return nil
}

var errLongLine = fmt.Errorf("it is longer than %d MiB", maxLine>>20)

// importLine reads one line. One that is too long is read to its end, and is errLongLine.
func importLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	long := false
	for {
		part, err := in.ReadSlice('\n')
		if !long {
			line = append(line, part...)
		}
		if len(line) > maxLine {
			line, long = line[:0], true
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if long && (err == nil || errors.Is(err, io.EOF)) {
			return []byte(" "), errLongLine
		}
		return line, err
	}
}

// importOne reads one line of an import.
func importOne(line []byte, now time.Time) (memory.Item, error) {
	if !utf8.Valid(line) {
		return memory.Item{}, errors.New("it is no UTF-8")
	}
	var l exported
	if err := json.Unmarshal(line, &l); err != nil {
		return memory.Item{}, fmt.Errorf("it is no JSON object with a text: %w", err)
	}
	it := memory.Item{Text: l.Text, Kind: memory.Kind(l.Kind), Source: l.Source, Confidence: l.Confidence}
	if it.Kind == "" {
		it.Kind = memory.Note
	}
	if it.Source == "" {
		it.Source = "import"
	}
	if l.Expires != nil {
		it.Expires = *l.Expires
	}
	if l.Replaced != nil {
		it.Replaced = *l.Replaced
	}
	var err error
	if it.Key, err = importKey(l.ID); err != nil {
		return it, err
	}
	if it.Session, err = plainOf(l.Session); err != nil {
		return it, fmt.Errorf("its session is no text: %w", err)
	}
	if len(l.At) > 0 && string(l.At) != "null" {
		if it.At, err = importTime(l.At, now); err != nil {
			return it, err
		}
	}
	switch {
	case strings.TrimSpace(it.Text) == "":
		return it, errors.New("it has no text")
	case len(it.Text)+len(it.Key)+len(it.Session)+len(it.Source) > memory.MaxText:
		return it, memory.ErrTooLong
	case !slices.Contains(memory.Kinds, it.Kind):
		return it, fmt.Errorf("%w, not %.40q", memory.ErrKind, it.Kind)
	}
	return it, nil
}

// importKey is an id as it was written, a text or a number, "" for none.
func importKey(raw json.RawMessage) (string, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return "", nil
	}
	text, err := plainOf(raw)
	switch {
	case err != nil:
		return "", errors.New("its id is neither a text nor a number")
	case text == "" || len(text) > 512:
		return "", errors.New("its id is empty, or longer than 512 bytes")
	case raw[0] == '"':
		key, err := json.Marshal(text)
		return string(key), err
	}
	return string(raw), nil
}

// plainOf is a JSON text or number as text, "" for none.
func plainOf(raw json.RawMessage) (string, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return "", nil
	}
	var text string
	if raw[0] == '"' {
		err := json.Unmarshal(raw, &text)
		return text, err
	}
	var n json.Number
	err := json.Unmarshal(raw, &n)
	return n.String(), err
}

var timeForms = []string{time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02 15:04", "2006-01-02", time.RFC1123Z, time.RFC1123}

// importTime reads a time: of RFC 3339, a day, or seconds or milliseconds since 1970.
func importTime(raw json.RawMessage, now time.Time) (time.Time, error) {
	text, err := plainOf(raw)
	if err != nil {
		return time.Time{}, errors.New("its time is neither a text nor a number")
	}
	if raw[0] != '"' {
		var n float64
		if json.Unmarshal(raw, &n) != nil || math.Abs(n) > 1e14 {
			return time.Time{}, fmt.Errorf("%.40s is no time", text)
		}
		if math.Abs(n) > 1e11 {
			return time.UnixMilli(int64(n)), nil
		}
		return time.UnixMilli(int64(n * 1000)), nil
	}
	for _, form := range timeForms {
		if t, err := time.ParseInLocation(form, strings.TrimSpace(text), now.Location()); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("%.40q is no time such as 2024-05-03T10:00:00Z", text)
}
