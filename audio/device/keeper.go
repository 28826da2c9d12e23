package device

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"
)

// The watchdog's times. A stream that lives gives data every 10 ms, but its first may take long:
// a sleeping device needs seconds to wake.
const (
	tick  = 50 * time.Millisecond
	dead  = 600 * time.Millisecond  // without data a device is lost
	grace = 2500 * time.Millisecond // for its first data
	retry = 500 * time.Millisecond  // between two tries to open one
	look  = time.Second             // between two looks for a better one
	gap   = 5 * time.Second         // longest silence that is filled in at once
)

// keeper keeps one device open, whatever happens to it: unplugging, another default, a restarted
// sound server. Sound systems tell little of this, so it watches the data and looks for itself.
type keeper struct {
	kind  Kind
	want  string
	rate  int
	start func(Kind) (driver, error)
	data  func(pcm []int16, rate int) // from the driver's thread
	idle  func(d time.Duration)       // so long there was no device
	beat  func()                      // every tick
	// needed tells when the device was last of use, and rouses says that it is of use now; nil for one that never rests.
	needed func() time.Time
	rouses <-chan struct{}
	fault  func(error)
	found  func(name string)
	log    zerolog.Logger

	now     connection
	resting bool
	barren  bool // the last device gave nothing at all
	tried   time.Time
	looked  time.Time
	said    string    // the last fault, so that it is said once
	silent  time.Time // until when there was sound or silence was given
}

// connection is an open device and the driver it came from.
type connection struct {
	driver driver
	line   line
	info   Info
	wished bool // the one that the user named, or the default where none was
	opened time.Time
	alive  *atomic.Int64 // when data last came, in ns since the device was opened; 0 for never
}

// serve works until ctx ends. It fails only where at first there is no device at all.
func (k *keeper) serve(ctx context.Context) error {
	k.silent = time.Now()
	defer func() { k.drop() }()
	if err := k.try(); errors.Is(err, k.kind.none()) || errors.Is(err, ErrAbsent) {
		return err
	}
	beat := time.NewTicker(tick)
	defer beat.Stop()
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-k.rouses:
			k.rouse()
			beat.Reset(tick)
		case <-beat.C:
			k.watch()
			k.pass()
			if k.rest(); k.resting {
				beat.Reset(nap)
			}
		}
	}
}

// watch looks after the device once.
func (k *keeper) watch() {
	now := time.Now()
	switch {
	case k.now.line == nil && now.Sub(k.tried) >= retry:
		k.report(k.try())
	case k.now.line == nil:
	case !k.resting && k.now.lost():
		k.barren = k.now.alive.Load() == 0
		k.report(fmt.Errorf("the %s %q gives no sound any more: it was unplugged or the sound server stopped", k.kind, k.now.info.Name))
		k.drop()
		k.report(k.try())
	case now.Sub(k.looked) >= look:
		k.looked = now
		k.better()
	}
}

// pass lets time go on as silence while there is no device, or none that gives anything.
func (k *keeper) pass() {
	now := time.Now()
	if k.resting {
		k.silent = now
	} else if quiet := k.now.quiet(); k.now.line != nil && quiet <= k.patience() {
		k.silent = now.Add(-quiet)
	} else {
		k.idle(now.Sub(k.silent))
		k.silent = now
	}
	k.beat()
}

// patience is how long a device may give nothing before that is silence. A loudspeaker that wakes may take long, and what
// is said meanwhile waits for it: nobody wants to miss the first words.
func (k *keeper) patience() time.Duration {
	if k.kind == Playback && !k.barren && k.now.alive.Load() == 0 {
		return grace
	}
	return dead
}

// quiet is how long no data came.
func (c *connection) quiet() time.Duration {
	if c.line == nil {
		return 0
	}
	return time.Since(c.opened) - time.Duration(c.alive.Load())
}

// lost says whether the device is dead.
func (c *connection) lost() bool {
	limit := dead
	if c.alive.Load() == 0 {
		limit = grace
	}
	return c.quiet() > limit || !c.line.running()
}

// try opens the device that is wished, or the next best.
func (k *keeper) try() error {
	c, err := within(patient, k.connect, func(c connection) { c.close() }, k.pass)
	k.tried, k.looked = time.Now(), time.Now()
	if err != nil {
		return err
	}
	if d := c.opened.Sub(k.silent); d > 0 {
		k.idle(d) // what comes from now on belongs behind the gap
		k.silent = c.opened
	}
	k.now, k.said, k.resting = c, "", false
	k.log.Info().Str("device", c.info.Name).Msg(k.kind.String() + " opened")
	k.found(c.info.Name)
	if !c.wished {
		k.report(fmt.Errorf("the %s %q is not there: using %q until it comes", k.kind, k.want, c.info.Name))
	}
	return nil
}

// connect opens a device on a new driver: one that has seen a fault is not to be trusted.
func (k *keeper) connect() (c connection, err error) {
	c.alive = new(atomic.Int64)
	if c.driver, err = k.start(k.kind); err != nil {
		return c, err
	}
	found, err := c.driver.list(k.kind)
	if err == nil {
		c.info, c.wished, err = pick(k.kind, found, k.want)
	}
	if err != nil {
		c.close()
		return c, fmt.Errorf("looking for a %s: %w", k.kind, err)
	}
	c.opened = time.Now()
	opened, alive := c.opened, c.alive
	c.line, err = c.driver.open(k.kind, c.info.id, k.rate, func(pcm []int16, rate int) {
		alive.Store(int64(time.Since(opened)) | 1)
		k.data(pcm, rate)
	})
	if err != nil {
		c.close()
		return c, fmt.Errorf("opening the %s %q: %w", k.kind, c.info.Name, err)
	}
	return c, nil
}

// better moves to the wished device when it came back, and to a new default where that is wished.
func (k *keeper) better() {
	d := k.now.driver
	found, err := within(patient, func() ([]Info, error) { return d.list(k.kind) }, nil, k.pass)
	if errors.Is(err, errHung) {
		k.report(fmt.Errorf("the %s %q: %w", k.kind, k.now.info.Name, err))
		k.now = connection{} // not even closing it would come back
		return
	}
	if err != nil {
		return // if this is serious, the data will stop
	}
	best, wished, err := pick(k.kind, found, k.want)
	if err != nil || best.Name == k.now.info.Name || k.want != "" && k.now.wished == wished {
		return
	}
	k.log.Info().Str("from", k.now.info.Name).Str("to", best.Name).Msg("changing the " + k.kind.String())
	k.drop()
	k.report(k.try())
}

// drop closes the device, however long it takes.
func (k *keeper) drop() {
	c := k.now
	k.now, k.resting = connection{}, false
	if c.driver == nil {
		return
	}
	if _, err := within(patient, func() (struct{}, error) { c.close(); return struct{}{}, nil }, nil, k.pass); err != nil {
		k.log.Warn().Err(err).Str("device", c.info.Name).Msg("closing a device")
	}
}

func (c *connection) close() {
	if c.line != nil {
		c.line.close()
	}
	if c.driver != nil {
		c.driver.close()
	}
}

// report tells a fault, once until something changes.
func (k *keeper) report(err error) {
	if err == nil || err.Error() == k.said {
		return
	}
	k.said = err.Error()
	k.log.Warn().Err(err).Msg(k.kind.String())
	k.fault(err)
}
