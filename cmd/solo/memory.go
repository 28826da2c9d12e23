package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/solo-assistant/solo/core/channel/cli"
	"github.com/solo-assistant/solo/core/channel/local"
	"github.com/solo-assistant/solo/core/memory"
	"github.com/solo-assistant/solo/core/store"
	"github.com/solo-assistant/solo/core/store/rows"
)

// This file answers the commands about what Solo remembers: through the running Solo, or over the rows alone.

// remembering is what answers them.
type remembering struct{ m *memory.Memory }

func (r remembering) verbs() map[string]local.Verb {
	return map[string]local.Verb{
		"memory.add":    with(r.add),
		"memory.search": with(r.search),
		"memory.list":   with(r.list),
		"memory.forget": with(r.forget),
		"memory.import": with(r.imports),
	}
}

// memories asks whoever can answer about what Solo remembers.
func (a *app) memories(ctx context.Context, verb string, args any, each func(json.RawMessage) error) error {
	err := local.Call(ctx, a.home.data, verb, args, each)
	if !errors.Is(err, local.ErrNobody) {
		return err
	}
	db, err := rows.Open(ctx, a.settings.Store)
	if err != nil {
		return err
	}
	defer db.Close()
	user, err := db.User(ctx, owner)
	if err != nil {
		return err
	}
	text, err := json.Marshal(args)
	if err != nil {
		return err
	}
	r := remembering{memory.New(memory.Config{Rows: store.New(db, user).Memory(), Now: a.now, Log: a.part("memory")})}
	return r.verbs()[verb](ctx, text, func(v any) error {
		line, err := json.Marshal(v)
		if err != nil {
			return err
		}
		return each(line)
	})
}

// asLines tells each value of an answer as a line.
func asLines[T cli.Line](tell cli.Tell) func(json.RawMessage) error {
	return func(raw json.RawMessage) error {
		var line T
		if err := json.Unmarshal(raw, &line); err != nil {
			return fmt.Errorf("read the answer: %w", err)
		}
		tell(line)
		return nil
	}
}

func memoryLine(it memory.Item) cli.Remembered {
	r := cli.Remembered{ID: idOf(it), Kind: string(it.Kind), Text: it.Text, Source: sourceOf(it), Session: it.Session, At: it.At}
	if !it.Expires.IsZero() {
		r.Expires = &it.Expires
	}
	if !it.Replaced.IsZero() {
		r.Replaced = &it.Replaced
	}
	if it.Supersedes != 0 {
		r.Instead = json.RawMessage(strconv.FormatInt(it.Supersedes, 10))
	}
	return r
}

// idOf is the ID that a memory was imported under, or its number.
func idOf(it memory.Item) json.RawMessage {
	if json.Valid([]byte(it.Key)) {
		return json.RawMessage(it.Key)
	}
	return json.RawMessage(strconv.FormatInt(it.ID, 10))
}

// sourceOf is who said something, or where it was read, in a few words.
func sourceOf(it memory.Item) string {
	s := it.Source
	if s == "" {
		s = "import"
	}
	if it.Session != "" {
		s += " of " + strings.TrimPrefix(it.Session, "talk:")
	}
	return s
}

func (r remembering) add(ctx context.Context, a cli.Remember, tell func(any) error) error {
	it := memory.Item{Text: a.Text, Kind: memory.Kind(a.Kind), Session: a.Session, Source: "typed"}
	if a.For > 0 {
		it.Expires = time.Now().Add(a.For)
	}
	kept, err := r.m.Add(ctx, it)
	if err != nil {
		return err
	}
	return tell(memoryLine(kept))
}

func (r remembering) search(ctx context.Context, q typed, tell func(any) error) error {
	found, err := r.m.Search(ctx, q.Text, q.Last)
	if err != nil {
		return err
	}
	for _, f := range found {
		line := memoryLine(f.Item)
		line.Score = &f.Score
		if err := tell(line); err != nil {
			return err
		}
	}
	return nil
}

func (r remembering) list(ctx context.Context, o cli.MemoryList, tell func(any) error) error {
	var all []memory.Item
	for after := int64(0); ; {
		items, err := r.m.All(ctx, after, 2000)
		if err != nil {
			return err
		}
		for _, it := range items {
			after = it.ID
			if (o.Old || it.Replaced.IsZero()) && (o.Kind == "" || string(it.Kind) == o.Kind) {
				all = append(all, it)
			}
		}
		if len(items) < 2000 {
			break
		}
	}
	slices.SortStableFunc(all, func(a, b memory.Item) int { return b.At.Compare(a.At) })
	if o.Last > 0 && len(all) > o.Last {
		all = all[:o.Last]
	}
	for _, it := range all {
		if err := tell(memoryLine(it)); err != nil {
			return err
		}
	}
	return nil
}

// forgetting is what to forget; Dry only counts.
type forgetting struct {
	IDs   []string `json:"ids,omitempty"`
	About string   `json:"about,omitempty"`
	All   bool     `json:"all,omitempty"`
	Dry   bool     `json:"dry,omitempty"`
}

func (r remembering) forget(ctx context.Context, f forgetting, tell func(any) error) error {
	ids, err := r.meant(ctx, f)
	if err != nil {
		return err
	}
	if f.Dry || len(ids) == 0 {
		return tell(cli.Erased{Memories: len(ids)})
	}
	var total cli.Erased
	for part := range slices.Chunk(ids, 500) {
		e, err := r.m.EraseAbout(ctx, f.About, part...)
		if err != nil && !errors.Is(err, memory.ErrUnknown) { // it went as an older value of another
			return err
		}
		total.Memories += len(e.Items)
		total.Messages += e.Messages
		total.Talks += e.Talks
	}
	total.Done = true
	return tell(total)
}

// meant are the memories that a command names.
func (r remembering) meant(ctx context.Context, f forgetting) ([]int64, error) {
	var ids []int64
	switch {
	case f.All:
		for after := int64(0); ; {
			items, err := r.m.All(ctx, after, 2000)
			if err != nil || len(items) == 0 {
				return ids, err
			}
			for _, it := range items {
				after = it.ID
				ids = append(ids, it.ID)
			}
		}
	case f.About != "":
		items, err := r.m.Everything(ctx, f.About)
		for _, it := range items {
			ids = append(ids, it.ID)
		}
		return ids, err
	}
	for _, text := range f.IDs {
		it, err := r.named(ctx, text)
		if err != nil {
			return nil, err
		}
		ids = append(ids, it.ID)
	}
	return ids, nil
}

// named finds a memory by the ID that it was imported under, or its number.
func (r remembering) named(ctx context.Context, text string) (memory.Item, error) {
	var found []memory.Item
	quoted, _ := json.Marshal(text) // a string always marshals
	for _, key := range []string{string(quoted), text} {
		it, err := r.m.OfKey(ctx, key)
		if err == nil {
			found = append(found, it)
		} else if !errors.Is(err, memory.ErrUnknown) {
			return it, err
		}
	}
	if id, err := strconv.ParseInt(text, 10, 64); err == nil {
		items, err := r.m.Items(ctx, id)
		if err != nil {
			return memory.Item{}, err
		}
		for _, it := range items {
			if it.Key == "" {
				found = append(found, it)
			}
		}
	}
	switch len(found) {
	case 0:
		return memory.Item{}, fmt.Errorf("there is no memory %.60q; solo memory list tells their IDs", text)
	case 1:
		return found[0], nil
	}
	return memory.Item{}, fmt.Errorf("%.60q is the ID of two memories; solo memory forget --about TEXT tells them apart", text)
}

func (r remembering) imports(ctx context.Context, lines []memory.Item, tell func(any) error) error {
	n, err := r.m.Import(ctx, lines...)
	if err != nil {
		return err
	}
	return tell(cli.Imported{Added: n.Added, Changed: n.Changed, Same: n.Same})
}

// rememberVerbs are the verbs of this assistant's memory.
func (s *assistant) rememberVerbs(all map[string]local.Verb) {
	maps.Copy(all, remembering{s.memory}.verbs())
}

// AddMemory keeps something.
func (a *app) AddMemory(ctx context.Context, m cli.Remember, tell cli.Tell) error {
	if err := memoryKind(m.Kind); err != nil {
		return err
	}
	return a.memories(ctx, "memory.add", m, asLines[cli.Remembered](tell))
}

func memoryKind(kind string) error {
	if kind == "" || slices.Contains(memory.Kinds, memory.Kind(kind)) {
		return nil
	}
	return &cli.Failure{Code: "kind", Exit: cli.ExitUsage, Err: fmt.Errorf("%w, not %.40q", memory.ErrKind, kind)}
}

// SearchMemory tells what answers a question best.
func (a *app) SearchMemory(ctx context.Context, question string, k int, tell cli.Tell) error {
	return a.memories(ctx, "memory.search", typed{Text: question, Last: k}, asLines[cli.Remembered](tell))
}

// ListMemory tells what is remembered, the newest first.
func (a *app) ListMemory(ctx context.Context, o cli.MemoryList, tell cli.Tell) error {
	if err := memoryKind(o.Kind); err != nil {
		return err
	}
	return a.memories(ctx, "memory.list", o, asLines[cli.Remembered](tell))
}

// ForgetMemory forgets, after asking where that is more than one thing.
func (a *app) ForgetMemory(ctx context.Context, o cli.Forget, tell cli.Tell) error {
	f := forgetting{IDs: o.IDs, About: o.About, All: o.All, Dry: true}
	var would cli.Erased
	if err := a.memories(ctx, "memory.forget", f, asLines[cli.Erased](func(l cli.Line) { would = l.(cli.Erased) })); err != nil {
		return err
	}
	switch {
	case would.Memories == 0:
		tell(cli.Note{Text: "There is nothing to forget."})
		return nil
	case !o.Yes && (would.Memories > 1 || o.About != "" || o.All):
		tell(would)
		if !askedAtTerminal("Forget that for good? Type yes or no: ") {
			tell(cli.Note{Text: "Nothing was forgotten; --yes forgets without asking."})
			return nil
		}
	}
	f.Dry = false
	return a.memories(ctx, "memory.forget", f, asLines[cli.Erased](tell))
}

// exported is one line of an export and of an import.
type exported struct {
	ID         json.RawMessage `json:"id,omitempty"`
	Text       string          `json:"text"`
	Kind       string          `json:"kind,omitempty"`
	Session    json.RawMessage `json:"session,omitempty"`
	At         json.RawMessage `json:"at,omitempty"`
	Source     string          `json:"source,omitempty"`
	Expires    *time.Time      `json:"expires,omitempty"`
	Replaced   *time.Time      `json:"replaced,omitempty"`
	Confidence float64         `json:"confidence,omitempty"`
}

// ExportMemory writes all that is remembered, one object a line.
func (a *app) ExportMemory(ctx context.Context, to io.Writer) error {
	out := bufio.NewWriter(to)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	err := a.memories(ctx, "memory.list", cli.MemoryList{Old: true}, func(raw json.RawMessage) error {
		var r cli.Remembered
		if err := json.Unmarshal(raw, &r); err != nil {
			return err
		}
		line := exported{ID: r.ID, Text: r.Text, Kind: r.Kind, Source: strings.TrimSuffix(r.Source, " of "+strings.TrimPrefix(r.Session, "talk:")), Expires: r.Expires, Replaced: r.Replaced}
		line.At, _ = json.Marshal(r.At) // a time always marshals
		if r.Session != "" {
			line.Session, _ = json.Marshal(r.Session)
		}
		return enc.Encode(line)
	})
	return errors.Join(err, out.Flush())
}
