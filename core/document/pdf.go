package document

import (
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"sync"
	"time"

	"github.com/klippa-app/go-pdfium"
	pdferrors "github.com/klippa-app/go-pdfium/errors"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
	"github.com/klippa-app/go-pdfium/webassembly"
	"github.com/tetratelabs/wazero"
)

const (
	idle      = 2 * time.Minute // that the engine is kept after the last PDF
	pdfMemory = 512 << 20       // bytes, the most that a PDF may take
	wasmPage  = 64 << 10
)

// engine is PDFium, made when it is needed. Every document gets an instance of its own, so that none can harm the next.
type engine struct {
	once sync.Once
	busy chan struct{} // full while someone has what is below

	pool  pdfium.Pool
	kept  wazero.CompilationCache // nil for none
	timer *time.Timer
	reads int // begun
}

// enter waits until nobody else reads, or for the end of ctx.
func (e *engine) enter(ctx context.Context) error {
	e.once.Do(func() { e.busy = make(chan struct{}, 1) })
	select {
	case e.busy <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (e *engine) leave() { <-e.busy }

// read reads a PDF page by page until ctx ends.
func (e *engine) read(ctx context.Context, cache string, b *book, data []byte) error {
	if err := e.enter(ctx); err != nil {
		return err
	}
	defer e.leave()
	if err := e.wake(ctx, cache); err != nil {
		return err
	}
	defer e.rest()
	inst, err := e.pool.GetInstanceWithContext(ctx)
	if err != nil {
		return fmt.Errorf("starting the PDF engine: %w", err)
	}
	defer inst.Close()
	if err := bind(ctx, inst); err != nil {
		return err
	}
	return (&pdf{ctx, inst, b}).read(data)
}

// bind makes every call of the instance end with ctx. The library keeps the ctx of its calls in a field and offers no
// other way to end a call that does not come back.
func bind(ctx context.Context, inst pdfium.Pdfium) error {
	v := reflect.ValueOf(inst.GetImplementation())
	if v.Kind() == reflect.Pointer {
		if f := v.Elem().FieldByName("Context"); f.IsValid() && f.CanSet() && f.Type() == reflect.TypeFor[context.Context]() {
			f.Set(reflect.ValueOf(ctx))
			return nil
		}
	}
	return errors.New("starting the PDF engine: it cannot be bound to a time limit")
}

func (e *engine) wake(ctx context.Context, cache string) error {
	if e.reads++; e.timer != nil {
		e.timer.Stop()
	}
	if e.pool != nil {
		return nil
	}
	var err error
	if cache != "" {
		if e.kept, err = wazero.NewCompilationCacheWithDir(cache); err == nil {
			if e.pool, err = start(e.kept); err == nil {
				return nil
			}
			_ = e.kept.Close(ctx) // it is of no use: go without
		}
		e.kept = nil
	}
	if e.pool, err = start(nil); err != nil {
		return fmt.Errorf("starting the PDF engine: %w", err)
	}
	return nil
}

// runtimeConfig makes machine code of the engine; tests under the race detector do without, which would take them long.
var runtimeConfig = wazero.NewRuntimeConfig

func start(kept wazero.CompilationCache) (pdfium.Pool, error) {
	conf := runtimeConfig().WithCloseOnContextDone(true).WithMemoryLimitPages(pdfMemory / wasmPage)
	if kept != nil {
		conf = conf.WithCompilationCache(kept)
	}
	return webassembly.Init(webassembly.Config{
		MaxIdle: 1, MaxTotal: 1,
		FSConfig:      wazero.NewFSConfig(), // no files; the library's own choice is all of them
		RuntimeConfig: conf,
		Stdout:        io.Discard, Stderr: io.Discard,
	})
}

// rest frees the engine after a while, unless it was needed again.
func (e *engine) rest() {
	reads := e.reads
	e.timer = time.AfterFunc(idle, func() {
		_ = e.free(func() bool { return e.reads == reads }) // it is only memory
	})
}

func (e *engine) close() error { return e.free(func() bool { return true }) }

// free lets the engine go, if that is still wanted once nobody reads.
func (e *engine) free(wanted func() bool) error {
	if err := e.enter(context.Background()); err != nil {
		return err
	}
	defer e.leave()
	if !wanted() {
		return nil
	}
	if e.timer != nil {
		e.timer.Stop()
		e.timer = nil
	}
	if e.pool == nil {
		return nil
	}
	err := e.pool.Close()
	e.pool = nil
	if e.kept != nil {
		err = errors.Join(err, e.kept.Close(context.Background()))
		e.kept = nil
	}
	return err
}

// pdf is one document in the engine.
type pdf struct {
	ctx  context.Context
	inst pdfium.Pdfium
	*book
}

func (p *pdf) read(data []byte) error {
	opened, err := p.inst.OpenDocument(&requests.OpenDocument{File: &data})
	if err != nil {
		return p.problem(err)
	}
	doc := opened.Document
	count, err := p.inst.FPDF_GetPageCount(&requests.FPDF_GetPageCount{Document: doc})
	if err != nil {
		return p.problem(err)
	}
	if count.PageCount == 0 {
		return fmt.Errorf("%w: it has no pages", ErrBroken)
	}
	p.Total = count.PageCount
	if meta, err := p.inst.FPDF_GetMetaText(&requests.FPDF_GetMetaText{Document: doc, Tag: "Title"}); err == nil {
		p.Title = meta.Value
	}
	return p.pages(doc)
}

// pages reads all pages. One that is broken is left out, unless all are.
func (p *pdf) pages(doc references.FPDF_DOCUMENT) error {
	var broken error
	good := 0
	outline := p.outline(doc)
	for i := range p.Total {
		if p.number >= p.limits.Pages {
			p.Cut = true
			break
		}
		text, err := p.text(doc, i)
		switch {
		case p.ctx.Err() != nil:
			return context.Cause(p.ctx)
		case err != nil:
			broken = p.problem(err)
		default:
			good++
			for _, h := range outline[i] {
				p.head(h.level, h.text)
			}
			if err := p.write(text); err != nil {
				return nil // enough; close ends the page
			}
		}
		p.turn()
	}
	if good == 0 {
		return broken
	}
	return nil
}

// text is a page's text. The library's own GetPageText asks for each letter alone, which takes ten times as long.
func (p *pdf) text(doc references.FPDF_DOCUMENT, page int) (string, error) {
	opened, err := p.inst.FPDFText_LoadPage(&requests.FPDFText_LoadPage{Page: requests.Page{ByIndex: &requests.PageByIndex{Document: doc, Index: page}}})
	if err != nil {
		return "", err
	}
	text := opened.TextPage
	defer p.inst.FPDFText_ClosePage(&requests.FPDFText_ClosePage{TextPage: text}) //nolint:errcheck // the instance goes soon
	count, err := p.inst.FPDFText_CountChars(&requests.FPDFText_CountChars{TextPage: text})
	if err != nil || count.Count <= 0 {
		return "", err
	}
	most := min(count.Count, p.limits.Text-p.bytes+1)
	got, err := p.inst.FPDFText_GetText(&requests.FPDFText_GetText{TextPage: text, Count: most})
	if err != nil {
		return "", err
	}
	text8 := strings.ToValidUTF8(strings.TrimRight(got.Text, "\x00"), "\ufffd")
	return strings.ReplaceAll(text8, "\t", " "), nil // some programs write tabs for spaces
}

func (p *pdf) problem(err error) error {
	switch {
	case p.ctx.Err() != nil:
		return context.Cause(p.ctx)
	case errors.Is(err, pdferrors.ErrPassword), errors.Is(err, pdferrors.ErrSecurity):
		return fmt.Errorf("%w: %w", ErrEncrypted, err)
	}
	return fmt.Errorf("%w: %w", ErrBroken, err)
}
