package library

import (
	"context"
	"fmt"
	"time"
)

const (
	batchMost   = 64                    // documents that are stored at once
	batchChunks = 2000                  // passages, after which no more documents are waited for
	batchWait   = 15 * time.Millisecond // for the next one
)

// keepAll stores what was read until the readers are done. Each transaction costs a disk its rest, so that documents that
// come quickly share one.
func (l *Library) keepAll(ctx context.Context, read <-chan Reading) error {
	var next *Reading
	for {
		if next == nil {
			r, ok := <-read
			if !ok {
				return nil
			}
			next = &r
		}
		batch := []Reading{*next}
		size := len(next.Chunks)
		next = nil
		timer := time.NewTimer(batchWait)
	gather:
		for len(batch) < batchMost && size < batchChunks {
			select {
			case r, ok := <-read:
				if !ok {
					break gather
				}
				batch, size = append(batch, r), size+len(r.Chunks)
			case <-timer.C:
				break gather
			}
		}
		timer.Stop()
		if err := l.keep(ctx, batch); err != nil {
			for _, r := range batch {
				l.again(r.Document.Path)
			}
			return err
		}
	}
}

// keep stores documents. Those that went meanwhile are not, nor those that could not be opened have a text.
func (l *Library) keep(ctx context.Context, batch []Reading) error {
	l.keeps.Lock()
	defer l.keeps.Unlock()
	var whole []Reading
	var bare []Document
	l.mu.Lock()
	for _, r := range batch {
		e := l.entries[r.Document.Path]
		switch {
		case e == nil || e.Away:
		case r.Text.ID != 0 && l.texts[r.Text.ID] == nil: // its twin went meanwhile, and the text with it
			e.doing = resting
			l.await(r.Document.Path, e)
		case r.Text.Hash == "":
			bare = append(bare, r.Document)
		default:
			whole = append(whole, r)
		}
	}
	l.mu.Unlock()
	if len(whole) > 0 {
		kept, err := l.c.Rows.PutReadings(ctx, whole...)
		if err != nil {
			return fmt.Errorf("keeping documents: %w", err)
		}
		for _, r := range kept {
			l.rest(r)
		}
	}
	if len(bare) > 0 {
		kept, err := l.c.Rows.PutDocuments(ctx, bare...)
		if err != nil {
			return fmt.Errorf("keeping documents: %w", err)
		}
		for _, d := range kept {
			l.rest(Reading{Document: d})
		}
	}
	return l.tidy(ctx)
}

// tidy drops texts that lost their last name to another content.
func (l *Library) tidy(ctx context.Context) error {
	l.mu.Lock()
	idle := l.idle
	l.idle = false
	l.mu.Unlock()
	if !idle {
		return nil
	}
	if err := l.c.Rows.DropIdleTexts(ctx); err != nil {
		return fmt.Errorf("forgetting old texts: %w", err)
	}
	l.slab.stale()
	return nil
}

// rest takes into account that a document is kept.
func (l *Library) rest(r Reading) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if r.Text.ID != 0 {
		t := r.Text
		l.texts[t.ID] = &t
		l.hashes[t.Hash] = t.ID
	}
	select {
	case l.fresh <- struct{}{}:
	default:
	}
	e := l.enter(r.Document)
	redo := e.redo
	e.doing, e.done, e.redo = resting, 0, false
	l.tell(r.Document.Path, e)
	if redo {
		e.Modified = time.Time{}
		l.notice(r.Document.Path)
	}
}
