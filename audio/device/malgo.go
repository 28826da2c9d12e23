//go:build cgo

package device

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"unsafe"

	"github.com/gen2brain/malgo"
)

// backends are the sound systems to try, in order. The list is never empty, as miniaudio would
// then take a device that is no device.
var backends = map[string][]malgo.Backend{
	"linux":   {malgo.BackendPulseaudio, malgo.BackendAlsa},
	"windows": {malgo.BackendWasapi, malgo.BackendWinmm},
	"darwin":  {malgo.BackendCoreaudio},
	"freebsd": {malgo.BackendOss},
	"openbsd": {malgo.BackendSndio},
	"netbsd":  {malgo.BackendAudio4},
}

// miniaudio reaches devices through the library of that name.
type miniaudio struct{ ctx *malgo.AllocatedContext }

// starting guards the start of the library, which loads other libraries.
var starting sync.Mutex

func openDriver(k Kind) (driver, error) {
	use, ok := backends[runtime.GOOS]
	if !ok || !reachable(k) {
		return nil, k.none()
	}
	starting.Lock()
	defer starting.Unlock()
	var pin runtime.Pinner
	defer pin.Unpin()
	name := append([]byte("Solo"), 0)
	pin.Pin(&name[0])
	ctx, err := malgo.InitContext(use, malgo.ContextConfig{Pulse: malgo.PulseContextConfig{PApplicationName: &name[0]}}, nil)
	if err != nil {
		return nil, fmt.Errorf("%w (%w)", k.none(), err)
	}
	return &miniaudio{ctx}, nil
}

func (m *miniaudio) close() {
	_ = m.ctx.Uninit() // nothing can be done about it
	m.ctx.Free()
}

func (m *miniaudio) list(k Kind) ([]Info, error) {
	found, err := m.ctx.Devices(malgoKind(k))
	if err != nil {
		return nil, fmt.Errorf("asking the sound system: %w", err)
	}
	out := make([]Info, 0, len(found))
	for _, d := range found {
		i := Info{Name: d.Name(), Default: d.IsDefault != 0, id: d.ID}
		i.Monitor = strings.HasPrefix(i.Name, "Monitor of ") || bytes.Contains(d.ID[:], []byte(".monitor\x00"))
		out = append(out, i)
	}
	return out, nil
}

func malgoKind(k Kind) malgo.DeviceType {
	if k == Playback {
		return malgo.Playback
	}
	return malgo.Capture
}

// open takes periods as long as can be borne: each wakes Go's scheduler, which costs more processor time
// than listening does. A microphone's add half of themselves to every latency (40 ms: 1 % of a core less than
// 20 ms); a speaker's add up to the delay with which a hushed sound is still heard.
func (m *miniaudio) open(k Kind, id any, rate int, data func([]int16, int)) (line, error) {
	var pin runtime.Pinner
	defer pin.Unpin()
	c := malgo.DefaultDeviceConfig(malgoKind(k))
	c.NoFixedSizedCallback = 1                     // whole periods are not collected first: half a period less latency each way
	c.PeriodSizeInMilliseconds, c.Periods = 40, 12 // a microphone may run ahead of a busy machine by half a second
	c.Pulse.StreamNameCapture, c.Pulse.StreamNamePlayback = "listening", "speaking"
	end := &c.Capture
	if k == Playback {
		end, c.SampleRate = &c.Playback, uint32(rate)
		c.PeriodSizeInMilliseconds, c.Periods = 20, 2 // all that Hush can not take back
	} else {
		c.SampleRate = 0 // its own: our resampler is the better one
	}
	end.Format, end.Channels = malgo.FormatS16, 1
	if id, ok := id.(malgo.DeviceID); ok {
		chosen := new(malgo.DeviceID)
		*chosen = id
		pin.Pin(chosen)
		end.DeviceID = unsafe.Pointer(chosen)
	}
	l := &malgoLine{}
	dev, err := malgo.InitDevice(m.ctx.Context, c, malgo.DeviceCallbacks{Data: func(out, in []byte, _ uint32) { l.data(out, in, data) }})
	if err != nil {
		return nil, busy(err)
	}
	l.dev, l.rate = dev, int(dev.SampleRate())
	if err := dev.Start(); err != nil {
		dev.Uninit()
		return nil, busy(err)
	}
	return l, nil
}

// busy marks the errors of a device that another program holds.
func busy(err error) error {
	for _, e := range []error{malgo.ErrBusy, malgo.ErrAlreadyInUse, malgo.ErrShareModeNotSupported} {
		if errors.Is(err, e) {
			return fmt.Errorf("%w: %w", ErrBusy, err)
		}
	}
	return err
}

// malgoLine is a device of the library.
type malgoLine struct {
	dev  *malgo.Device
	rate int
	pcm  []int16
}

// data is called from the library's thread.
func (l *malgoLine) data(out, in []byte, data func([]int16, int)) {
	n := max(len(out), len(in)) / 2
	if cap(l.pcm) < n {
		l.pcm = make([]int16, n)
	}
	pcm := l.pcm[:n]
	for i := range len(in) / 2 {
		pcm[i] = int16(uint16(in[2*i]) | uint16(in[2*i+1])<<8)
	}
	data(pcm, l.rate)
	for i := range len(out) / 2 {
		out[2*i], out[2*i+1] = byte(pcm[i]), byte(uint16(pcm[i])>>8)
	}
}

func (l *malgoLine) pause() error  { return l.dev.Stop() }
func (l *malgoLine) resume() error { return l.dev.Start() }

func (l *malgoLine) running() bool { return l.dev.IsStarted() }

// close stops first: without, the library waits for ever for a device that was unplugged.
func (l *malgoLine) close() {
	_ = l.dev.Stop() // a dead device can not be stopped, but now it can be closed
	l.dev.Uninit()
}
