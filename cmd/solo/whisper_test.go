package main

import (
	"context"
	"errors"
	"testing"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/audio/stt/whisper"
)

// saying is a recogniser's stream that knows its end beforehand.
type saying struct {
	text   string
	err    error
	fed    int
	asked  bool
	closed bool
}

func (s *saying) Feed(pcm []int16) error { s.fed += len(pcm); return nil }
func (s *saying) Partial() string        { return s.text }
func (s *saying) Close() error           { s.closed = true; return nil }
func (s *saying) Finish(context.Context) (audio.Transcript, error) {
	s.asked = true
	return audio.Transcript{Text: s.text}, s.err
}

// Where Whisper cannot tell, Solo's own commands are heard; where it heard nobody, nobody is asked again.
func TestRelay(t *testing.T) {
	broken := errors.New("whisper-server is gone")
	for name, tt := range map[string]struct {
		first, second saying
		want          string
		err           error
		asked         bool
	}{
		"heard":       {saying{text: "call anna"}, saying{text: "stop"}, "call anna", nil, false},
		"silence":     {saying{err: audio.ErrNoSpeech}, saying{text: "stop"}, "", audio.ErrNoSpeech, false},
		"broken":      {saying{err: broken}, saying{text: "stop"}, "stop", nil, true},
		"both broken": {saying{err: broken}, saying{err: audio.ErrNoSpeech}, "", broken, true},
	} {
		t.Run(name, func(t *testing.T) {
			r := &relay{Stream: &tt.first, behind: &tt.second}
			if err := r.Feed(make([]int16, 320)); err != nil || tt.first.fed != 320 || tt.second.fed != 320 {
				t.Errorf("fed %d and %d, %v", tt.first.fed, tt.second.fed, err)
			}
			got, err := r.Finish(t.Context())
			if got.Text != tt.want || !errors.Is(err, tt.err) || tt.second.asked != tt.asked {
				t.Errorf("heard %q, %v; the second was asked: %v", got.Text, err, tt.second.asked)
			}
			if err := r.Close(); err != nil || !tt.first.closed || !tt.second.closed {
				t.Errorf("%v; closed %v and %v", err, tt.first.closed, tt.second.closed)
			}
		})
	}
}

func TestWhisperIsFoundOrNotMissed(t *testing.T) {
	a := &app{home: home{data: t.TempDir(), cache: t.TempDir()}}
	a.settings.Whisper.Use = "auto"
	t.Setenv("PATH", t.TempDir())
	if e, err := a.newWhisper(nil); e != nil || err != nil {
		t.Errorf("auto, without one: %v, %v", e, err)
	}
	a.settings.Whisper.Use = "on"
	if e, err := a.newWhisper(nil); e != nil || err == nil {
		t.Errorf("on, without one: %v, %v", e, err)
	}
	a.settings.Whisper.Inside = true
	if e, err := a.newWhisper(nil); e != nil || !errors.Is(err, whisper.ErrNotInside) && !errors.Is(err, whisper.ErrNoModel) {
		t.Errorf("inside, without one: %v, %v", e, err)
	}
	a.settings.Whisper.Use = "off"
	if e, err := a.newWhisper(nil); e != nil || err != nil {
		t.Errorf("off: %v, %v", e, err)
	}
}
