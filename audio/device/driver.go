package device

import (
	"fmt"
	"strings"
)

// Kind is which way the sound goes.
type Kind int

const (
	Capture  Kind = iota + 1 // microphones
	Playback                 // speakers
)

// String is the word for one such device.
func (k Kind) String() string {
	if k == Playback {
		return "speaker"
	}
	return "microphone"
}

// none is the error for no such device at all.
func (k Kind) none() error {
	if k == Playback {
		return ErrNoSpeaker
	}
	return ErrNoMicrophone
}

// Info describes a device.
type Info struct {
	Name    string
	Default bool // the system's choice
	Monitor bool // no microphone, but what a speaker plays
	id      any  // the driver's own
}

// String is the name, with what there is to know about it.
func (i Info) String() string {
	switch {
	case i.Monitor:
		return i.Name + " (what a speaker plays)"
	case i.Default:
		return i.Name + " (default)"
	}
	return i.Name
}

// driver reaches the devices of this machine. Its calls go into C and may hang: see within.
type driver interface {
	list(k Kind) ([]Info, error)
	// open starts a device. A nil id follows the system's default. The data function is called from
	// a thread of the driver with samples of one channel, to be read from a microphone or filled for
	// a speaker. The rate is a wish for a microphone, which may get its own.
	open(k Kind, id any, rate int, data func(pcm []int16, rate int)) (line, error)
	close()
}

// line is a running device.
type line interface {
	running() bool
	pause() error // no data until resume
	resume() error
	close()
}

// List gives the devices of a kind, the default first. It fails with ErrNoMicrophone,
// ErrNoSpeaker or ErrAbsent where there is none.
func List(k Kind) ([]Info, error) {
	found, err := within(patient, func() ([]Info, error) {
		d, err := openDriver(k)
		if err != nil {
			return nil, err
		}
		defer d.close()
		return d.list(k)
	}, nil, nil)
	if err != nil {
		return nil, fmt.Errorf("listing the %ss: %w", k, err)
	}
	return sorted(k, found)
}

// sorted puts the default first and monitors last.
func sorted(k Kind, found []Info) ([]Info, error) {
	rank := func(i Info) int {
		switch {
		case i.Monitor:
			return 2
		case i.Default:
			return 0
		}
		return 1
	}
	out := make([]Info, 0, len(found))
	for r := range 3 {
		for _, i := range found {
			if rank(i) == r {
				out = append(out, i)
			}
		}
	}
	if len(out) == 0 || out[0].Monitor {
		return nil, k.none()
	}
	return out, nil
}

// pick chooses among the devices: by a part of the name, case aside, else the default. It says
// whether the choice is the wished one. A monitor is chosen only by name: by default Solo would hear itself.
func pick(k Kind, found []Info, want string) (chosen Info, wished bool, err error) {
	list, err := sorted(k, found)
	if want == "" {
		if err != nil {
			return Info{}, true, err
		}
		if list[0].Default {
			list[0].id = nil // follow the system
		}
		return list[0], true, nil
	}
	if i, ok := named(found, want); ok {
		return i, true, nil
	}
	if err != nil {
		return Info{}, false, err
	}
	return list[0], false, nil
}

// named finds a device by its name, best the whole of it.
func named(found []Info, want string) (best Info, ok bool) {
	score := 0
	for _, i := range found {
		s := 0
		switch {
		case strings.EqualFold(i.Name, want):
			s = 4
		case strings.Contains(strings.ToLower(i.Name), strings.ToLower(want)):
			s = 2
		}
		if s > 0 && !i.Monitor {
			s++
		}
		if s > score {
			best, score = i, s
		}
	}
	return best, score > 0
}
