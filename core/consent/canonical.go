package consent

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// canonical writes arguments in their one form: names sorted, no spaces, numbers to the letter. It refuses what two
// readers could take for different things: a name that comes twice, in whatever case, and broken text.
func canonical(args json.RawMessage) (json.RawMessage, error) {
	if len(bytes.TrimSpace(args)) == 0 || bytes.Equal(bytes.TrimSpace(args), []byte("null")) {
		return json.RawMessage("{}"), nil
	}
	if !utf8.Valid(args) {
		return nil, errors.New("the arguments are not valid UTF-8")
	}
	if err := alone(json.NewDecoder(bytes.NewReader(args)), 0); err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(args))
	d.UseNumber()
	var object map[string]any
	if err := d.Decode(&object); err != nil {
		return nil, fmt.Errorf("the arguments are no JSON object: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("the arguments are more than one JSON object")
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(object); err != nil {
		return nil, fmt.Errorf("writing the arguments: %w", err)
	}
	return bytes.TrimSpace(out.Bytes()), nil
}

// deepest is how many objects and lists may lie in each other.
const deepest = 64

// alone reads one value and says ErrTwice where a name of an object in it comes twice.
func alone(d *json.Decoder, depth int) error {
	if depth > deepest {
		return errors.New("the arguments lie too deep in each other")
	}
	t, err := d.Token()
	if err != nil {
		return fmt.Errorf("the arguments are no JSON: %w", err)
	}
	open, ok := t.(json.Delim)
	if !ok {
		return nil
	}
	seen := map[string]bool{}
	for d.More() {
		if open == '{' {
			name, err := d.Token()
			if err != nil {
				return fmt.Errorf("the arguments are no JSON: %w", err)
			}
			key := strings.ToLower(strings.ToUpper(fmt.Sprint(name))) // as encoding/json takes names for equal
			if seen[key] {
				return ErrTwice
			}
			seen[key] = true
		}
		if err := alone(d, depth+1); err != nil {
			return err
		}
	}
	if _, err := d.Token(); err != nil { // the closing one
		return fmt.Errorf("the arguments are no JSON: %w", err)
	}
	return nil
}

func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
