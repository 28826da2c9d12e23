package echo

import (
	"math"
	"sync"
	"sync/atomic"

	"github.com/solo-assistant/solo/audio"
)

// kept is how much of what was played is kept, in samples: 4 s.
const kept = 1 << 16

// slip is by how much the two devices' counts may differ from what they were before the time between them is
// unknown again, in samples: a loudspeaker that rested, or a device that was changed.
const slip = audio.Rate * 150 / 1000

// reference keeps what was given to the loudspeaker, at audio.Rate and addressed by its place in that stream. It is
// written by the loudspeaker's thread and read by the microphone's reader.
type reference struct {
	now   func() int64 // samples that the microphone gave so far
	loud  atomic.Int64 // the microphone's count when there was last something to hear, never for never
	epoch atomic.Int64 // counts the times at which the time between both became unknown

	mu    sync.Mutex
	ring  []int16
	total int64   // samples ever written
	begin int64   // place at which the epoch began
	shift float64 // the microphone's count minus ours, when the epoch began
	to16k *audio.Resampler
	from  int // rate that to16k takes
	still int // samples of silence since the last sound, up to settled
	pcm   []int16
}

// never lies before every stream.
const never = math.MinInt64 / 2

// settled is the silence after which a resampler holds nothing but silence, in its input's samples.
const settled = 4096

func newReference(now func() int64) *reference {
	r := &reference{now: now, ring: make([]int16, kept)}
	r.loud.Store(never)
	return r
}

// played takes what the loudspeaker gets now.
func (r *reference) played(pcm []int16, rate int) {
	sound := false
	for _, s := range pcm {
		if s != 0 {
			sound = true
			break
		}
	}
	at := r.now()
	r.mu.Lock()
	defer r.mu.Unlock()
	if shift := float64(at - r.total); r.total == 0 || r.from != rate || math.Abs(shift-r.shift) > slip {
		r.begin, r.shift = r.total, shift
		if r.from != rate {
			r.to16k, r.from, r.still = audio.NewResampler(rate, audio.Rate), rate, 0
		}
		r.epoch.Add(1)
	}
	if sound {
		r.loud.Store(at)
		r.still = 0
	}
	if n := r.silent(len(pcm), sound); n > 0 {
		r.pcm = append(r.pcm[:0], make([]int16, n)...)
	} else {
		r.pcm = r.to16k.Process(r.pcm[:0], pcm)
	}
	for _, s := range r.pcm {
		r.ring[r.total%kept] = s
		r.total++
	}
}

// silent is how many samples of silence stand for n of the input, 0 where they must be resampled: a whole number of
// both leaves a resampler that holds only silence as it was.
func (r *reference) silent(n int, sound bool) int {
	if sound {
		return 0
	}
	whole := n*audio.Rate%r.from == 0
	if r.still < settled || !whole {
		r.still += n
		return 0
	}
	return n * audio.Rate / r.from
}

// place is our place at which the microphone counted at, as far as the counts tell.
func (r *reference) place(at int64) float64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return float64(at) - r.shift
}

// read fills pcm from place at on, step places a sample, and says whether all of it was there; what is not is silence.
func (r *reference) read(pcm []int16, at, step float64) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := true
	for i := range pcm {
		whole := math.Floor(at)
		p := int64(whole)
		if p-1 < max(r.total-kept, 0) || p+2 >= r.total {
			all = all && p+2 < r.total // what is too old was before the epoch
			pcm[i] = 0
		} else if f := at - whole; f == 0 {
			pcm[i] = r.ring[p%kept]
		} else {
			pcm[i] = between(r.ring[(p-1)%kept], r.ring[p%kept], r.ring[(p+1)%kept], r.ring[(p+2)%kept], f)
		}
		at += step
	}
	return all
}

// between is the curve through four samples, f of the way from the second to the third.
func between(a, b, c, d int16, f float64) int16 {
	w, x, y, z := float64(a), float64(b), float64(c), float64(d)
	v := x + f/2*(y-w+f*(2*w-5*x+4*y-z+f*(3*(x-y)+z-w)))
	return int16(math.Round(min(max(v, -32768), 32767)))
}

// sounds says whether something was played shortly before the microphone's count, with delays up to 450 ms in mind.
func (r *reference) sounds(at int64) bool { return at <= r.loud.Load()+latest }
