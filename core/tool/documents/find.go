package documents

import (
	"cmp"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/solo-assistant/solo/core/document"
	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/core/words"
	"github.com/solo-assistant/solo/models"
)

// find finds the file that is meant, if it may be read.
func (d documents) find(ctx context.Context, said string) (found, error) {
	said = strings.TrimSpace(strings.Trim(strings.TrimSpace(said), `"'`))
	if rest, ok := strings.CutPrefix(filepath.ToSlash(said), "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			said = filepath.Join(home, filepath.FromSlash(rest))
		}
	}
	if strings.ContainsRune(said, 0) || said == "" {
		return found{}, fs.ErrNotExist
	}
	if filepath.IsAbs(said) {
		return d.absolute(ctx, said)
	}
	folders := d.folders()
	if path := newest(folders, said); path != "" {
		return d.absolute(ctx, path)
	}
	if strings.ContainsAny(said, `/\`) {
		said = filepath.Base(filepath.FromSlash(strings.ReplaceAll(said, `\`, "/")))
	}
	return byName(ctx, folders, said)
}

// below is what "Downloads/x.pdf" means within the folder Downloads, "" for nothing.
func below(folder, said string) string {
	first, rest, ok := strings.Cut(filepath.ToSlash(said), "/")
	if !ok || !strings.EqualFold(first, filepath.Base(folder)) {
		return ""
	}
	return filepath.FromSlash(rest)
}

// newest is the newest file of a path seen from one of the folders, "" where there is none.
func newest(folders []string, said string) (path string) {
	var at time.Time
	for _, folder := range folders {
		for _, rel := range []string{said, below(folder, said)} {
			if !filepath.IsLocal(rel) {
				continue
			}
			info, err := os.Stat(filepath.Join(folder, rel))
			if err == nil && info.Mode().IsRegular() && (path == "" || info.ModTime().After(at)) {
				path, at = filepath.Join(folder, rel), info.ModTime()
			}
		}
	}
	return path
}

// absolute lets a path pass that lies, all links followed, in an allowed folder, or that the user named.
func (d documents) absolute(ctx context.Context, path string) (found, error) {
	if secret(path) {
		return found{}, errSecret // whether it is there is told to nobody
	}
	path = filepath.Clean(path)
	real, err := filepath.EvalSymlinks(path)
	for _, folder := range d.folders() {
		if err == nil {
			if rel, ok := within(folder, real); ok {
				return allowed(folder, rel)
			}
		} else if rel, ok := within(folder, path); ok && !hidden(rel) {
			return found{}, err
		}
	}
	if !d.named(ctx, path) {
		return found{}, errOutside
	}
	if err != nil {
		return found{}, err
	}
	if hidden(path) || hidden(real) {
		return found{}, errHidden
	}
	return allowed(filepath.Dir(real), filepath.Base(real))
}

func allowed(folder, rel string) (found, error) {
	switch {
	case hidden(rel):
		return found{}, errHidden
	case secret(rel):
		return found{}, errSecret
	}
	return found{folder: folder, rel: rel}, nil
}

// named tells whether the user's own words named a path: they are the call itself, or Roots tells of them.
func (d documents) named(ctx context.Context, path string) bool {
	o := models.OriginOf(ctx)
	if !o.Model {
		return true
	}
	if d.Roots == nil {
		return false
	}
	return slices.ContainsFunc(d.Roots(ctx), func(root string) bool {
		_, ok := within(filepath.Clean(root), path)
		return filepath.IsAbs(root) && ok
	})
}

// within is path seen from folder, false where it is not in it.
func within(folder, path string) (string, bool) {
	rel, err := filepath.Rel(folder, path)
	return rel, err == nil && filepath.IsLocal(rel)
}

// folders are the allowed folders that exist, without links in their paths.
func (d documents) folders() []string {
	names := d.Folders
	if len(names) == 0 {
		names = personal()
	}
	home, _ := os.UserHomeDir() // "" finds nothing
	var all []string
	names = append(slices.Clone(names), d.Workspace)
	if d.Library != nil {
		names = append(names, d.Library.Places(context.Background())...)
	}
	for _, name := range names {
		if rest, ok := strings.CutPrefix(filepath.ToSlash(name), "~/"); ok {
			name = filepath.Join(home, filepath.FromSlash(rest))
		}
		if real, err := filepath.EvalSymlinks(name); err == nil && filepath.IsAbs(real) && !slices.Contains(all, real) {
			all = append(all, real)
		}
	}
	return all
}

const (
	deepest     = 8     // folders within folders
	mostEntries = 50000 // looked at in all
)

// file is a candidate.
type file struct {
	folder, rel string
	at          time.Time
}

// byName looks through the folders for the newest file that fits a name or a part of one.
func byName(ctx context.Context, folders []string, said string) (found, error) {
	files, err := list(ctx, folders)
	if err != nil {
		return found{}, err
	}
	fit := choose(files, said)
	if len(fit) == 0 {
		if secret(said) {
			return found{}, errSecret
		}
		return found{}, fs.ErrNotExist
	}
	f := found{folder: fit[0].folder, rel: fit[0].rel}
	for _, other := range fit[1:min(len(fit), 6)] {
		f.more = append(f.more, filepath.Join(other.folder, other.rel))
	}
	return f, nil
}

// list is all files in the folders that may be read, the newest first.
func list(ctx context.Context, folders []string) ([]file, error) {
	var files []file
	seen := 0
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			rel, _ := within(folder, path)
			if seen++; seen > mostEntries {
				return fs.SkipAll
			}
			if err != nil || hidden(rel) || e.IsDir() && strings.Count(rel, string(filepath.Separator)) >= deepest {
				if e != nil && e.IsDir() {
					return fs.SkipDir
				}
				return nil // what cannot be looked at is not there
			}
			if !e.Type().IsRegular() || secret(rel) || !Readable(rel) {
				return nil
			}
			if info, err := e.Info(); err == nil {
				files = append(files, file{folder, rel, info.ModTime()})
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(files, func(a, b file) int { return b.at.Compare(a.at) })
	return files, nil
}

// endings are of the kinds that can be read, as people call them.
var endings = map[string][]string{
	"pdf": {".pdf"}, "word": {".docx"}, "docx": {".docx"}, "odt": {".odt"}, "epub": {".epub"}, "book": {".epub", ".pdf"}, "ebook": {".epub"},
	"web": {".html", ".htm"}, "html": {".html", ".htm"}, "markdown": {".md"}, "text": {".txt", ".md"}, "note": {".txt", ".md"},
}

var readableEndings = []string{"", ".pdf", ".docx", ".odt", ".epub", ".html", ".htm", ".xhtml", ".md", ".markdown", ".txt", ".text", ".log", ".csv", ".tex", ".rst", ".org"}

// Readable tells by its name whether a file may be of a kind that can be read.
func Readable(name string) bool {
	return slices.Contains(readableEndings, strings.ToLower(filepath.Ext(name)))
}

// recent and plain words do not name a file: "my latest PDF" is the newest of its kind.
var (
	recent = []string{"latest", "newest", "last", "recent", "new"}
	plain  = []string{"document", "documents", "file", "files", "download", "downloads", "one", "page", "my", "the", "this", "that", "a", "of", "in", "from", "called", "named"}
)

// choose is the files that fit, the best and then the newest first. files are the newest first.
func choose(files []file, said string) []file {
	if exact := keep(files, func(f file) bool {
		name := filepath.Base(f.rel)
		return strings.EqualFold(name, said) || strings.EqualFold(strings.TrimSuffix(name, filepath.Ext(name)), said)
	}); len(exact) > 0 {
		return exact
	}
	var asked, kinds []string
	latest := false
	for _, w := range words.Fold(said) {
		switch {
		case slices.Contains(recent, w):
			latest = true
		case endings[w] != nil:
			kinds = append(kinds, endings[w]...)
		case !slices.Contains(plain, w):
			asked = append(asked, w)
		}
	}
	of := files
	if len(kinds) > 0 {
		of = keep(files, func(f file) bool { return slices.Contains(kinds, strings.ToLower(filepath.Ext(f.rel))) })
	}
	if len(asked) == 0 {
		if latest || len(kinds) > 0 {
			return of
		}
		return nil
	}
	if fit := near(of, strings.Join(asked, " ")); len(fit) > 0 {
		return fit
	}
	return near(files, said) // a kind's name may be a part of the file's name
}

func keep(files []file, ok func(file) bool) []file {
	var out []file
	for _, f := range files {
		if ok(f) {
			out = append(out, f)
		}
	}
	return out
}

// near is the files whose names are nearest to the words, the newest first among equals.
func near(files []file, asked string) []file {
	files = files[:min(len(files), 5000)]
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = spaced(strings.TrimSuffix(f.rel, filepath.Ext(f.rel)))
	}
	at := tool.Pick(asked, names)
	slices.SortFunc(at, cmp.Compare[int])
	var out []file
	for _, i := range at {
		out = append(out, files[i])
	}
	return out
}

// spaced parts the words of a file's name.
func spaced(name string) string {
	return strings.NewReplacer("_", " ", "-", " ", ".", " ", "/", " ", `\`, " ").Replace(name)
}

var _ Reader = (*document.Reader)(nil)
