package depot

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

const (
	mostDepth = 20   // folders in folders
	mostLink  = 1024 // bytes of where a link leads
)

// bounds are what an archive may become.
type bounds struct {
	bytes int64
	names int
}

// boundsOf an archive of size bytes: what compresses programs well makes a tenth of them.
func boundsOf(size int64) bounds {
	return bounds{bytes: min(16<<30, max(64<<20, 20*size)), names: 5000}
}

// archiveKind is "zip", "tar.gz" or "".
func archiveKind(name string) string {
	switch lower := strings.ToLower(name); {
	case strings.HasSuffix(lower, ".zip"):
		return "zip"
	case strings.HasSuffix(lower, ".tar.gz"), strings.HasSuffix(lower, ".tgz"):
		return "tar.gz"
	}
	return ""
}

// unpack lays the archives of a program out beside their place, and changes the whole folder in one step.
func (p *pulling) unpack(ctx context.Context, archives []arrived) error {
	folder, _ := p.m.unpacked()
	target := p.d.within(folder)
	if _, err := os.Lstat(target); err == nil && p.b.Models[p.m.Name].Folder != folder {
		return fmt.Errorf("%w: there is a folder %s that the depot did not make; move it away", ErrTaken, target)
	}
	work := p.d.within(".depot-" + p.m.Name)
	if err := clear(work); err != nil { // of a try that was killed
		return fmt.Errorf("clear up an earlier try: %w", err)
	}
	defer func() { _ = clear(work) }() // gone by the rename where all went well; else the next try clears it
	whole := filepath.Join(work, "whole")
	if err := os.MkdirAll(whole, 0o755); err != nil {
		return fmt.Errorf("make a folder to unpack in: %w", full(err))
	}
	for i, a := range archives {
		f := p.m.Files[i]
		p.o.Report(Progress{Model: p.m.Name, File: f.Path, State: Unpacking, Done: a.bytes, Total: a.bytes, Left: -1})
		each := filepath.Join(work, fmt.Sprint(i))
		if err := unpackInto(ctx, a.path, archiveKind(f.Path), each, p.d.bounds(a.bytes)); err != nil {
			return fmt.Errorf("unpack %s: %w", f.Path, full(err))
		}
		if err := merge(single(each), whole); err != nil {
			return fmt.Errorf("unpack %s: %w", f.Path, err)
		}
	}
	files, err := inventory(ctx, whole, folder)
	if err != nil {
		return err
	}
	p.kept.Folder, p.kept.Files = folder, files
	if err := exchange(whole, target, filepath.Join(work, "old")); err != nil {
		return fmt.Errorf("put it in its place (is the program running?): %w", err)
	}
	for _, a := range archives {
		if err := errors.Join(remove(a.path), remove(a.path+".json")); err != nil {
			return err
		}
	}
	return nil
}

// clear removes a folder and all in it, one name after the other: the quicker way of the standard library asks Windows
// for something that not every one of its file systems can. Links are not followed.
func clear(dir string) error {
	var names []string
	err := filepath.WalkDir(dir, func(at string, _ fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		names = append(names, at)
		return err
	})
	for _, name := range slices.Backward(names) {
		err = errors.Join(err, remove(name))
	}
	return err
}

// exchange puts the new folder where the old one is, if there is one; when it fails, the old one is back.
func exchange(fresh, target, aside string) error {
	err := rename(target, aside)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	had := err == nil
	if err := rename(fresh, target); err != nil {
		if had {
			err = errors.Join(err, rename(aside, target))
		}
		return err
	}
	return syncDir(filepath.Dir(target))
}

// single goes into folders that hold nothing but one folder, as archives often do.
func single(dir string) string {
	for range mostDepth {
		inside, err := os.ReadDir(dir)
		if err != nil || len(inside) != 1 || !inside[0].IsDir() {
			break
		}
		dir = filepath.Join(dir, inside[0].Name())
	}
	return dir
}

// merge moves what is in one folder into another; nothing there is replaced.
func merge(from, into string) error {
	inside, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	for _, e := range inside {
		place := filepath.Join(into, e.Name())
		if _, err := os.Lstat(place); err == nil {
			return fmt.Errorf("%w: two archives hold %q", ErrWrong, e.Name())
		}
		if err := os.Rename(filepath.Join(from, e.Name()), place); err != nil {
			return err
		}
	}
	return nil
}

// inventory lists what was unpacked.
func inventory(ctx context.Context, dir, folder string) (files []keptFile, err error) {
	err = filepath.WalkDir(dir, func(at string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, at)
		if err != nil {
			return err
		}
		k := keptFile{Path: path.Join(folder, filepath.ToSlash(name))}
		if e.Type()&fs.ModeSymlink != 0 {
			k.Link, err = os.Readlink(at)
		} else if k.SHA256, err = sumFile(ctx, at); err == nil {
			var info fs.FileInfo
			if info, err = e.Info(); err == nil {
				k.Bytes = info.Size()
			}
		}
		files = append(files, k)
		return err
	})
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("%w: the archive is empty", ErrWrong)
	}
	return files, err
}

// sumFile computes the SHA-256 of a file.
func sumFile(ctx context.Context, path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.CopyBuffer(onlyWriter{sum}, stopped{ctx, f}, make([]byte, 1<<20)); err != nil {
		return "", fmt.Errorf("read %s: %w", path, err)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// yard is the folder that one archive is laid out in. The system itself keeps all names inside of it.
type yard struct {
	root  *os.Root
	left  bounds            // what may still come
	links map[string]string // made last, so that no file is written through one
}

// unpackInto lays an archive out in a new folder.
func unpackInto(ctx context.Context, archive, kind, dir string, most bounds) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	y := &yard{root: root, left: most, links: map[string]string{}}
	if kind == "zip" {
		err = y.zip(ctx, archive)
	} else {
		err = y.tar(ctx, archive)
	}
	if err != nil {
		return err
	}
	return y.link()
}

var errNames = fmt.Errorf("%w: the archive has too many names", ErrWrong)

// name makes sure that a name in an archive is one of a file inside, on every system.
func (y *yard) name(name string) (string, error) {
	if y.left.names--; y.left.names < 0 {
		return "", errNames
	}
	clean := strings.TrimSuffix(strings.TrimPrefix(name, "./"), "/")
	if clean == "" || clean == "." {
		return "", nil
	}
	if strings.Count(clean, "/") >= mostDepth || len(clean) > 500 {
		return "", fmt.Errorf("%w: the name %.60q in the archive is too deep", ErrWrong, name)
	}
	for part := range strings.SplitSeq(clean, "/") {
		if err := checkPart(strings.TrimPrefix(part, ".")); err != nil || part == ".." {
			return "", fmt.Errorf("%w: the archive holds %.60q, which leads elsewhere or cannot be written", ErrWrong, name)
		}
	}
	return clean, nil
}

func (y *yard) folder(name string) error {
	if err := y.root.MkdirAll(filepath.FromSlash(name), 0o755); err != nil {
		return fmt.Errorf("make %q: %w", name, err)
	}
	return nil
}

// file writes one file, as long as there is room in the yard.
func (y *yard) file(ctx context.Context, name string, runs bool, from io.Reader) (err error) {
	if err := y.folder(path.Dir(name)); err != nil {
		return err
	}
	mode := fs.FileMode(0o644)
	if runs {
		mode = 0o755
	}
	f, err := y.root.OpenFile(filepath.FromSlash(name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%w: the archive holds %q twice", ErrWrong, name)
	}
	if err != nil {
		return err
	}
	defer func() {
		if e := f.Close(); err == nil {
			err = e
		}
	}()
	n, err := io.Copy(onlyWriter{f}, io.LimitReader(stopped{ctx, from}, y.left.bytes+1))
	y.left.bytes -= n
	switch {
	case err != nil:
		return fmt.Errorf("%q: %w", name, err)
	case y.left.bytes < 0:
		return fmt.Errorf("%w: the archive unpacks to more than it may", ErrWrong)
	}
	return f.Sync()
}

// promise keeps a symbolic link for later. It must lead to something beside it or below.
func (y *yard) promise(name, to string) error {
	if len(to) > mostLink || path.IsAbs(to) || strings.ContainsAny(to, `\:`) || !filepath.IsLocal(filepath.FromSlash(path.Join(path.Dir(name), to))) || strings.Contains(to, "..") {
		return fmt.Errorf("%w: the archive links %q to %.60q", ErrWrong, name, to)
	}
	y.links[name] = to
	return nil
}

// link makes the links, or copies where the system has none.
func (y *yard) link() error {
	for name, to := range y.links {
		if err := y.folder(path.Dir(name)); err != nil {
			return err
		}
		if runtime.GOOS == "windows" {
			if err := y.root.Link(filepath.FromSlash(path.Join(path.Dir(name), to)), filepath.FromSlash(name)); err != nil {
				return fmt.Errorf("link %q: %w", name, err)
			}
			continue
		}
		if err := y.root.Symlink(to, filepath.FromSlash(name)); err != nil {
			return fmt.Errorf("link %q: %w", name, err)
		}
	}
	for name := range y.links {
		if _, err := y.root.Stat(filepath.FromSlash(name)); err != nil {
			return fmt.Errorf("%w: the archive's link %q leads nowhere", ErrWrong, name)
		}
	}
	return nil
}
