package sphinx

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

// layout is part of the cache key: a new number where what is built from the same texts changes.
const layout = 3

// models are the files made from a Config's texts, in one folder.
type models struct {
	dir              string
	grammar, trigram bool // which of them there are
}

func (m models) grammarFile() string { return filepath.Join(m.dir, "grammar.fsg") }
func (m models) trigramFile() string { return filepath.Join(m.dir, "trigram.lm") }
func (m models) wordsFile() string   { return filepath.Join(m.dir, "words.dict") }

// prepare returns the models of c, from the cache where they were built before.
func prepare(c Config) (models, error) {
	dict := filepath.Join(c.Model, "cmudict-en-us.dict")
	about, err := os.Stat(dict)
	if err != nil {
		return models{}, fmt.Errorf("the English model is not in %s: %w", c.Model, ErrAbsent)
	}
	texts, err := json.Marshal([]any{layout, c.Grammar, c.Sentences, c.Classes, dict, about.Size(), about.ModTime().Unix()})
	if err != nil {
		return models{}, fmt.Errorf("hashing the sentences: %w", err)
	}
	sum := sha256.Sum256(texts)
	m := models{
		dir:     filepath.Join(c.Cache, "sphinx-"+hex.EncodeToString(sum[:8])),
		grammar: c.Grammar != "", trigram: len(c.Sentences) > 0,
	}
	if _, err := os.Stat(m.wordsFile()); err == nil {
		now := time.Now()
		_ = os.Chtimes(m.dir, now, now) // only tells tidy that it is in use
		return m, nil
	}
	return m, m.build(c, dict)
}

// build writes the files beside their place and moves them there whole, so that a half-written folder is never found.
func (m models) build(c Config, dict string) error {
	if err := os.MkdirAll(filepath.Dir(m.dir), 0o755); err != nil {
		return fmt.Errorf("making the recogniser's cache: %w", err)
	}
	tmp, err := os.MkdirTemp(filepath.Dir(m.dir), "building-")
	if err != nil {
		return fmt.Errorf("making the recogniser's cache: %w", err)
	}
	defer os.RemoveAll(tmp)
	defer debug.FreeOSMemory() // the texts are many times larger than the models
	files, err := c.files(dict)
	if err != nil {
		return err
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(tmp, name), []byte(text), 0o644); err != nil {
			return fmt.Errorf("writing the recogniser's models: %w", err)
		}
	}
	err = os.Rename(tmp, m.dir)
	if _, there := os.Stat(m.wordsFile()); there == nil {
		return tidy(filepath.Dir(m.dir)) // a failed move means that another process was faster
	}
	return fmt.Errorf("writing the recogniser's models: %w", err)
}

// keptModels is how many sets of models stay in the cache.
const keptModels = 8

// tidy removes the oldest models of texts that are no longer used.
func tidy(cache string) error {
	all, err := filepath.Glob(filepath.Join(cache, "sphinx-*"))
	if err != nil || len(all) <= keptModels {
		return err
	}
	age := func(dir string) int64 {
		s, err := os.Stat(dir)
		if err != nil {
			return 0
		}
		return s.ModTime().UnixNano()
	}
	slices.SortFunc(all, func(a, b string) int { return cmp.Compare(age(a), age(b)) })
	for _, dir := range all[:len(all)-keptModels] {
		if err := os.RemoveAll(dir); err != nil {
			return fmt.Errorf("tidying the recogniser's cache: %w", err)
		}
	}
	return nil
}

// files makes the text of every model file.
func (c Config) files(dict string) (map[string]string, error) {
	var graph *automaton
	var words []string
	if c.Grammar != "" {
		rs, err := parseJSGF(c.Grammar)
		if err != nil {
			return nil, err
		}
		if graph, err = rs.compile(); err != nil {
			return nil, err
		}
		words = graph.words()
	}
	three := estimate(c.Sentences, c.Classes)
	words = slices.Concat(words, three.words())
	slices.Sort(words)
	words = slices.Compact(words)
	lines, known, guessed, err := pronounce(dict, words)
	if err != nil {
		return nil, err
	}
	c.report(words, known, guessed)
	files := map[string]string{filepath.Base(models{}.wordsFile()): strings.Join(lines, "\n") + "\n"}
	says := func(w string) bool { return known[w] }
	if graph != nil {
		if graph = graph.without(says); graph.empty() {
			return nil, wrong(1, "no sentence of the grammar can be pronounced")
		}
		graph.share()
		files[filepath.Base(models{}.grammarFile())] = graph.String()
	}
	if len(c.Sentences) > 0 {
		three.without(says)
		files[filepath.Base(models{}.trigramFile())] = three.String()
	}
	return files, nil
}

func (c Config) report(words []string, known map[string]bool, guessed []string) {
	if len(guessed) > 0 {
		c.Log.Debug().Strs("words", guessed).Msg("pronunciations were guessed")
	}
	lost := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return known[w] })
	if len(lost) > 0 {
		c.Log.Warn().Strs("words", lost).Msg("words without pronunciation were left out")
	}
}
