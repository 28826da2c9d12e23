package router

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/solo-assistant/solo/models"
)

// embedding is the Work of Embed in events and in the ledger.
const embedding models.Work = "embedding"

// route is an engine and a model of it, "" where the engine chooses.
type route struct {
	*place
	model string
}

func (t route) cloud() bool { return t.Cloud(t.model) }

func (t route) String() string {
	if t.model == "" {
		return t.Name()
	}
	return t.Name() + "/" + t.model
}

// known is a kind of work that a route is kept for.
func known(w models.Work) models.Work {
	switch w {
	case models.Planning, models.Summarizing, models.Coding, models.Deep, embedding:
		return w
	}
	return models.Quick
}

// choose reads the settings into routes.
func (r *Router) choose() error {
	var errs []error
	read := func(setting, text string, otherwise route) route {
		if text == "" {
			return otherwise
		}
		to, ok := r.parse(text)
		if !ok {
			errs = append(errs, fmt.Errorf("%s is %q, but there is no such engine; %s", setting, text, r.there()))
		}
		return to
	}
	var first route
	if len(r.engines) > 0 {
		first = route{r.engines[0], ""}
	}
	first = read("default", r.c.Default, first)
	for w, text := range map[models.Work]string{
		models.Quick: r.c.Quick, models.Planning: r.c.Planning, models.Summarizing: r.c.Summarizing,
		models.Coding: r.c.Coding, models.Deep: r.c.Deep, embedding: r.c.Embedding,
	} {
		r.routes[w] = read(string(w), text, first)
	}
	for _, text := range r.c.Fallback {
		if to := read("fallback", text, route{}); to.place != nil {
			r.backup = append(r.backup, to)
		}
	}
	slices.SortFunc(errs, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return errors.Join(errs...)
}

// parse reads "engine" or "engine/model". Names of models may hold slashes, those of engines do not.
func (r *Router) parse(text string) (route, bool) {
	name, model, _ := strings.Cut(strings.TrimSpace(text), "/")
	e := r.engine(name)
	return route{e, model}, e != nil
}

func (r *Router) engine(name string) *place {
	for _, e := range r.engines {
		if e.Name() == name {
			return e
		}
	}
	return nil
}

func (r *Router) there() string {
	if len(r.engines) == 0 {
		return "none is set up"
	}
	var names []string
	for _, e := range r.engines {
		names = append(names, e.Name())
	}
	return "there are " + strings.Join(names, ", ")
}

// chain is whom to try for a request, the best first. A request that names its model ("model" of the engine chosen for
// its work, or "engine/model") has no second choice.
func (r *Router) chain(q models.Request) []route {
	to := r.routes[known(q.Work)]
	if to.place == nil {
		return nil
	}
	if q.Model != "" {
		return []route{r.named(to, q.Model)}
	}
	chain := []route{to}
	for _, b := range r.backup {
		if !slices.Contains(chain, b) {
			chain = append(chain, b)
		}
	}
	return chain
}

// named is the route to a model that the asker chose.
func (r *Router) named(to route, model string) route {
	if other, ok := r.parse(model); ok {
		return other
	}
	return route{to.place, model}
}
