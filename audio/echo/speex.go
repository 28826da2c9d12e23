//go:build speex && cgo

package echo

/*
#cgo pkg-config: speexdsp
#include <speex/speex_echo.h>
*/
import "C"

import (
	"unsafe"

	"github.com/solo-assistant/solo/audio"
)

// Built says whether this build has a canceller.
const Built = true

// speex is speexdsp's canceller: a filter in blocks of the frequency domain that learns the way from the
// loudspeaker to the microphone, and that knows by itself when someone speaks over it.
type speex struct{ state *C.SpeexEchoState }

func newFilter() *speex {
	s := &speex{state: C.speex_echo_state_init(block, tail)}
	rate := C.spx_int32_t(audio.Rate)
	C.speex_echo_ctl(s.state, C.SPEEX_ECHO_SET_SAMPLING_RATE, unsafe.Pointer(&rate))
	return s
}

// cancel writes into out what heard is without played, all of one length, a multiple of block.
func (s *speex) cancel(out, heard, played []int16) {
	for i := 0; i+block <= len(heard); i += block {
		C.speex_echo_cancellation(s.state, (*C.spx_int16_t)(&heard[i]), (*C.spx_int16_t)(&played[i]), (*C.spx_int16_t)(&out[i]))
	}
}

// reset forgets what was learnt.
func (s *speex) reset() { C.speex_echo_state_reset(s.state) }

func (s *speex) close() { C.speex_echo_state_destroy(s.state) }
