package audio

// Ring keeps the last samples of an endless stream, such as the pre-roll before a wake word.
// It is for one goroutine.
type Ring struct {
	buf   []int16
	total int64 // samples ever written
}

// NewRing keeps the last size samples.
func NewRing(size int) *Ring { return &Ring{buf: make([]int16, max(size, 0))} }

// Write appends pcm and forgets as many of the oldest samples as must go.
func (r *Ring) Write(pcm []int16) {
	start := r.total
	r.total += int64(len(pcm))
	if over := len(pcm) - len(r.buf); over > 0 {
		pcm, start = pcm[over:], start+int64(over)
	}
	if len(pcm) == 0 {
		return
	}
	n := copy(r.buf[int(start%int64(len(r.buf))):], pcm)
	copy(r.buf, pcm[n:])
}

// Total is the number of samples ever written, which is the index of the next one.
func (r *Ring) Total() int64 { return r.total }

// Len is the number of samples kept.
func (r *Ring) Len() int { return int(min(r.total, int64(len(r.buf)))) }

// Last is a copy of the last n samples, or of as many as are kept.
func (r *Ring) Last(n int) []int16 { return r.Since(r.total - int64(max(n, 0))) }

// Since is a copy of all samples from index at on, or from the oldest that is kept.
func (r *Ring) Since(at int64) []int16 {
	at = min(max(at, r.total-int64(r.Len())), r.total)
	out := make([]int16, r.total-at)
	if len(out) == 0 {
		return out
	}
	n := copy(out, r.buf[int(at%int64(len(r.buf))):])
	copy(out[n:], r.buf)
	return out
}

// Reset forgets all samples and counts from 0 again.
func (r *Ring) Reset() { r.total = 0 }
