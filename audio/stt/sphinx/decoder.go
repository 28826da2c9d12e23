//go:build sphinx && cgo

package sphinx

/*
#cgo pkg-config: pocketsphinx
#include <stdlib.h>
#include "decoder.h"
*/
import "C"

import (
	"errors"
	"fmt"
	"unsafe"
)

// decoder is one pocketsphinx decoder with named searches. It is not safe for use by two goroutines.
type decoder struct{ ps *C.ps_decoder_t }

// openDecoder makes a decoder from options "-name", "value", ...
func openDecoder(args ...string) (*decoder, error) {
	argv := make([]*C.char, len(args))
	for i, a := range args {
		argv[i] = C.CString(a)
		defer C.free(unsafe.Pointer(argv[i]))
	}
	ps := C.solo_open(C.int(len(argv)), &argv[0])
	if ps == nil {
		return nil, fmt.Errorf("pocketsphinx did not start with %q", args)
	}
	return &decoder{ps}, nil
}

func libraryVersion() string { return C.GoString(C.solo_version()) }

func (d *decoder) addGrammar(name, path string, weight float64) error {
	return d.add(name, path, func(n, p *C.char) C.int { return C.solo_add_fsg(d.ps, n, p, C.float(weight)) })
}

func (d *decoder) addTrigram(name, path string) error {
	return d.add(name, path, func(n, p *C.char) C.int { return C.solo_add_lm(d.ps, n, p) })
}

func (d *decoder) add(name, path string, do func(n, p *C.char) C.int) error {
	n, p := C.CString(name), C.CString(path)
	defer C.free(unsafe.Pointer(n))
	defer C.free(unsafe.Pointer(p))
	if do(n, p) != 0 {
		return fmt.Errorf("pocketsphinx refused the model %s", path)
	}
	return nil
}

func (d *decoder) use(name string) error {
	n := C.CString(name)
	defer C.free(unsafe.Pointer(n))
	if C.solo_use(d.ps, n) != 0 {
		return fmt.Errorf("pocketsphinx has no search %q", name)
	}
	return nil
}

// begin starts an utterance that is fed as a whole, or piece by piece.
func (d *decoder) begin(whole bool) error {
	if C.solo_begin(d.ps, flag(whole)) != 0 {
		return errors.New("pocketsphinx did not begin an utterance")
	}
	return nil
}

// feedMost is how many samples pocketsphinx gets at once while it hears piece by piece. Its ring of frames, grown by
// a whole utterance before, holds more than what comes after it takes at once; what is left over makes it read past
// the ring's end (acmod_process_mfcbuf in 0.8 and 5.1.1).
const feedMost = 20 * hop

// wholeLeast is the shortest whole utterance: the ring must stay larger than feedMost.
const wholeLeast = 3 * feedMost

// feed decodes pcm; whole says that it is the whole utterance, so that its own mean can be taken.
func (d *decoder) feed(pcm []int16, whole bool) error {
	if whole && len(pcm) < wholeLeast {
		pcm = append(pcm[:len(pcm):len(pcm)], make([]int16, wholeLeast-len(pcm))...)
	}
	for len(pcm) > 0 {
		n := len(pcm)
		if !whole {
			n = min(n, feedMost)
		}
		if C.solo_feed(d.ps, (*C.int16_t)(unsafe.Pointer(&pcm[0])), C.size_t(n), flag(whole)) < 0 {
			return errors.New("pocketsphinx did not take the samples")
		}
		pcm = pcm[n:]
	}
	return nil
}

func flag(b bool) C.int {
	if b {
		return 1
	}
	return 0
}

func (d *decoder) end() error {
	if C.solo_end(d.ps) != 0 {
		return errors.New("pocketsphinx did not end the utterance")
	}
	return nil
}

// text is the best hypothesis so far and its log score, "" for none.
func (d *decoder) text() (string, int) {
	var score C.int32_t
	t := C.solo_text(d.ps, &score)
	if t == nil {
		return "", 0
	}
	return C.GoString(t), int(score)
}

// words walks the best path, fillers included; grammar says that the search in use is one by grammar.
func (d *decoder) words(grammar bool) []segment {
	var out []segment
	shift := C.solo_shift(flag(grammar))
	for s := C.ps_seg_iter(d.ps); s != nil; s = C.ps_seg_next(s) {
		var from, to C.int
		var acoustic, language, back C.int32
		C.ps_seg_frames(s, &from, &to)
		C.ps_seg_prob(s, &acoustic, &language, &back)
		out = append(out, segment{C.GoString(C.ps_seg_word(s)), int(from), int(to), int(acoustic >> shift)})
	}
	return out
}

// trim gives the system back what earlier utterances left: some 20 MB after a hundred of them, in a few milliseconds.
func trim() { C.solo_trim() }

func (d *decoder) close() {
	if d.ps != nil {
		C.solo_close(d.ps)
		d.ps = nil
	}
}
