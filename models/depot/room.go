package depot

import (
	"fmt"
	"os"
	"path/filepath"
)

const spare = 256 << 20 // bytes that are left free on the disk

// Machine is what a model may use. Zero is unknown.
type Machine struct {
	RAM    int64 // bytes of the computer
	Card   int64 // bytes of the largest graphics card
	NVIDIA bool  // the card is one of NVIDIA's
}

// Memory is how many bytes of memory this computer, or its container, has; 0 where the system does not tell.
func Memory() int64 { return memory() }

// holds is nil where a model's estimated need can be met: a language model may be divided between card and computer.
func (m Machine) holds(w Model) error {
	if m.RAM == 0 || w.Memory == 0 {
		return nil
	}
	if has := m.RAM - m.RAM/16 + m.Card; w.Memory > has {
		return fmt.Errorf("%w: %s takes about %s while it works, and there are %s", ErrSmall, w.Name, inWords(w.Memory), inWords(has))
	}
	return nil
}

// roomIn is how many bytes can be written in dir, or in the folder that it will be made in.
func roomIn(dir string) (int64, error) {
	for {
		free, err := freeIn(dir)
		if err == nil || !os.IsNotExist(err) || filepath.Dir(dir) == dir {
			return free, err
		}
		dir = filepath.Dir(dir)
	}
}

// hasRoom is nil where need bytes and some more can be written.
func (d *Depot) hasRoom(need int64) error {
	free, err := d.room(d.models())
	if err != nil || need == 0 { // a disk that does not tell is tried
		return nil
	}
	if need+spare > free {
		return fmt.Errorf("%w: %s are needed in %s, and %s are free", ErrFull, inWords(need+spare), d.models(), inWords(free))
	}
	return nil
}

// Fits is whether there is memory for a model, as far as both are known.
func (m Machine) Fits(w Model) bool { return m.holds(w) == nil }

// Room is how many bytes can be written where the models lie, 0 where the system does not tell.
func (d *Depot) Room() int64 {
	free, err := d.room(d.models())
	if err != nil {
		return 0
	}
	return free
}
