package depot

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path"
	"path/filepath"
)

// copyIn takes the file from the user's folder: by its path in the depot, by its name, or by the name in its address.
func (c *course) copyIn(ctx context.Context) error {
	folder := c.d.conf.Folder
	for _, name := range c.names() {
		in, err := os.Open(filepath.Join(folder, filepath.FromSlash(name)))
		if err != nil {
			continue
		}
		defer in.Close()
		c.from = in.Name()
		return c.copyFrom(ctx, in)
	}
	return fmt.Errorf("%w: the folder %s of depot.folder has no %s (%s)", ErrAbsent, folder, path.Base(c.file.Path), inWords(c.file.Size))
}

func (c *course) names() []string {
	all := []string{c.file.Path, path.Base(c.file.Path)}
	for _, text := range c.file.URLs {
		if u, err := url.Parse(text); err == nil && path.Base(u.Path) != "." && path.Base(u.Path) != "/" {
			all = append(all, path.Base(u.Path))
		}
	}
	return all
}

func (c *course) copyFrom(ctx context.Context, in *os.File) error {
	info, err := in.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return errors.Join(fmt.Errorf("%s is no file", in.Name()), err)
	}
	if err := c.reset(); err != nil {
		return err
	}
	if err := c.fits(info.Size()); err != nil {
		return fmt.Errorf("%s: %w", in.Name(), err)
	}
	c.part.notes = notes{URL: in.Name(), Total: info.Size()}
	c.meter.at.Total = info.Size()
	whole, err := c.take(stopped{ctx, io.Reader(in)}, 0, func() {})
	if err == nil && !whole {
		err = errors.New("it ends too early")
	}
	if err == nil {
		err = c.check()
	}
	if err != nil {
		return errors.Join(fmt.Errorf("%s: %w", in.Name(), err), c.reset())
	}
	return nil
}
