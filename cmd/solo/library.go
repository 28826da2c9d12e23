package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/solo-assistant/solo/core/channel/cli"
	"github.com/solo-assistant/solo/core/document"
	"github.com/solo-assistant/solo/core/library"
	"github.com/solo-assistant/solo/core/store"
	"github.com/solo-assistant/solo/core/supervise"
	"github.com/solo-assistant/solo/core/tool/documents"
)

// bookcase is the user's documents: those handed to Solo, which lie in a folder of its own, and those in folders that are
// watched.
type bookcase struct {
	*library.Library
	reader *document.Reader
	own    string // folder of what was handed over
	served bool   // the library reads and watches by itself
}

// giveLibrary makes the library. With watch it reads and watches as long as the assistant runs; it gives the service.
func (s *assistant) giveLibrary(st *store.Store, watch bool) []supervise.Service {
	r := &document.Reader{Cache: filepath.Join(s.app.home.cache, "pdf")}
	s.hold(r)
	own := filepath.Join(s.app.settings.Workspace, "documents")
	if err := os.MkdirAll(own, 0o700); err != nil {
		s.app.log.Warn().Err(err).Msg("the folder for documents could not be made")
	}
	s.bookcase = &bookcase{reader: r, own: own, served: watch, Library: library.New(library.Config{Settings: s.app.settings.Library, Own: own, Rows: st.Library(),
		Reader: papers{r, s.app.settings.Documents.Limits}, Embedder: meanings{s}, Bus: &s.bus, Log: s.app.part("library"), Now: s.app.now})}
	if real, err := filepath.EvalSymlinks(own); err == nil {
		s.bookcase.own = real
	}
	if !watch {
		return nil
	}
	return []supervise.Service{s.bookcase.Library}
}

// meanings makes vectors of passages by the model for embeddings that the settings name. What runs in a cloud is not
// asked: the user's documents stay here.
type meanings struct{ s *assistant }

func (m meanings) Model(context.Context) string {
	c := m.s.app.settings
	if m.s.brain.router == nil || cmp.Or(c.Model.Embedding, c.Llama.EmbeddingModel, c.Ollama.Embedder) == "" {
		return ""
	}
	engine, model, cloud := m.s.brain.router.Provider("embedding")
	if cloud || engine == "" {
		return ""
	}
	return engine + "/" + cmp.Or(model, filepath.Base(c.Llama.EmbeddingModel), c.Ollama.Embedder)
}

func (m meanings) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	return m.s.brain.router.Embed(ctx, "", texts)
}

// papers reads files for the library.
type papers struct {
	r *document.Reader
	l document.Limits
}

var errKey = errors.New("the file may hold keys or passwords")

func (p papers) Fits(name string) bool { return documents.Readable(name) && !documents.Secret(name) }

func (p papers) Most() int64 { return p.l.Bytes }

func (p papers) Excuse(err error) string {
	if errors.Is(err, errKey) {
		return "It may hold keys or passwords."
	}
	return document.Excuse(err)
}

func (p papers) Read(ctx context.Context, name string, data []byte, told func(done, pages int)) (library.Paper, error) {
	l := p.l
	l.Told = told
	d, err := p.r.ReadBytes(ctx, name, data, l)
	if err == nil && documents.HoldsKey(d) {
		err = errKey
	}
	if err != nil {
		return library.Paper{}, err
	}
	out := library.Paper{Kind: d.Kind, Title: d.Title, Total: d.Total, Partial: d.Cut}
	for _, page := range d.Pages {
		q := library.Page{Number: page.Number, Text: page.Text}
		for _, h := range page.Heads {
			q.Heads = append(q.Heads, library.Head(h))
		}
		out.Pages = append(out.Pages, q)
	}
	return out, nil
}

// during has the library read and watch while do runs, where it does not by itself.
func (b *bookcase) during(ctx context.Context, do func(ctx context.Context) error) error {
	if b.served {
		return do(ctx)
	}
	ctx, stop := context.WithCancel(ctx)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer stop()
	failed := make(chan error, 1)
	wg.Go(func() {
		if err := b.Serve(ctx); err != nil {
			failed <- err
			stop()
		}
	})
	err := do(ctx)
	select {
	case broken := <-failed:
		return broken
	default:
		return err
	}
}

// Drop takes documents out of the library, and the files of those that were handed to Solo.
func (b *bookcase) Drop(ctx context.Context, name string) ([]string, error) {
	gone, err := b.Remove(ctx, name)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(b.own)
	if err != nil {
		return gone, nil // nothing lies there
	}
	defer root.Close()
	for _, path := range gone {
		rel, err := filepath.Rel(b.own, path)
		if err != nil || !filepath.IsLocal(rel) {
			continue
		}
		if err := root.Remove(rel); err != nil && !errors.Is(err, os.ErrNotExist) {
			return gone, fmt.Errorf("take the document away: %w", err)
		}
		if err := b.Changed(ctx, path); err != nil {
			return gone, err
		}
	}
	return gone, nil
}

// documentLine is a document as the command line shows it.
func documentLine(i library.Item) cli.Document {
	d := cli.Document{Document: i.Name, Path: i.Path, State: string(i.State), Progress: i.Done, Title: i.Title, Kind: i.Kind, Pages: i.Pages, Passages: i.Chunks,
		Partial: i.Partial, Bytes: i.Bytes, Changed: i.Modified, Same: i.Same}
	if i.State == library.Broken {
		d.Why = i.Why
	}
	if i.State == library.Gone {
		d.State = "removed"
	}
	return d
}
