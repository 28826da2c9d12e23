package depot

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
)

// zip unpacks a .zip.
func (y *yard) zip(ctx context.Context, archive string) error {
	r, err := zip.OpenReader(archive)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return fmt.Errorf("%w: %w", ErrWrong, err)
	}
	defer r.Close()
	if len(r.File) > y.left.names {
		return errNames
	}
	for _, e := range r.File {
		if err := y.zipped(ctx, e); err != nil {
			return err
		}
	}
	return nil
}

func (y *yard) zipped(ctx context.Context, e *zip.File) error {
	name, err := y.name(e.Name)
	if err != nil || name == "" {
		return err
	}
	mode := e.Mode()
	if strings.HasSuffix(e.Name, "/") || mode.IsDir() {
		return y.folder(name)
	}
	in, err := e.Open()
	if err != nil {
		return fmt.Errorf("%w: %q: %w", ErrWrong, name, err)
	}
	defer in.Close()
	switch {
	case mode.IsRegular():
		return y.file(ctx, name, mode&0o111 != 0, in)
	case mode.Type() == fs.ModeSymlink:
		to, err := io.ReadAll(io.LimitReader(in, mostLink+1))
		if err != nil {
			return err
		}
		return y.promise(name, string(to))
	}
	return fmt.Errorf("%w: %q in the archive is no file", ErrWrong, name)
}

// tar unpacks a .tar.gz.
func (y *yard) tar(ctx context.Context, archive string) error {
	f, err := os.Open(archive)
	if err != nil {
		return err
	}
	defer f.Close()
	packed, err := gzip.NewReader(f)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrWrong, err)
	}
	// Headers and padding are bounded as well as files: an archive of nothing but names is one, too.
	in := tar.NewReader(io.LimitReader(packed, y.left.bytes+int64(y.left.names)*4096))
	for {
		h, err := in.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil && !errors.Is(err, tar.ErrInsecurePath) {
			return fmt.Errorf("%w: %w", ErrWrong, err)
		}
		if err := y.tarred(ctx, h, in); err != nil {
			return err
		}
	}
}

func (y *yard) tarred(ctx context.Context, h *tar.Header, in io.Reader) error {
	if h.Typeflag == tar.TypeXGlobalHeader {
		return nil
	}
	name, err := y.name(h.Name)
	if err != nil || name == "" {
		return err
	}
	switch h.Typeflag {
	case tar.TypeDir:
		return y.folder(name)
	case tar.TypeReg:
		return y.file(ctx, name, h.FileInfo().Mode()&0o111 != 0, in)
	case tar.TypeSymlink:
		return y.promise(name, h.Linkname)
	}
	return fmt.Errorf("%w: %q in the archive is no file", ErrWrong, name)
}
