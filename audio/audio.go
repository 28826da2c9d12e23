// Package audio is the vocabulary of sound: formats, frames, clips, and what a recogniser made of them.
//
// Inside Solo sound is 16 kHz, mono, signed 16-bit, in frames of 20 ms. Doors and devices
// convert at the edge, so that no part between asks which rate it was given.
package audio

import (
	"errors"
	"time"
)

// Rate is the one sample rate of everything that Solo hears, in Hz.
const Rate = 16000

// FrameLen is the number of samples in a Frame, FrameTime how long it lasts.
const (
	FrameLen  = 320
	FrameTime = 20 * time.Millisecond
)

// ErrNoSpeech says that a recogniser found no words in what it was given.
var ErrNoSpeech = errors.New("no speech was heard")

// Format says how interleaved samples are to be read.
type Format struct {
	Rate     int // samples per second and channel, Hz, 8000 to 192000
	Channels int // 1 mono, 2 stereo, up to 8
}

// Mono16k is the format of a Frame.
var Mono16k = Format{Rate: Rate, Channels: 1}

// Frame is FrameTime of sound in Mono16k. Its samples are never changed once it is handed out.
type Frame struct {
	At  int64   // index of the first sample, counted from the beginning of the stream
	PCM []int16 // FrameLen samples, full scale ±32767
}

// Clip is a whole piece of sound.
type Clip struct {
	Format Format
	PCM    []int16 // interleaved, full scale ±32767
}

// Duration is how long the clip plays.
func (c Clip) Duration() time.Duration {
	if c.Format.Rate <= 0 || c.Format.Channels <= 0 {
		return 0
	}
	return Time(int64(len(c.PCM)/c.Format.Channels), c.Format.Rate)
}

// Time is how long n samples of one channel last at rate Hz.
func Time(n int64, rate int) time.Duration {
	return time.Duration(n * int64(time.Second) / int64(rate))
}

// Samples is how many samples of one channel at rate Hz fit in d.
func Samples(d time.Duration, rate int) int64 {
	return int64(d) * int64(rate) / int64(time.Second)
}

// Hit is a wake word found in a stream.
type Hit struct {
	Word  string
	Score float64 // 0 to 1, NaN where the engine gives none
}

// Transcript is what a recogniser made of one utterance.
type Transcript struct {
	Text   string  // words as spoken; lower case and without punctuation where the engine knows neither
	Sure   float64 // 0 to 1; how far the engine trusts Text
	Engine string  // such as "pocketsphinx/grammar"
	Words  []Word  // in order, where the engine times words
}

// Word is one recognised word and where it lies, counted from the first sample fed.
type Word struct {
	Text       string
	Start, End time.Duration
}
