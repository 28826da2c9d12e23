package device_test

import (
	"errors"
	"runtime"
	"testing"
	"time"

	"github.com/solo-assistant/solo/audio/device"
)

func TestNoDeviceIsToldAtOnce(t *testing.T) {
	if runtime.GOOS == "linux" {
		t.Setenv("PULSE_SERVER", "unix:"+t.TempDir()+"/none")
	}
	if _, err := device.List(device.Capture); err == nil {
		t.Skip("skipped: this machine has a microphone beside the sound server")
	}
	began := time.Now()
	_, err := device.List(device.Capture)
	took := time.Since(began)
	t.Logf("%v after %v", err, took)
	if !errors.Is(err, device.ErrNoMicrophone) && !errors.Is(err, device.ErrAbsent) {
		t.Errorf("got %v", err)
	}
	if took > 100*time.Millisecond {
		t.Errorf("it took %v to find out that there is no microphone", took)
	}
	for _, serve := range []error{device.NewMic(device.MicConfig{}).Serve(t.Context()), device.NewSpeaker(device.SpeakerConfig{}).Serve(t.Context())} {
		if !errors.Is(serve, device.ErrNoMicrophone) && !errors.Is(serve, device.ErrNoSpeaker) && !errors.Is(serve, device.ErrAbsent) {
			t.Errorf("served until %v", serve)
		}
	}
}
