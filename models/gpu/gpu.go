// Package gpu tells what the user's NVIDIA cards have to give: memory, load, heat, and who uses them.
//
// It asks the driver's own library (NVML), and where that cannot be used the driver's program
// nvidia-smi. Neither is needed to build Solo, nor to run it. Cards of other makers are not seen.
package gpu

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
)

// ErrNone says that there is no card to tell of. Its wrapper says what was looked for.
var ErrNone = errors.New("no NVIDIA GPU found")

// Card is one moment of one card. What a card does not tell is -1 in a number and 0 in bytes.
type Card struct {
	Index     int           // as the driver counts; CUDA counts alike where CUDA_DEVICE_ORDER is PCI_BUS_ID
	Name      string        // "NVIDIA GeForce RTX 4090"
	UUID      string        // "GPU-..."
	MemTotal  int64         // bytes; 0 for a chip that shares the computer's memory
	MemUsed   int64         // bytes
	MemFree   int64         // bytes
	Util      int           // percent of the last moments in which it worked, 0 to 100
	Temp      int           // degrees Celsius
	Power     float64       // watts
	Processes map[int]int64 // bytes in use by process id, 0 where the driver does not tell (Windows)
}

// Config says where to look. The zero value is right outside of tests.
type Config struct {
	Library string // path of the NVML library; "" is the driver's own
	SMI     string // path of nvidia-smi; "" is the one in PATH
}

// Reader reads the cards. Its methods may be called from any goroutine.
type Reader struct {
	conf Config
	mu   sync.Mutex
	lib  *nvml // nil until it was opened
}

// New makes a reader; the first Cards opens the driver's library, which Close lets go.
func New(c Config) *Reader { return &Reader{conf: c} }

// Cards reads every card, in the driver's order: some microseconds by the library, up to seconds by nvidia-smi.
// The error wraps ErrNone where there is none.
func (r *Reader) Cards(ctx context.Context) ([]Card, error) {
	cards, direct := r.direct()
	if direct == nil {
		return some(cards)
	}
	cards, err := bySMI(ctx, cmp.Or(r.conf.SMI, "nvidia-smi"))
	switch {
	case err == nil:
		return some(cards)
	case errors.Is(err, errNoSMI): // the library's word is the last
		err = direct
	case !errors.Is(direct, ErrNone):
		err = fmt.Errorf("%w; %w", direct, err)
	}
	if errors.Is(err, ErrNone) {
		return nil, err
	}
	return nil, fmt.Errorf("reading the NVIDIA cards: %w", err)
}

func some(cards []Card) ([]Card, error) {
	if len(cards) == 0 {
		return nil, fmt.Errorf("%w: the driver counts no card", ErrNone)
	}
	return cards, nil
}

// direct reads by the library. A library that fails is opened anew the next time: a driver can be changed under us.
func (r *Reader) direct() ([]Card, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.lib == nil {
		lib, err := openNVML(r.conf.Library)
		if err != nil {
			return nil, err
		}
		r.lib = lib
	}
	cards, err := r.lib.cards()
	if err != nil {
		r.lib.close()
		r.lib = nil
	}
	return cards, err
}

// Close lets the library go. The reader can still be used, and opens it again.
func (r *Reader) Close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.lib != nil {
		r.lib.close()
		r.lib = nil
	}
}
