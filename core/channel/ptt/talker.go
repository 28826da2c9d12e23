package ptt

import "time"

// talker turns keys that go down and up into Press, Release and Mute.
type talker struct {
	conf    Config
	talking bool
	limit   <-chan time.Time // fires when the user has talked for too long; nil while nobody talks
	timer   *time.Timer
}

func (t *talker) key(what deed, down bool) {
	switch {
	case what == mute && down:
		t.conf.Mute()
	case what == mute:
	case t.conf.Mode == "toggle" && down && t.talking:
		t.release()
	case down:
		t.press()
	case t.conf.Mode != "toggle":
		t.release()
	}
}

func (t *talker) press() {
	if t.talking {
		return
	}
	t.talking = true
	t.timer = time.NewTimer(t.conf.Longest)
	t.limit = t.timer.C
	t.conf.Press()
}

func (t *talker) release() {
	if !t.talking {
		return
	}
	t.talking = false
	t.timer.Stop()
	t.limit = nil
	t.conf.Release()
}
