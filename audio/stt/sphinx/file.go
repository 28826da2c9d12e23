package sphinx

import (
	"context"
	"errors"
	"io"
	"strings"

	"github.com/solo-assistant/solo/audio"
)

// Samples is a stream of 16 kHz mono, such as a decoded file. Read ends with io.EOF.
type Samples interface {
	Read(pcm []int16) (int, error)
}

// Version is the library's, "" where there is none.
func Version() string { return libraryVersion() }

// A recording is decoded in pieces of at most piece samples, cut where it is quietest in the last part of
// the piece, so that memory stays bounded and no word is cut in two. An order is shorter than a piece.
const (
	piece = 20 * audio.Rate
	seam  = 8 * audio.Rate // from here on a piece may be cut
	lull  = 20             // hops of 10 ms that must be quiet together
)

// Transcribe writes down a whole recording of any length. It is audio.ErrNoSpeech where nothing was said.
func (e *Engine) Transcribe(ctx context.Context, in Samples) (audio.Transcript, error) {
	var all audio.Transcript
	var texts []string
	var sure float64
	var at int64
	buf := make([]int16, 0, piece)
	for last := false; !last; {
		var err error
		if buf, last, err = fill(buf, in); err != nil {
			return all, err
		}
		n := len(buf)
		if !last {
			n = quietest(buf)
		}
		said, err := e.sentences(ctx, buf[:n], at)
		if err != nil {
			return all, err
		}
		for _, t := range said {
			texts = append(texts, t.Text)
			all.Engine = t.Engine
			all.Words = append(all.Words, t.Words...)
			sure += t.Sure
		}
		at += int64(n)
		buf = buf[:copy(buf, buf[n:])]
	}
	if len(texts) == 0 {
		return all, audio.ErrNoSpeech
	}
	all.Text, all.Sure = strings.Join(texts, " "), sure/float64(len(texts))
	return all, nil
}

// between is the shortest pause, in hops, that may divide two sentences.
const between = 50

// sentences decodes one part that begins at a sample of the recording. A grammar knows sentences, and a part may hold
// several: where the whole is not one to be trusted, it is divided in its longest pause, as long as that helps.
func (e *Engine) sentences(ctx context.Context, pcm []int16, start int64) ([]audio.Transcript, error) {
	var whole []audio.Transcript
	switch t, err := e.piece(ctx, pcm); {
	case err == nil:
		t.Words = shifted(t.Words, start)
		whole = []audio.Transcript{t}
	case !errors.Is(err, audio.ErrNoSpeech):
		return nil, err
	}
	if e.searches[0] != byGrammar || len(whole) > 0 && whole[0].Sure >= trusted {
		return whole, nil
	}
	mid, ok := pause(pcm)
	if !ok {
		return whole, nil
	}
	first, err := e.sentences(ctx, pcm[:mid], start)
	if err != nil {
		return nil, err
	}
	rest, err := e.sentences(ctx, pcm[mid:], start+int64(mid))
	if err != nil {
		return nil, err
	}
	if parts := append(first, rest...); len(whole) == 0 || surest(parts) > whole[0].Sure {
		return parts, nil
	}
	return whole, nil
}

func surest(all []audio.Transcript) (best float64) {
	for _, t := range all {
		best = max(best, t.Sure)
	}
	return best
}

// pause finds the middle of the longest pause between words, false where none is long enough.
func pause(pcm []int16) (int, bool) {
	level := smooth(loudness(pcm))
	if len(level) == 0 {
		return 0, false
	}
	limit, _ := threshold(level)
	best, longest, run, begun := 0, between-1, 0, false
	for i, l := range level {
		if l < limit {
			run++
			continue
		}
		if begun && run > longest {
			best, longest = i-run/2, run
		}
		begun, run = true, 0
	}
	return best * hop, best > 0
}

// piece decodes one part as an utterance of its own.
func (e *Engine) piece(ctx context.Context, pcm []int16) (audio.Transcript, error) {
	s, err := e.open(ctx, false)
	if err != nil {
		return audio.Transcript{}, err
	}
	defer s.Close()
	if err := s.Feed(pcm); err != nil {
		return audio.Transcript{}, err
	}
	return s.Finish(ctx)
}

// fill reads until buf has its full capacity or in is over.
func fill(buf []int16, in Samples) (filled []int16, last bool, err error) {
	for len(buf) < cap(buf) {
		n, err := in.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if errors.Is(err, io.EOF) {
			return buf, true, nil
		}
		if err != nil {
			return buf, false, err
		}
	}
	return buf, false, nil
}

// quietest is the middle of the quietest lull behind seam.
func quietest(pcm []int16) int {
	level := loudness(pcm)
	best, least, sum := len(pcm), 0.0, 0.0
	for i := seam / hop; i < len(level); i++ {
		sum += level[i]
		if i < seam/hop+lull {
			continue
		}
		if sum -= level[i-lull]; best == len(pcm) || sum < least {
			best, least = (i-lull/2)*hop, sum
		}
	}
	return best
}

func shifted(words []audio.Word, at int64) []audio.Word {
	by := audio.Time(at, audio.Rate)
	for i := range words {
		words[i].Start += by
		words[i].End += by
	}
	return words
}
