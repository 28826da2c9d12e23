// Package cached keeps the sound of the phrases that Solo says again and again, so that they are heard at once.
//
// Only fixed phrases are kept, those that say nothing about the user: what Solo answers to a person leaves no trace in
// the folder. Files are named by a digest of engine, voice, pace and text; the oldest go when there are too many.
package cached

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rs/zerolog"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/voices"
)

// Inner is the speech engine behind.
type Inner interface {
	Synthesize(ctx context.Context, p voices.Phrase) iter.Seq2[audio.Clip, error]
	Voices() []voices.Voice
	Version(ctx context.Context) string
}

// Config is what an Engine needs to know. All but Bytes and Log are needed.
type Config struct {
	Name   func() string // of the engine and its version: other versions sound otherwise
	Folder string
	Fixed  func(text string) bool // whether a Phrase's text is one of Solo's fixed phrases
	Bytes  int64                  // the most that the folder holds, 32 MB
	Log    zerolog.Logger
}

// Engine speaks as Inner does. It may be used by several goroutines at once where Inner may.
type Engine struct {
	Inner
	conf Config
}

// New wraps an engine.
func New(inner Inner, c Config) *Engine {
	c.Bytes = cmp.Or(c.Bytes, 32<<20)
	return &Engine{Inner: inner, conf: c}
}

// Synthesize speaks one phrase; a fixed one that was spoken before costs the reading of a file.
func (e *Engine) Synthesize(ctx context.Context, p voices.Phrase) iter.Seq2[audio.Clip, error] {
	if !e.conf.Fixed(p.Text) {
		return e.Inner.Synthesize(ctx, p)
	}
	return func(yield func(audio.Clip, error) bool) {
		if ctx.Err() != nil {
			yield(audio.Clip{}, context.Cause(ctx))
			return
		}
		path := e.path(p)
		if clip, err := recall(path); err == nil {
			yield(clip, nil)
			return
		}
		var all audio.Clip
		for clip, err := range e.Inner.Synthesize(ctx, p) {
			if !yield(clip, err) || err != nil {
				return
			}
			if all.PCM != nil && clip.Format != all.Format {
				return
			}
			all.Format = clip.Format
			all.PCM = append(all.PCM, clip.PCM...)
		}
		if err := e.keep(path, all); err != nil {
			e.conf.Log.Debug().Err(err).Msg("the sound of a phrase was not kept")
		}
	}
}

// path is the file of a phrase.
func (e *Engine) path(p voices.Phrase) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%.3f\x00%s", e.conf.Name(), p.Voice, cmp.Or(p.Pace, 1), p.Text))
	return filepath.Join(e.conf.Folder, hex.EncodeToString(sum[:16])+".wav")
}

var errCut = errors.New("the file is cut short")

// recall reads a kept sound and marks it as used.
func recall(path string) (audio.Clip, error) {
	f, err := os.Open(path)
	if err != nil {
		return audio.Clip{}, err
	}
	defer f.Close()
	r, err := audio.OpenWAV(f)
	if err != nil {
		return audio.Clip{}, err
	}
	clip := audio.Clip{Format: r.Format()}
	buf := make([]int16, 1<<15)
	for {
		n, err := r.Read(buf)
		clip.PCM = append(clip.PCM, buf[:n]...)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return audio.Clip{}, err
		}
	}
	if r.Truncated() || len(clip.PCM) == 0 {
		return audio.Clip{}, errCut
	}
	now := time.Now()
	_ = os.Chtimes(path, now, now) // a sound that looks old is only dropped early
	return clip, nil
}

// keep writes a sound whole or not at all, and makes room for it.
func (e *Engine) keep(path string, clip audio.Clip) error {
	if len(clip.PCM) == 0 {
		return nil
	}
	if err := os.MkdirAll(e.conf.Folder, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(e.conf.Folder, "*.part")
	if err != nil {
		return err
	}
	err = errors.Join(audio.WriteWAV(f, clip), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // the first error says it
		return err
	}
	return e.prune()
}

// prune drops the sounds that were not used for longest, and what a dying Solo left half written.
func (e *Engine) prune() error {
	entries, err := os.ReadDir(e.conf.Folder)
	if err != nil {
		return err
	}
	var kept []os.FileInfo
	var errs []error
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil || !info.Mode().IsRegular() {
			continue // gone meanwhile, or not ours
		}
		switch filepath.Ext(entry.Name()) {
		case ".wav":
			kept = append(kept, info)
		case ".part":
			if time.Since(info.ModTime()) > time.Hour {
				errs = append(errs, os.Remove(filepath.Join(e.conf.Folder, entry.Name())))
			}
		}
	}
	slices.SortFunc(kept, func(a, b os.FileInfo) int {
		return cmp.Or(b.ModTime().Compare(a.ModTime()), strings.Compare(a.Name(), b.Name()))
	})
	var sum int64
	for _, info := range kept {
		if sum += info.Size(); sum > e.conf.Bytes {
			errs = append(errs, os.Remove(filepath.Join(e.conf.Folder, info.Name())))
		}
	}
	return errors.Join(errs...)
}
