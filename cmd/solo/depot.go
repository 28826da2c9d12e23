package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/solo-assistant/solo/core/channel/cli"
	"github.com/solo-assistant/solo/models"
	"github.com/solo-assistant/solo/models/depot"
	"github.com/solo-assistant/solo/models/gpu"
	"golang.org/x/term"
)

// depot makes the keeper of models. The user's own catalogue is models.toml in the config folder.
func (a *app) depot() (*depot.Depot, error) {
	d, err := depot.New(depot.Config{Settings: a.settings.Depot, Data: a.home.data, Own: filepath.Join(a.home.config, "models.toml"), Log: a.part("depot")})
	if err != nil {
		return nil, &cli.Failure{Code: "catalogue", Hint: "mend it and try again", Exit: cli.ExitUsage, Err: err}
	}
	return d, nil
}

// hardware is what there is to run models on.
func hardware(ctx context.Context) depot.Machine {
	m := depot.Machine{RAM: depot.Memory()}
	r := gpu.New(gpu.Config{})
	defer r.Close()
	cards, err := r.Cards(ctx)
	if err != nil {
		return m // no card that we can ask
	}
	for _, c := range cards {
		m.Card, m.NVIDIA = max(m.Card, c.MemTotal), true
	}
	return m
}

// depotFailure tells the exit of a command what went wrong in the depot.
func depotFailure(err error) error {
	for _, k := range []struct {
		err        error
		code, hint string
	}{
		{depot.ErrUnknown, "unknown", "solo models list --catalogue tells the names; names of Ollama's library look like qwen3:4b"},
		{depot.ErrSmall, "memory", "--anyway fetches it all the same"},
		{depot.ErrFull, "disk", "make room, and the same command goes on"},
		{depot.ErrWrong, "wrong", ""},
		{depot.ErrTaken, "occupied", ""},
		{depot.ErrAbsent, "absent", ""},
		{context.Canceled, "interrupted", "the same command goes on"},
	} {
		if errors.Is(err, k.err) {
			return &cli.Failure{Code: k.code, Hint: k.hint, Err: err}
		}
	}
	return err
}

// stocked is a model of the depot as the command line shows it.
func stocked(i depot.Item, m depot.Machine) cli.Stocked {
	bytes, exact := i.Size()
	s := cli.Stocked{Name: i.Name, Task: string(i.Task), About: i.About, Licence: i.Licence, Terms: i.Terms, Languages: i.Languages, Bytes: bytes, Approximate: !exact,
		Memory: i.Memory, State: "absent", Kept: i.Bytes, Known: string(i.Known), Fits: m.Fits(i.Model), Gone: i.Gone}
	switch {
	case i.Here:
		s.State = "here"
	case i.Hurt:
		s.State = "damaged"
	case i.Part > 0:
		s.State = "part"
	}
	if s.Known == "" {
		s.Known = "unverified"
		if i.Verified() {
			s.Known = "verified"
		}
	}
	return s
}

// Shelf tells what the depot keeps, or with all what it could fetch.
func (a *app) Shelf(ctx context.Context, all bool, tell cli.Tell) error {
	d, err := a.depot()
	if err != nil {
		return err
	}
	items, err := d.Items()
	if err != nil {
		return err
	}
	m := hardware(ctx)
	for _, i := range items {
		if all || i.Here || i.Hurt || i.Part > 0 {
			tell(stocked(i, m))
		}
	}
	return nil
}

// PullModels fetches models of the catalogue, and leaves to Ollama what looks like a name of its library. One that
// fails does not keep the rest from coming.
func (a *app) PullModels(ctx context.Context, o cli.Pull, tell cli.Tell) error {
	d, err := a.depot()
	if err != nil {
		return err
	}
	m := hardware(ctx)
	for _, name := range o.Names {
		err := a.pullOne(ctx, d, m, name, o, tell)
		if ctx.Err() != nil || len(o.Names) == 1 {
			return err
		}
		if err != nil {
			tell(cli.Fail(err)) // which also makes the command fail
		}
	}
	return nil
}

func (a *app) pullOne(ctx context.Context, d *depot.Depot, m depot.Machine, name string, o cli.Pull, tell cli.Tell) error {
	if _, err := d.Model(name); errors.Is(err, depot.ErrUnknown) {
		return a.pullElsewhere(ctx, name, err, tell)
	}
	every := byStep(tell)
	out, err := d.Pull(ctx, depot.Order{Name: name, Machine: m, Anyway: o.Anyway, Renew: o.Renew, Report: every})
	if err != nil {
		return depotFailure(err)
	}
	tell(cli.Fetched{Model: name, Already: out.Already, Bytes: out.Fetched, Saved: out.Saved, Paths: out.Places, Notes: out.Notes})
	return nil
}

// pullElsewhere asks Ollama for what the catalogue does not have.
func (a *app) pullElsewhere(ctx context.Context, name string, unknown error, tell cli.Tell) error {
	err := a.PullModel(ctx, name, tell)
	if f, ok := errors.AsType[*cli.Failure](err); ok && f.Code == "unreachable" && !strings.ContainsAny(name, ":/") {
		return depotFailure(fmt.Errorf("%w, and %w", unknown, f.Err))
	}
	return err
}

const tellAgain = 15 * time.Second // of a download that creeps

// byStep tells every change of state, each twentieth part of a file, and something from time to time.
func byStep(tell cli.Tell) func(depot.Progress) {
	var last depot.Progress
	var at time.Time
	return func(p depot.Progress) {
		step := func(p depot.Progress) int64 { return 20 * p.Done / max(1, p.Total) }
		if p.File == last.File && p.State == last.State && p.Note == last.Note && step(p) == step(last) && time.Since(at) < tellAgain {
			return
		}
		last, at = p, time.Now()
		left := cli.Seconds(p.Left)
		if p.Left < 0 {
			left = cli.Seconds(-time.Second)
		}
		tell(cli.Fetching{Model: p.Model, File: p.File, State: string(p.State), Done: p.Done, Total: p.Total, Speed: p.Speed, Left: left, Note: p.Note})
	}
}

// errUnsound says that a file of the depot is not what it was.
var errUnsound = &cli.Failure{Code: "unsound", Hint: "solo models pull NAME fetches it again", Err: errors.New("not all files are sound")}

// VerifyModels computes the hashes of models again.
func (a *app) VerifyModels(ctx context.Context, names []string, tell cli.Tell) error {
	d, err := a.depot()
	if err != nil {
		return err
	}
	sound := true
	err = d.Verify(ctx, names, func(f depot.Finding) {
		sound = sound && f.Trouble == ""
		tell(cli.Checked{Model: f.Model, Path: f.Path, Known: string(f.Known), Trouble: f.Trouble})
	})
	if err != nil {
		return depotFailure(err)
	}
	if !sound {
		return errUnsound
	}
	return nil
}

// RemoveModels takes models away.
func (a *app) RemoveModels(ctx context.Context, names []string, yes bool, tell cli.Tell) error {
	d, err := a.depot()
	if err != nil {
		return err
	}
	items, err := d.Items()
	if err != nil {
		return err
	}
	var going []depot.Litter
	for _, name := range names {
		found := false
		for _, i := range items {
			if i.Name == name && (i.Here || i.Hurt || i.Gone) {
				going, found = append(going, depot.Litter{What: "model", Name: name, Bytes: i.Bytes}), true
			}
		}
		if !found {
			return depotFailure(fmt.Errorf("%s is %w", name, depot.ErrAbsent))
		}
	}
	return a.remove(ctx, d, going, yes, tell)
}

// PruneModels takes away what nobody needs.
func (a *app) PruneModels(ctx context.Context, yes bool, tell cli.Tell) error {
	d, err := a.depot()
	if err != nil {
		return err
	}
	going, err := d.Litter()
	if err != nil {
		return err
	}
	if len(going) == 0 {
		tell(cli.Note{Text: "There is nothing that nobody needs."})
		return nil
	}
	return a.remove(ctx, d, going, yes, tell)
}

func (a *app) remove(ctx context.Context, d *depot.Depot, going []depot.Litter, yes bool, tell cli.Tell) error {
	if !yes {
		for _, l := range going {
			tell(cli.Removed{What: l.What, Name: l.Name, Bytes: l.Bytes})
		}
		if !askedAtTerminal("Remove that? Type yes or no: ") {
			tell(cli.Note{Text: "Nothing was removed; --yes removes without asking."})
			return nil
		}
	}
	for _, l := range going {
		freed, err := d.Prune(ctx, l)
		if err != nil {
			return depotFailure(err)
		}
		tell(cli.Removed{What: l.What, Name: l.Name, Bytes: freed, Done: true})
	}
	return nil
}

// askedAtTerminal asks a person; where none sits there, the answer is no.
func askedAtTerminal(question string) bool {
	if !term.IsTerminal(int(os.Stdin.Fd())) || !term.IsTerminal(int(os.Stdout.Fd())) {
		return false
	}
	fmt.Print(question)
	return agreed()
}

// Setup proposes what fits this machine, and fetches it when that is wanted.
func (a *app) Setup(ctx context.Context, o cli.Setup, tell cli.Tell) error {
	d, err := a.depot()
	if err != nil {
		return err
	}
	m := hardware(ctx)
	switch {
	case o.Card < 0:
		m.Card, m.NVIDIA = 0, false
	case o.Card > 0:
		m.Card, m.NVIDIA = int64(o.Card)*depot.GiB, true
	}
	p, err := a.proposal(ctx, d, m, o.Language)
	if err != nil {
		return err
	}
	tell(p)
	var names []string
	for _, s := range p.Models {
		if s.State != "here" {
			names = append(names, s.Name)
		}
	}
	switch {
	case len(names) == 0:
		tell(cli.Note{Text: "All of it is there."})
		return nil
	case o.Dry:
		return nil
	case !o.Yes && !askedAtTerminal("Download that now? Type yes or no: "):
		tell(cli.Note{Text: "Nothing was downloaded; solo setup --yes downloads without asking."})
		return nil
	}
	return a.PullModels(ctx, cli.Pull{Names: names}, tell)
}

func (a *app) proposal(ctx context.Context, d *depot.Depot, m depot.Machine, language string) (cli.Proposed, error) {
	items, err := d.Items()
	if err != nil {
		return cli.Proposed{}, err
	}
	chosen := d.Propose(m, language, a.programs(ctx, items))
	p := cli.Proposed{For: chosen.For, Lacks: chosen.Lacks, Folder: a.home.weights(), Free: d.Room()}
	for _, c := range chosen.Models {
		for _, i := range items {
			if i.Name != c.Name {
				continue
			}
			s := stocked(i, m)
			if s.State != "here" {
				p.Missing += max(0, s.Bytes-i.Part)
			}
			p.Models = append(p.Models, s)
		}
	}
	return p, nil
}

// programs are those that are there already and did not come from the depot.
func (a *app) programs(ctx context.Context, items []depot.Item) map[string]bool {
	has := map[string]bool{}
	for _, name := range []string{"whisper-server", "piper"} {
		_, err := exec.LookPath(name)
		has[name] = err == nil
	}
	if s, err := a.llama(nil); err == nil {
		_, err := s.Find(ctx)
		has["llama-server"] = !errors.Is(err, models.ErrAbsent)
	}
	for _, i := range items {
		if i.Here && i.Task == depot.Tool {
			for name := range has {
				if strings.HasPrefix(i.Name, name) {
					has[name] = false // proposed, and shown to be here
				}
			}
		}
	}
	return has
}
