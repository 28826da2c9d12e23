package llama

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/solo-assistant/solo/core/proc"
	"github.com/solo-assistant/solo/models"
	"github.com/solo-assistant/solo/models/llama/internal/gguf"
)

// Models is the folder of model files.
func (c Config) models() string { return filepath.Join(c.Data, "models") }

// file finds a model by its path, or by its name in the models folder, with or without ".gguf".
func (c Config) file(setting, name string) (string, error) {
	looked := []string{name}
	if !filepath.IsAbs(name) {
		looked = []string{filepath.Join(c.models(), name), filepath.Join(c.models(), name+".gguf")}
	}
	for _, path := range looked {
		if info, err := os.Stat(path); err == nil && !info.IsDir() {
			return path, nil
		}
	}
	return "", fmt.Errorf("%w: %s is %q, and there is no file %s", models.ErrNoModel, setting, name, strings.Join(looked, " or "))
}

// weights finds the model to run and reads its header.
func (c Config) weights() (string, gguf.Model, error) {
	if c.Model != "" {
		path, err := c.file("llama.model", c.Model)
		if err != nil {
			return "", gguf.Model{}, err
		}
		m, err := c.headers.read(path)
		if err != nil {
			return "", gguf.Model{}, fmt.Errorf("%w: %w", models.ErrNoModel, err)
		}
		return path, m, nil
	}
	found, odd := c.installed()
	var best entry
	for _, e := range found {
		if e.Bytes > best.Bytes && !e.Embeds && !c.isAnother(e.path) {
			best = e
		}
	}
	switch {
	case best.path != "":
		return best.path, best.Model, nil
	case odd != nil:
		return "", gguf.Model{}, fmt.Errorf("%w: none of the files in %s can be used; %w", models.ErrNoModel, c.models(), odd)
	}
	return "", gguf.Model{}, fmt.Errorf("%w: no *.gguf in %s or a folder in it; put one there, or set llama.model to the path of one", models.ErrNoModel, c.models())
}

// isAnother is whether a file has another use by the settings.
func (c Config) isAnother(path string) bool {
	for _, name := range []string{c.DraftModel, c.MMProj, c.EmbeddingModel} {
		if name == "" {
			continue
		}
		if p, err := c.file("", name); err == nil && p == path {
			return true
		}
	}
	return false
}

// headers remembers what files say of themselves, until they change. A nil one remembers nothing.
type headers struct {
	mu    sync.Mutex
	known map[string]gguf.Model // by path, size and time
}

func (h *headers) read(path string) (gguf.Model, error) {
	info, err := os.Stat(path)
	if err != nil || h == nil {
		return gguf.Read(path)
	}
	mark := fmt.Sprint(path, " ", info.Size(), " ", info.ModTime().UnixNano())
	h.mu.Lock()
	defer h.mu.Unlock()
	if m, ok := h.known[mark]; ok {
		return m, nil
	}
	m, err := gguf.Read(path)
	if err == nil && m.Parts == 1 { // of other parts we know no time
		h.known[mark] = m
	}
	return m, err
}

type entry struct {
	path string
	gguf.Model
}

// installed are the models in the models folder and the folders in it; odd says why a file is left out.
func (c Config) installed() (found []entry, odd error) {
	for _, pattern := range []string{"*.gguf", filepath.Join("*", "*.gguf")} {
		paths, _ := filepath.Glob(filepath.Join(proc.Literal(c.models()), pattern))
		for _, path := range paths {
			if gguf.Later(path) {
				continue
			}
			m, err := c.headers.read(path)
			switch {
			case err != nil:
				odd = err
			case m.Architecture == "clip" || m.Blocks == 0: // a projector, an adapter
			default:
				found = append(found, entry{path, m})
			}
		}
	}
	return found, odd
}

// idOf names a model after its file.
func idOf(path string) string { return strings.TrimSuffix(filepath.Base(path), ".gguf") }
