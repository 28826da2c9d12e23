package depot

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"sync"

	"github.com/pelletier/go-toml/v2"
)

//go:embed catalogue.toml
var builtIn []byte

// bounds of a catalogue, far beyond what anyone needs.
const (
	mostText   = 1 << 20 // bytes
	mostModels = 500
	mostFiles  = 64
	mostURLs   = 10
)

// ours is our own catalogue, read once.
var ours = sync.OnceValues(func() (Catalogue, error) { return Load(builtIn) })

// loadAll reads our catalogue and the user's own. A model of the user's replaces ours of the same name.
func loadAll(own string) (Catalogue, error) {
	c, err := ours()
	if err != nil || own == "" {
		return c, wrap("the catalogue", err)
	}
	text, err := readBounded(own)
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err != nil {
		return c, fmt.Errorf("read the catalogue %s: %w", own, err)
	}
	more, err := Load(text)
	if err != nil {
		return c, wrap(own, err)
	}
	others := slices.DeleteFunc(slices.Clone(c.Models), func(m Model) bool {
		return slices.ContainsFunc(more.Models, func(o Model) bool { return o.Name == m.Name })
	})
	c.Models = append(more.Models, others...)
	return c, wrap(own, c.apart())
}

func wrap(where string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", where, err)
}

func readBounded(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, mostText+1))
}

// Load reads a catalogue. Every model in it has been checked: what it names is safe to fetch and to lay down.
func Load(text []byte) (Catalogue, error) {
	var c Catalogue
	if len(text) > mostText {
		return c, fmt.Errorf("a catalogue has at most %d bytes", mostText)
	}
	if err := decode(bytes.TrimPrefix(text, []byte("\ufeff")), &c); err != nil {
		return Catalogue{}, err
	}
	if len(c.Models) > mostModels {
		return Catalogue{}, fmt.Errorf("a catalogue has at most %d models", mostModels)
	}
	for i, m := range c.Models {
		if err := m.check(); err != nil {
			return Catalogue{}, fmt.Errorf("model %d (%q): %w", i+1, m.Name, err)
		}
	}
	if err := c.apart(); err != nil {
		return Catalogue{}, err
	}
	return c, nil
}

// decode reads the TOML. The library's decoder falls over some texts that are none, such as "[[model.0]]0".
func decode(text []byte, into *Catalogue) (err error) {
	defer func() {
		if recover() != nil {
			err = errors.New("it is no TOML that can be read")
		}
	}()
	if err := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(into); err != nil {
		return located(err)
	}
	return nil
}

// located says where a mistake in the TOML is.
func located(err error) error {
	if unknown, ok := errors.AsType[*toml.StrictMissingError](err); ok && len(unknown.Errors) > 0 {
		line, _ := unknown.Errors[0].Position()
		return fmt.Errorf("line %d: %q is no setting of a catalogue", line, fmt.Sprint(last(unknown.Errors[0].Key())))
	}
	if bad, ok := errors.AsType[*toml.DecodeError](err); ok {
		line, column := bad.Position()
		return fmt.Errorf("line %d, column %d: %w", line, column, err)
	}
	return err
}

func last(key toml.Key) string {
	if len(key) == 0 {
		return ""
	}
	return key[len(key)-1]
}
