package depot

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"time"
)

const syncEvery = 32 << 20 // bytes that may have to be fetched again after the power failed

// attempt asks the first address for what is missing. whole is whether all is there.
func (c *course) attempt(ctx context.Context) (whole bool, err error) {
	from := c.start()
	if err := c.catchUp(ctx, from); err != nil {
		return false, err
	}
	c.resume = from > 0
	c.meter.at.Done = from
	if c.complete(from) { // ended just before it was put in its place
		c.from = c.part.URL
		return true, nil
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watch := time.AfterFunc(c.d.conf.Stall, func() { cancel(errStalled) })
	defer watch.Stop()
	c.meter.enter(Asking, "")
	r, err := c.ask(ctx, from)
	if err != nil {
		return false, stalled(ctx, err)
	}
	defer r.Body.Close()
	if err := judge(r, c.d.conf.Now()); err != nil {
		return false, err
	}
	if from, err = c.agree(r, from); err != nil {
		return false, err
	}
	whole, err = c.take(r.Body, from, func() { watch.Reset(c.d.conf.Stall) })
	return whole, stalled(ctx, err)
}

// stalled names the true cause of a request that was cancelled.
func stalled(ctx context.Context, err error) error {
	if err != nil && errors.Is(context.Cause(ctx), errStalled) {
		return errStalled
	}
	return err
}

// complete is whether n bytes are the whole file, as far as it is known.
func (c *course) complete(n int64) bool {
	return n > 0 && (!c.file.Approximate && n == c.file.Size || c.part.Total == n)
}

// start is from which byte on the file is asked for.
func (c *course) start() int64 {
	n := c.part.size()
	switch {
	case n == 0 || n > c.file.most():
		return 0
	case c.want.sum != "" || c.part.Stated != "": // the hash will tell
		return n
	case c.part.validator() == "" || c.part.URL != c.places[0].url:
		return 0
	}
	return min(n, c.part.Synced) // nothing else will tell whether the rest reached the disk
}

// ask sends the request.
func (c *course) ask(ctx context.Context, from int64) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.places[0].url, nil)
	if err != nil {
		return nil, final("%w", err)
	}
	req.Header.Set("User-Agent", "solo-depot")
	req.Header.Set("Accept-Encoding", "identity")
	if from > 0 {
		req.Header.Set("Range", fmt.Sprintf("bytes=%d-", from))
		if v := c.part.validator(); v != "" && c.part.URL == c.places[0].url {
			req.Header.Set("If-Range", v)
		}
	}
	r, err := c.d.client.Do(req)
	if e, ok := errors.AsType[*url.Error](err); ok {
		err = e.Err // without the address, which the user's eye need not wade through
	}
	return r, err
}

// agree finds out from which byte on the server sends, and whether it is the file that was begun.
func (c *course) agree(r *http.Response, asked int64) (from int64, err error) {
	n := notes{URL: c.places[0].url, Modified: r.Header.Get("Last-Modified"), Stated: stated(r)}
	if tag := r.Header.Get("ETag"); strings.HasPrefix(tag, `"`) {
		n.ETag = tag
	}
	if r.StatusCode == http.StatusPartialContent {
		first, last, total, err := contentRange(r.Header.Get("Content-Range"))
		switch {
		case err != nil:
			return 0, anew("%w", err)
		case first != asked || last-first+1 != r.ContentLength && r.ContentLength >= 0:
			return 0, anew("the server sent another part of the file than it was asked for")
		case c.changed(n, total):
			return 0, anew("the file on the server has changed since it was begun")
		}
		from, n.Total, n.Synced = asked, max(0, total), c.part.Synced
		c.saved = from
	} else {
		n.Total = max(0, r.ContentLength)
		c.sum.Reset()
		c.summed, c.resume, c.saved = 0, false, 0
	}
	if n.Stated == "" && from > 0 {
		n.Stated = c.part.Stated
	}
	if err := c.fits(n.Total); err != nil {
		return 0, err
	}
	if want := c.want.sum; want != "" && n.Stated != "" && n.Stated != want {
		return 0, final("%w: the server says its SHA-256 is %s, not %s%s", ErrWrong, n.Stated, want, c.want.who())
	}
	c.part.notes = n
	c.meter.at.Total, c.from = max(n.Total, c.file.Size), n.URL
	if n.Total > 0 {
		c.meter.at.Total = n.Total
	}
	if err := c.part.note(); err != nil {
		return 0, fatal(full(fmt.Errorf("note where the part comes from: %w", err)))
	}
	return from, nil
}

// changed is whether what the server sends now is another file than the part is of.
func (c *course) changed(n notes, total int64) bool {
	p := c.part
	if p.URL != n.URL {
		return false // another server, another tag; the hash will tell
	}
	if p.ETag == "" && n.ETag == "" && p.Modified != n.Modified {
		return true
	}
	return p.ETag != "" && n.ETag != "" && p.ETag != n.ETag || p.Total > 0 && total > 0 && p.Total != total
}

// fits refuses a file of the wrong size before it is fetched.
func (c *course) fits(total int64) error {
	f := c.file
	switch {
	case total == 0:
	case !f.Approximate && total != f.Size:
		return final("%w: the server offers %d bytes, but the catalogue says %d", ErrWrong, total, f.Size)
	case total > f.most() || total < f.Size/2:
		return final("%w: the server offers %s, but the catalogue says about %s", ErrWrong, inWords(total), inWords(f.Size))
	}
	return nil
}

// take writes what comes behind the first from bytes of the part.
func (c *course) take(body io.Reader, from int64, alive func()) (whole bool, err error) {
	out, err := c.d.create(c.part.path)
	if err != nil {
		return false, fatal(full(err))
	}
	defer func() {
		if e := errors.Join(c.settle(out), out.Close()); e != nil && err == nil {
			whole, err = false, fatal(full(e))
		}
	}()
	if err := out.Truncate(from); err != nil {
		return false, fatal(full(err))
	}
	if _, err := out.Seek(from, io.SeekStart); err != nil {
		return false, fatal(err)
	}
	c.meter.at.Done = from
	c.meter.enter(Coming, "")
	buffer := make([]byte, 256<<10)
	for unsynced := int64(0); ; {
		least := 1
		if c.summed == 0 {
			least = 512 // to see what it is
		}
		n, err := io.ReadAtLeast(living{body, alive}, buffer, least)
		if n > 0 {
			if err := c.write(out, buffer[:n]); err != nil {
				return false, err
			}
			if unsynced += int64(n); unsynced >= syncEvery {
				unsynced = 0
				if err := c.settle(out); err != nil {
					return false, fatal(full(err))
				}
			}
		}
		switch {
		case err == nil:
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			return c.ended()
		default:
			return false, fmt.Errorf("the connection broke: %w", err)
		}
	}
}

// living tells that bytes come, however few.
type living struct {
	io.Reader
	alive func()
}

func (l living) Read(b []byte) (int, error) {
	n, err := l.Reader.Read(b)
	if n > 0 {
		l.alive()
	}
	return n, err
}

// write takes a piece of the file.
func (c *course) write(out sink, b []byte) error {
	if c.summed == 0 {
		if err := c.looksRight(b); err != nil {
			return err
		}
	}
	if c.summed+int64(len(b)) > c.file.most() {
		return final("%w: it does not end where it should", ErrWrong)
	}
	n, err := out.Write(b)
	c.sum.Write(b[:n])
	c.summed += int64(n)
	if err != nil {
		return fatal(full(fmt.Errorf("write the file: %w", err)))
	}
	c.meter.reach(c.summed)
	return nil
}

const sacrificed = 64 << 10 // bytes of a part that give way to its note on a full disk

// settle makes sure that what was written outlives a power failure, and notes it.
func (c *course) settle(out sink) error {
	if err := out.Sync(); err != nil {
		return err
	}
	c.part.Synced = c.summed
	err := c.part.note()
	if err == nil || !errors.Is(full(err), ErrFull) {
		return err
	}
	c.part.Synced = max(0, c.summed-sacrificed)
	return errors.Join(err, out.Truncate(c.part.Synced), c.part.note())
}

// ended judges the end of a body.
func (c *course) ended() (whole bool, err error) {
	switch total := c.part.Total; {
	case total > 0 && c.summed < total:
		return false, fmt.Errorf("the connection was cut after %s of %s", inWords(c.summed), inWords(total))
	case !c.file.Approximate && c.summed < c.file.Size:
		return false, fmt.Errorf("the connection was cut after %s of %s", inWords(c.summed), inWords(c.file.Size))
	case c.summed < c.file.Size/2:
		return false, final("%w: only %s came", ErrWrong, inWords(c.summed))
	}
	return true, nil
}

// beginnings are the first bytes of files that have a mark.
var beginnings = map[string]string{".gguf": "GGUF", ".zip": "PK\x03\x04", ".gz": "\x1f\x8b"}

// looksRight looks at the first bytes: a page or another kind of file need not be fetched to its end.
func (c *course) looksRight(b []byte) error {
	head := strings.ToLower(string(bytes.TrimLeft(b[:min(len(b), 200)], "\ufeff \t\r\n")))
	if strings.HasPrefix(head, "<!doctype") || strings.HasPrefix(head, "<html") || strings.HasPrefix(head, "<?xml") {
		return final("the server sent a web page instead of the file")
	}
	if strings.HasPrefix(head, "version https://git-lfs") {
		return final("the server sent a pointer to the file instead of the file")
	}
	for end, mark := range beginnings {
		if strings.HasSuffix(c.file.Path, end) && len(b) >= len(mark) && !bytes.HasPrefix(b, []byte(mark)) {
			return final("%w: it does not begin as a %s file does", ErrWrong, end)
		}
	}
	return nil
}

// full names the one failure of a disk that the user can mend.
func full(err error) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, errDiskFull) || errors.Is(err, syscall.EDQUOT) {
		return fmt.Errorf("%w: %w; what came stays for the next time", ErrFull, err)
	}
	return err
}
