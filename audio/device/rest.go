package device

import "time"

// restful is how long a speaker stays open without anything to play. Each of its periods wakes Go's scheduler, which
// costs more processor time than listening does.
const restful = 10 * time.Second

// nap is the time between two looks at a device that rests.
const nap = 500 * time.Millisecond

// rest stops a device that nobody needs, as long as restful says so, and keeps it at hand.
func (k *keeper) rest() {
	if k.resting || k.now.line == nil || k.needed == nil || time.Since(k.needed()) < restful {
		return
	}
	line := k.now.line
	if _, err := within(patient, func() (struct{}, error) { return struct{}{}, line.pause() }, nil, k.pass); err != nil {
		k.report(err)
		k.drop()
		return
	}
	k.resting = true
	k.log.Debug().Str("device", k.now.info.Name).Msg(k.kind.String() + " rests")
}

// rouse starts a resting device again; one that does not start is opened anew.
func (k *keeper) rouse() {
	if !k.resting {
		return
	}
	k.resting = false
	if k.now.line == nil {
		return
	}
	line := k.now.line
	k.now.alive.Store(0)
	k.now.opened = time.Now()
	if _, err := within(patient, func() (struct{}, error) { return struct{}{}, line.resume() }, nil, nil); err != nil {
		k.drop()
		k.report(k.try())
	}
}
