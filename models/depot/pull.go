package depot

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"
)

// Order says what to fetch.
type Order struct {
	Name    string
	Machine Machine        // what there is to run it on; zero asks nothing
	Anyway  bool           // although the machine is too small
	Renew   bool           // although it is another file than the one that was pinned or stated
	Report  func(Progress) // told at least at every change of state; may be nil
}

// Outcome is what came of an order.
type Outcome struct {
	Model   Model
	Already bool     // it was there
	Fetched int64    // bytes that came
	Saved   int64    // bytes that were there from an earlier try
	Places  []string // full paths of its files, or of its folder
	Notes   []string // what the user should know of where it came from
}

// Pull fetches a model and puts it in its place. It may be called again after any failure and goes on where that was.
// The error wraps ErrUnknown, ErrSmall, ErrFull, ErrWrong, ErrAbsent, ErrTaken or the context's cause where one of these
// was the reason. What is in its place when Pull fails is what was there before, or whole.
func (d *Depot) Pull(ctx context.Context, o Order) (Outcome, error) {
	m, err := d.Model(o.Name)
	if err != nil {
		return Outcome{}, err
	}
	if o.Report == nil {
		o.Report = func(Progress) {}
	}
	out := Outcome{Model: m}
	if !o.Anyway {
		if err := o.Machine.holds(m); err != nil {
			return out, err
		}
	}
	unlock, err := d.lock(ctx, m.Name, func() {
		o.Report(Progress{Model: m.Name, State: Waiting, Left: -1, Note: "another Solo is at it"})
	})
	if err != nil {
		return out, err
	}
	defer unlock()
	b, err := d.read()
	if err != nil {
		return out, err
	}
	if k, ok := b.Models[m.Name]; ok && d.here(k) && d.upToDate(b, m, k, o.Renew) {
		out.Already, out.Places = true, d.placesOf(m, k)
		return out, nil
	}
	p := &pulling{d: d, m: m, o: o, b: b, out: &out}
	if err := p.run(ctx); err != nil {
		return out, fmt.Errorf("%s: %w", m.Name, err)
	}
	return out, nil
}

// upToDate is whether what is there is what the catalogue wants today.
func (d *Depot) upToDate(b *book, m Model, k kept, renew bool) bool {
	if renew || len(k.Sources) != len(m.Files) {
		return false
	}
	if folder, tool := m.unpacked(); tool && k.Folder != folder {
		return false
	}
	for i, f := range m.Files {
		want := b.wants(m, f, false)
		if k.Sources[i].File != f.Path || want.sum != "" && want.sum != k.Sources[i].SHA256 {
			return false
		}
	}
	return true
}

func (d *Depot) placesOf(m Model, k kept) (all []string) {
	if k.Folder != "" {
		return []string{d.within(k.Folder)}
	}
	for _, f := range m.Files {
		all = append(all, d.within(f.place()))
	}
	return all
}

// pulling is one order on its way.
type pulling struct {
	d    *Depot
	m    Model
	o    Order
	b    *book // as it was when the model was locked
	out  *Outcome
	kept kept
	pins map[string]pin
}

func (p *pulling) run(ctx context.Context) error {
	p.kept = kept{At: p.d.conf.Now().UTC()}
	p.pins = map[string]pin{}
	if err := p.d.hasRoom(p.need()); err != nil {
		return err
	}
	var archives []arrived
	for _, f := range p.m.Files {
		if f.Unpack == "" {
			found, err := p.adopt(ctx, f)
			if err != nil {
				return err
			}
			if found {
				continue
			}
		}
		a, err := p.bring(ctx, f)
		if err != nil {
			return err
		}
		if f.Unpack != "" {
			archives = append(archives, a)
			continue
		}
		if err := p.lay(f, a); err != nil {
			return err
		}
	}
	if len(archives) > 0 {
		if err := p.unpack(ctx, archives); err != nil {
			return err
		}
	}
	old := p.b.Models[p.m.Name]
	err := p.d.change(ctx, func(b *book) {
		b.Models[p.m.Name] = p.kept
		for id, pin := range p.pins {
			b.Pins[id] = pin
		}
	})
	if err != nil {
		return err
	}
	p.d.sweep(old, p.kept)
	p.out.Places = p.d.placesOf(p.m, p.kept)
	p.o.Report(Progress{Model: p.m.Name, State: Done, Done: p.kept.bytes(), Total: p.kept.bytes()})
	return nil
}

// need is how many bytes will be written.
func (p *pulling) need() (n int64) {
	for _, f := range p.m.Files {
		part, err := p.d.openPart(p.m, f)
		if err != nil {
			continue
		}
		if info, err := os.Stat(p.d.within(f.place())); err == nil && f.Unpack == "" && !info.IsDir() {
			continue
		}
		n += max(0, f.Size-part.size())
		if f.Unpack != "" {
			n += 3 * f.Size
		}
	}
	return n
}

// bring fetches one file and notes what is known of it.
func (p *pulling) bring(ctx context.Context, f File) (arrived, error) {
	want := p.b.wants(p.m, f, p.o.Renew)
	a, err := p.d.fetch(ctx, p.m, f, want, p.o.Report)
	if err != nil {
		if errors.Is(err, ErrWrong) && want.known != Verified && want.sum != "" {
			err = fmt.Errorf("%w; where you know that the file has been renewed: solo models pull %s --renew", err, p.m.Name)
		}
		return a, err
	}
	p.out.Fetched += a.bytes - a.saved
	p.out.Saved += a.saved
	p.source(f, want, a.sum, a.bytes, a.from, a.stated)
	return a, nil
}

// source notes where a file came from and how it is known; what nobody knew is pinned.
func (p *pulling) source(f File, want wanted, sum string, bytes int64, from string, stated bool) {
	known := want.known
	switch {
	case want.sum == "":
		known = Pinned
		p.pins[p.m.id(f)] = pin{sum, p.d.conf.Now().UTC()}
		text := fmt.Sprintf("%s is unverified: nobody of ours has seen it. What came is pinned from now on, as SHA-256 %s", f.Path, sum)
		if stated {
			text += ", which its server names as well"
		}
		p.out.Notes = append(p.out.Notes, text)
	case known == Stated:
		p.out.Notes = append(p.out.Notes, fmt.Sprintf("%s is unverified by ours; its SHA-256 is the one that is stated by %s", f.Path, want.by))
	}
	p.kept.Sources = append(p.kept.Sources, source{File: f.Path, From: from, Bytes: bytes, SHA256: sum, Known: known})
}

// adopt takes a file that lies in its place already: it was put there by hand, or the book was lost.
func (p *pulling) adopt(ctx context.Context, f File) (bool, error) {
	path := p.d.within(f.place())
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	ours := p.owns(f)
	if !info.Mode().IsRegular() {
		return false, fmt.Errorf("%w: %s is no plain file; move it away", ErrTaken, path)
	}
	if !f.Approximate && info.Size() != f.Size || info.Size() > f.most() || info.Size() < f.Size/2 {
		if ours {
			return false, nil // it will be replaced
		}
		return false, fmt.Errorf("%w: %s has %s, not %s; move it away", ErrTaken, path, inWords(info.Size()), inWords(f.Size))
	}
	p.o.Report(Progress{Model: p.m.Name, File: f.Path, State: Checking, Total: info.Size(), Left: -1})
	sum, err := sumFile(ctx, path)
	if err != nil {
		return false, err
	}
	want := p.b.wants(p.m, f, p.o.Renew)
	switch {
	case p.o.Renew && f.SHA256 == "" && ours:
		return false, nil
	case want.sum != "" && want.sum != sum && ours:
		return false, nil
	case want.sum != "" && want.sum != sum:
		return false, fmt.Errorf("%w: %s has the SHA-256 %s, not %s%s; move it away", ErrTaken, path, sum, want.sum, want.who())
	}
	p.source(f, want, sum, info.Size(), path, false)
	p.kept.Files = append(p.kept.Files, keptFile{Path: f.place(), Bytes: info.Size(), SHA256: sum})
	return true, nil
}

// owns is whether the depot itself laid a file down.
func (p *pulling) owns(f File) bool {
	for _, k := range p.b.Models[p.m.Name].Files {
		if k.Path == f.place() {
			return true
		}
	}
	return false
}

// lay puts a whole file in its place.
func (p *pulling) lay(f File, a arrived) error {
	path := p.d.within(f.place())
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("make its folder: %w", err)
	}
	if err := os.Chmod(a.path, 0o644); err != nil {
		return err
	}
	if err := rename(a.path, path); err != nil {
		return fmt.Errorf("put it in its place: %w", err)
	}
	if err := errors.Join(syncDir(filepath.Dir(path)), remove(a.path+".json")); err != nil {
		return err
	}
	p.kept.Files = append(p.kept.Files, keptFile{Path: f.place(), Bytes: a.bytes, SHA256: a.sum})
	return nil
}

// rename moves a file or a folder. On Windows a scanner that looks at what is new makes it fail for a moment.
func rename(from, to string) (err error) {
	for range 20 {
		err = os.Rename(from, to)
		if err == nil || runtime.GOOS != "windows" || errors.Is(err, fs.ErrNotExist) {
			return err
		}
		time.Sleep(100 * time.Millisecond)
	}
	return err
}

// sweep removes files of an older version that the new one does not have.
func (d *Depot) sweep(old, now kept) {
	has := map[string]bool{}
	for _, f := range now.Files {
		has[f.Path] = true
	}
	for _, f := range old.Files {
		if !has[f.Path] {
			if err := remove(d.within(f.Path)); err != nil {
				d.conf.Log.Warn().Err(err).Msg("a file of an older model stays")
			}
			d.prunePath(f.Path)
		}
	}
}
