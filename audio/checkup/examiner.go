package checkup

import (
	"math"
	"math/cmplx"
	"slices"
	"time"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/audio/fourier"
)

// Examiner listens to a microphone and tells what is wrong with it. It is for one goroutine.
type Examiner struct {
	rest   []int16 // samples short of a frame
	levels []float64
	tops   int // frames in which samples are cut off
	zeros  int // frames of nothing but zero
	run    int // zeros in a row, up to now
	holes  int // short runs of zeros between sounds
	sum    float64
	n      int
	piece  []complex128
	filled int
	low    float64 // the loudest that was heard between 1 and 3.4 kHz, of the transform's pieces
	high   float64 // and above 4.3 kHz
	hums   []float64
	all    *fourier.Transform
}

// size is the length of a transform: 256 ms, which tells 50 from 60 Hz.
const size = 4096

// NewExaminer begins a check-up.
func NewExaminer() *Examiner {
	return &Examiner{all: fourier.New(size), piece: make([]complex128, size)}
}

// Hear takes sound at audio.Rate, of any length.
func (e *Examiner) Hear(pcm []int16) {
	e.rest = append(e.rest, pcm...)
	for len(e.rest) >= audio.FrameLen {
		e.frame(e.rest[:audio.FrameLen])
		e.rest = e.rest[:copy(e.rest, e.rest[audio.FrameLen:])]
	}
}

func (e *Examiner) frame(pcm []int16) {
	cut, quiet, mean := 0, true, 0.0
	for i, s := range pcm {
		if s >= distort || s <= -distort {
			cut++
		}
		e.sum += float64(s)
		mean += float64(s) / float64(len(pcm))
		if s != 0 {
			quiet = false
			// What begins and ends in the middle of sound is a hole; a device that was silent before is none.
			if d := audio.Time(int64(e.run), audio.Rate); d >= gapTime && d < 300*time.Millisecond && e.n > 0 && len(e.levels) > e.run/audio.FrameLen+1 {
				e.holes++
			}
			e.run = 0
		} else {
			e.run++
		}
		e.piece[e.filled+i] = complex(float64(s), 0)
	}
	e.n += len(pcm)
	if cut >= 3 {
		e.tops++
	}
	if quiet {
		e.zeros++
	}
	var power float64
	for _, s := range pcm {
		power += (float64(s) - mean) * (float64(s) - mean) / float64(len(pcm))
	}
	e.levels = append(e.levels, dbfs(power))
	if e.filled += len(pcm); e.filled+audio.FrameLen > size {
		e.spectrum()
	}
}

// spectrum looks at the frequencies of the last piece.
func (e *Examiner) spectrum() {
	n := e.filled
	clear(e.piece[n:])
	var mean complex128
	for _, v := range e.piece[:n] {
		mean += v / complex(float64(n), 0)
	}
	for i := range n {
		w := 0.5 - 0.5*math.Cos(2*math.Pi*float64(i)/float64(n))
		e.piece[i] = (e.piece[i] - mean) * complex(w, 0)
	}
	e.filled = 0
	e.all.Forward(e.piece)
	band := func(from, to float64) (sum float64) {
		for k := int(from * size / audio.Rate); k < int(to*size/audio.Rate); k++ {
			a := cmplx.Abs(e.piece[k])
			sum += a * a
		}
		return sum * 2 / (0.375 * float64(n) * size) // the window's own power taken out
	}
	e.low, e.high = max(e.low, band(1000, 3400)), max(e.high, band(4300, 7600))
	whole, tone := band(20, 7900), 0.0
	for _, mains := range []float64{50, 60} {
		t := 0.0
		for h := 1.0; h <= 5; h++ {
			t += band(mains*h-8, mains*h+8.5)
		}
		tone = max(tone, t)
	}
	share := 0.0
	if whole > 0 {
		share = tone / whole
	}
	if dbfs(whole) < -60 {
		share = 0
	}
	e.hums = append(e.hums, share)
}

// Report is what was found so far. Spoken says that someone was asked to speak meanwhile; own is the device's rate in
// Hz, 0 where it is not known.
func (e *Examiner) Report(spoken bool, own int) Report {
	r := Report{Heard: audio.Time(int64(e.n), audio.Rate), Loudest: audio.Silence, Floor: audio.Silence, Rate: own}
	if len(e.levels) == 0 {
		r.Findings = []Finding{finding(Nothing)}
		return r
	}
	sorted := slices.Clone(e.levels)
	slices.Sort(sorted)
	r.Loudest, r.Floor = sorted[len(sorted)-1], sorted[len(sorted)/5]
	add := func(is bool, k Kind) {
		if is {
			r.Findings = append(r.Findings, finding(k))
		}
	}
	zeros := float64(e.zeros) / float64(len(e.levels))
	switch {
	case zeros > 0.97:
		add(true, Zeros)
	case r.Loudest < deadly:
		add(true, Silent)
	case spoken && r.Loudest < weak:
		add(true, Faint)
	}
	clipped := e.tops >= 3 && float64(e.tops) > 0.01*float64(len(e.levels))
	add(clipped, Clipped)
	add(!clipped && math.Abs(e.sum/float64(e.n)) > lopsided, Offset)
	add(e.humming(), Hum)
	add(own > 0 && own <= 8000 || dbfs(e.low) > -50 && dbfs(e.high) < dbfs(e.low)-42, Narrow)
	add(e.holes >= 5, Gaps)
	return r
}

// humming says whether the mains are most of what is heard, even in the moments when they are least.
func (e *Examiner) humming() bool {
	if len(e.hums) < 4 {
		return false
	}
	sorted := slices.Clone(e.hums)
	slices.Sort(sorted)
	return sorted[len(sorted)/2] > 0.7
}
