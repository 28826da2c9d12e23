package sphinx

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/rs/zerolog"
)

// names of a decoder's searches
const (
	byGrammar = "grammar"
	byTrigram = "trigram"
)

// grammarWeight is pocketsphinx's own weight of a language model against the sound.
const grammarWeight = 6.5

// Engine recognises one Stream at a time.
type Engine struct {
	config    Config
	log       zerolog.Logger
	turn      chan struct{} // holds one token: whoever has it may use the decoders
	closed    chan struct{}
	closing   sync.Once
	temporary string   // folder to remove at Close
	commands  *decoder // by grammar and by trigram; nil where everything is dictation
	searches  []string // of commands, in the order in which they are tried
	dictation *dictation
}

// New builds or finds the models and loads them. It returns ErrAbsent where pocketsphinx or its model is missing,
// and a *GrammarError for a grammar that cannot be used.
func New(c Config) (*Engine, error) {
	if libraryVersion() == "" {
		return nil, ErrAbsent
	}
	if c.Model == "" {
		c.Model = modelHere()
	}
	e := &Engine{config: c, log: c.Log, turn: make(chan struct{}, 1), closed: make(chan struct{})}
	if c.Cache == "" {
		dir, err := os.MkdirTemp("", "solo-sphinx-")
		if err != nil {
			return nil, fmt.Errorf("making the recogniser's cache: %w", err)
		}
		e.temporary, e.config.Cache = dir, dir
	}
	e.dictation = &dictation{model: c.Model}
	if err := e.load(); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

func (e *Engine) load() error {
	if e.config.Grammar == "" && len(e.config.Sentences) == 0 {
		e.config.Dictate, e.searches = true, []string{byDictation}
		_, err := e.dictation.get()
		return err
	}
	m, err := prepare(e.config)
	if err != nil {
		return err
	}
	e.commands, err = openDecoder(options(e.config.Model, m.wordsFile())...)
	if err != nil {
		return fmt.Errorf("loading the recogniser: %w", err)
	}
	if m.grammar {
		if err := e.commands.addGrammar(byGrammar, m.grammarFile(), grammarWeight); err != nil {
			return fmt.Errorf("loading the grammar: %w", err)
		}
		e.searches = append(e.searches, byGrammar)
	}
	if m.trigram {
		if err := e.commands.addTrigram(byTrigram, m.trigramFile()); err != nil {
			return fmt.Errorf("loading the trigram: %w", err)
		}
		e.searches = append(e.searches, byTrigram)
	}
	if e.config.Dictate {
		e.searches = append(e.searches, byDictation)
	}
	return nil
}

// options of every decoder. Silence is taken out by voiced and gate, which keep the time of each word.
func options(model, dict string) []string {
	return []string{
		"-hmm", filepath.Join(model, "en-us"), "-dict", dict,
		"-remove_silence", "no", "-remove_noise", "yes", "-logfn", os.DevNull,
	}
}

// Open begins an utterance. It waits for the Stream before to be closed.
func (e *Engine) Open(ctx context.Context) (*Stream, error) {
	return e.open(ctx, true)
}

func (e *Engine) open(ctx context.Context, live bool) (*Stream, error) {
	select {
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case <-e.closed:
		return nil, ErrFinished
	case e.turn <- struct{}{}:
	}
	select {
	case <-e.closed: // both were ready
		<-e.turn
		return nil, ErrFinished
	default:
	}
	trim()
	s := &Stream{engine: e, live: live}
	if live && e.config.Dictate {
		e.dictation.warm() // it is loaded while the first words are said
	}
	if live {
		if err := s.listen(); err != nil {
			<-e.turn
			return nil, err
		}
	}
	return s, nil
}

// Close waits for the Stream in use and frees the models. Open fails afterwards.
func (e *Engine) Close() error {
	e.closing.Do(func() {
		close(e.closed)
		e.turn <- struct{}{}
		if e.commands != nil {
			e.commands.close()
		}
		e.dictation.close()
		<-e.turn
	})
	if e.temporary == "" {
		return nil
	}
	return os.RemoveAll(e.temporary)
}

// String names the engine and how it listens, such as "pocketsphinx 0.8 (grammar, trigram)".
func (e *Engine) String() string {
	return fmt.Sprintf("pocketsphinx %s (%s)", libraryVersion(), strings.Join(e.searches, ", "))
}
