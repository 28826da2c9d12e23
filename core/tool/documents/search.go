package documents

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/solo-assistant/solo/core/library"
	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/core/words"
	"github.com/solo-assistant/solo/models"
)

// Library finds passages in the documents that are kept; *library.Library is one.
type Library interface {
	Search(ctx context.Context, question string, k int) ([]library.Hit, error)
	List(ctx context.Context) ([]library.Item, error)
	// Places are the folders whose documents are kept.
	Places(ctx context.Context) []string
}

const (
	told     = 6    // passages that a model is given
	deep     = 200  // passages that are looked at for those of one document
	fitting  = 0.34 // of the question's weight that a passage must hold, to be read out
	readOut  = 320  // bytes of a passage that are read out
	namedOut = 5    // documents that are named aloud
)

type searchArgs struct {
	Text     string `json:"text" jsonschema:"what to look for, in the words that a document would use" limits:"1..2000"`
	Document string `json:"document,omitempty" jsonschema:"name or part of the name of the only document to look in" limits:"0..300"`
}

// finding is a passage as a model is given it.
type finding struct {
	Document string `json:"document"`
	Page     int    `json:"page"`
	Heading  string `json:"heading,omitempty"`
	Text     string `json:"text"`
}

// findings are what was found. Source names the files and pages, for who shows where an answer comes from.
type findings struct {
	Passages []finding `json:"passages"`
	Source   string    `json:"source"`
	Note     string    `json:"note,omitempty"`
}

func (d documents) search(ctx context.Context, a searchArgs) (models.Result, error) {
	items, err := d.Library.List(ctx)
	if err != nil {
		return models.Result{}, err
	}
	if len(items) == 0 {
		return tool.Said("You have given me no documents yet. Add a file or a folder with solo docs add, or on the dashboard."), nil
	}
	hits, err := d.hits(ctx, a, items)
	switch {
	case errors.Is(err, library.ErrNothing):
		return tool.Said("I don't understand what to look for in your documents."), nil
	case errors.Is(err, errNoName):
		return tool.Said("I have no document called %s.", a.Document), nil
	case err != nil:
		return models.Result{}, fmt.Errorf("searching documents: %w", err)
	case len(hits) == 0:
		return tool.Said("I found nothing about that in your documents."), nil
	}
	f := findings{}
	var sources []string
	for _, h := range hits[:min(len(hits), told)] {
		f.Passages = append(f.Passages, finding{h.Document, h.Page, h.Heading, h.Text})
		if s := sourceOf(h); !slices.Contains(sources, s) {
			sources = append(sources, s)
		}
	}
	f.Source = strings.Join(sources, "; ")
	if waits := slices.ContainsFunc(items, func(i library.Item) bool { return i.State == library.Waiting || i.State == library.Busy }); waits {
		f.Note = "some documents are still being read"
	}
	return tool.With(tool.Said("%s", aloud(hits[0], a.Text)), f), nil
}

var errNoName = errors.New("no document of that name")

// hits searches all documents, or those that a name means.
func (d documents) hits(ctx context.Context, a searchArgs, items []library.Item) ([]library.Hit, error) {
	if strings.TrimSpace(a.Document) == "" {
		hits, err := d.Library.Search(ctx, a.Text, told)
		return fit(hits), err
	}
	meant := called(items, a.Document)
	if len(meant) == 0 { // the name may only say what it is about
		hits, err := d.Library.Search(ctx, a.Document+" "+a.Text, told)
		if hits = fit(hits); err == nil && len(hits) == 0 {
			err = errNoName
		}
		return hits, err
	}
	hits, err := d.Library.Search(ctx, a.Text, deep)
	return slices.DeleteFunc(hits, func(h library.Hit) bool { return !meant[h.Path] }), err
}

// fit leaves out all, where even the best holds too little of what was asked.
func fit(hits []library.Hit) []library.Hit {
	if slices.ContainsFunc(hits, func(h library.Hit) bool { return h.Cover >= fitting || h.Near }) {
		return hits
	}
	return nil
}

// called are the paths of the documents that a name means.
func called(items []library.Item, name string) map[string]bool {
	names := make([]string, len(items))
	for i, it := range items {
		names[i] = spaced(strings.TrimSuffix(it.Name, path.Ext(it.Name)))
		if it.Title != "" && !strings.Contains(names[i], it.Title) {
			names[i] += " " + it.Title
		}
	}
	var asked []string
	for _, w := range words.Fold(name) {
		if !slices.Contains(plain, w) {
			asked = append(asked, w)
		}
	}
	out := map[string]bool{}
	for _, at := range tool.Pick(strings.Join(asked, " "), names) {
		out[items[at].Path] = true
		for _, other := range items { // the same content answers under each of its names
			if slices.Contains(items[at].Same, other.Name) {
				out[other.Path] = true
			}
		}
	}
	return out
}

func sourceOf(h library.Hit) string {
	if h.Pages > 1 {
		return fmt.Sprintf("%s, page %d", h.Document, h.Page)
	}
	return h.Document
}

// aloud reads the best of a passage out, with its file and page.
func aloud(h library.Hit, question string) string {
	where := "In " + path.Base(h.Document)
	if h.Pages > 1 {
		where += fmt.Sprintf(", page %d", h.Page)
	}
	gist := h.Gist(question, readOut)
	if !strings.ContainsAny(gist[max(0, len(gist)-3):], ".!?…") {
		gist += "."
	}
	return where + ": " + gist
}

type listArgs struct{}

// listing is what a model is given of the documents.
type listing struct {
	Documents []listed `json:"documents"`
	LeftOut   int      `json:"left_out,omitempty"`
}

type listed struct {
	Name  string `json:"name"`
	Title string `json:"title,omitempty"`
	Kind  string `json:"kind,omitempty"`
	Pages int    `json:"pages,omitempty"`
	State string `json:"state"`
	Why   string `json:"why,omitempty"`
}

const listMost = 100

func (d documents) list(ctx context.Context, _ listArgs) (models.Result, error) {
	items, err := d.Library.List(ctx)
	if err != nil {
		return models.Result{}, err
	}
	if len(items) == 0 {
		return tool.Said("You have given me no documents yet. Add a file or a folder with solo docs add, or on the dashboard."), nil
	}
	slices.SortStableFunc(items, func(a, b library.Item) int { return b.Modified.Compare(a.Modified) })
	l := listing{LeftOut: max(0, len(items)-listMost)}
	var names []string
	broken, waits := 0, 0
	for i, it := range items {
		switch it.State {
		case library.Broken:
			broken++
		case library.Waiting, library.Busy:
			waits++
		}
		if i < listMost {
			l.Documents = append(l.Documents, listed{it.Name, it.Title, it.Kind, it.Pages, string(it.State), it.Why})
		}
		if len(names) < namedOut {
			names = append(names, path.Base(it.Name))
		}
	}
	say := fmt.Sprintf("You have %s: %s.", tool.Count(len(items), "document"), strings.Join(names, ", "))
	if more := len(items) - len(names); more > 0 {
		say = fmt.Sprintf("You have %s, the newest are %s.", tool.Count(len(items), "document"), strings.Join(names, ", "))
	}
	if waits > 0 {
		say += fmt.Sprintf(" I still have to read %d of them.", waits)
	}
	if broken > 0 {
		say += fmt.Sprintf(" I couldn't read %d of them.", broken)
	}
	return tool.With(tool.Said("%s", say), l), nil
}
