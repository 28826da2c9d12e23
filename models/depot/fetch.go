package depot

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"math/rand/v2"
	"os"
	"time"
)

const (
	patience = 10 * time.Minute // the longest wait that a server may ask for
	shortest = time.Second      // the first wait
	longest  = time.Minute
	worth    = 256 << 10 // bytes that make a try a success, although it broke off
)

// course is the way of one file from wherever it is into its part.
type course struct {
	d      *Depot
	file   File
	want   wanted
	part   *part
	meter  *meter
	places []place
	sum    hash.Hash
	summed int64  // bytes of the part that sum has seen
	resume bool   // some of the bytes are older than the last beginning
	again  bool   // it was begun anew because the bytes were wrong
	from   string // where the last bytes came from
	saved  int64  // bytes that did not have to be fetched again
}

// arrived is a whole file that nobody has put into its place yet.
type arrived struct {
	path   string // of the part
	sum    string
	bytes  int64
	from   string // address or folder
	stated bool   // the server itself named this hash
	saved  int64
}

// fetch brings a file into its part, whole and with the hash that is wanted.
func (d *Depot) fetch(ctx context.Context, m Model, f File, want wanted, report func(Progress)) (arrived, error) {
	p, err := d.openPart(m, f)
	if err != nil {
		return arrived{}, err
	}
	c := &course{d: d, file: f, want: want, part: p, sum: sha256.New(), places: d.places(f),
		meter: &meter{now: d.conf.Now, report: report, at: Progress{Model: m.Name, File: f.Path, Total: f.Size, Left: -1}}}
	if d.conf.Folder != "" {
		err = c.copyIn(ctx)
	} else {
		err = c.run(ctx)
	}
	if err != nil {
		return arrived{}, err
	}
	return arrived{p.path, c.digest(), c.summed, c.from, c.part.Stated == c.digest(), c.saved}, nil
}

// run asks one address after the other, each as often as it is worth it.
func (c *course) run(ctx context.Context) error {
	if len(c.places) == 0 {
		return fmt.Errorf("there is no address of %s", c.file.Path)
	}
	var all error
	for failures := 0; len(c.places) > 0; {
		before := c.part.size()
		err := c.try(ctx)
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return fmt.Errorf("%w; %s stay for the next time", context.Cause(ctx), inWords(c.part.size()))
		}
		f := faultOf(err)
		c.d.conf.Log.Debug().Err(err).Str("url", c.places[0].url).Msg("a try to fetch a file failed")
		if f.fatal {
			return err
		}
		if c.part.size()-before >= worth {
			failures = 0
		}
		failures++
		if f.final || failures >= c.d.conf.Tries || f.after > patience {
			all = errors.Join(all, fmt.Errorf("%s: %w", c.places[0].url, given(f, failures)))
			c.places, failures = c.places[1:], 0
			continue
		}
		wait := max(backOff(failures), f.after)
		c.meter.enter(Waiting, fmt.Sprintf("%s; the next try in %v", plain(err), wait.Round(time.Second)))
		c.d.pause(ctx, wait)
	}
	return all
}

// given says why an address is not asked again.
func given(f *fault, failures int) error {
	switch {
	case f.after > patience:
		return fmt.Errorf("%w and wants %v of patience; try then", f.err, f.after)
	case f.final:
		return f.err
	}
	return fmt.Errorf("%w, %d times in a row", f.err, failures)
}

// backOff doubles with each failure, and half of it is chance, so that not all who failed together come back together.
func backOff(failures int) time.Duration {
	d := min(longest, shortest<<min(failures-1, 10))
	return d/2 + rand.N(d/2)
}

// plain is what a try was judged by, without what came of it.
func plain(err error) error {
	if f, ok := errors.AsType[*fault](err); ok {
		return f.err
	}
	return err
}

// try makes one request, and checks the file where it is then whole.
func (c *course) try(ctx context.Context) error {
	whole, err := c.attempt(ctx)
	if err != nil {
		if faultOf(err).anew {
			return errors.Join(err, c.reset())
		}
		return err
	}
	if !whole {
		return errors.New("the connection was cut")
	}
	return c.check()
}

// check compares what came with what was wanted.
func (c *course) check() error {
	got, want := c.digest(), c.want.sum
	if want == "" {
		want = c.part.Stated
	}
	if want == "" || got == want {
		return nil
	}
	mixed := c.resume && !c.again
	if err := c.reset(); err != nil {
		return err
	}
	if mixed { // an old part may have been of another file
		c.again = true
		return errors.New("the part that was there is not of this file")
	}
	return final("%w: its SHA-256 is %s, not %s%s", ErrWrong, got, want, c.want.who())
}

func (c *course) digest() string { return hex.EncodeToString(c.sum.Sum(nil)) }

// reset begins anew.
func (c *course) reset() error {
	c.sum.Reset()
	c.summed, c.resume, c.saved = 0, false, 0
	c.meter.at.Done = 0
	if err := c.part.drop(); err != nil {
		return fatal(fmt.Errorf("begin anew: %w", err))
	}
	return nil
}

// catchUp sums the first n bytes of the part.
func (c *course) catchUp(ctx context.Context, n int64) error {
	if c.summed == n {
		return nil
	}
	f, err := os.Open(c.part.path)
	if err != nil {
		return fatal(err)
	}
	defer f.Close()
	c.meter.enter(Checking, "")
	c.sum.Reset()
	c.summed = 0
	if _, err := io.CopyBuffer(onlyWriter{c.sum}, io.LimitReader(stopped{ctx, f}, n), make([]byte, 1<<20)); err != nil {
		return fatal(fmt.Errorf("read what is there: %w", err))
	}
	c.summed = n
	return nil
}

// stopped reads until ctx ends.
type stopped struct {
	ctx context.Context
	r   io.Reader
}

func (s stopped) Read(b []byte) (int, error) {
	if s.ctx.Err() != nil {
		return 0, context.Cause(s.ctx)
	}
	return s.r.Read(b)
}

type onlyWriter struct{ io.Writer }

// inWords is a number of bytes for people.
func inWords(n int64) string {
	switch {
	case n >= 1e9:
		return fmt.Sprintf("%.2f GB", float64(n)/1e9)
	case n >= 1e5:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	}
	return fmt.Sprintf("%d bytes", n)
}
