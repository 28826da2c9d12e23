package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/solo-assistant/solo/audio/device"
	"github.com/solo-assistant/solo/audio/stt/sphinx"
	"github.com/solo-assistant/solo/audio/vad/webrtc"
	"github.com/solo-assistant/solo/audio/wake/porcupine"
	"github.com/solo-assistant/solo/core/channel/cli"
	"github.com/solo-assistant/solo/core/store/rows"
	"github.com/solo-assistant/solo/models/gpu"
	"github.com/solo-assistant/solo/voices/espeak"
	"github.com/solo-assistant/solo/voices/flite"
)

// errUnfit says that Solo cannot hold a spoken conversation on this machine yet.
var errUnfit = &cli.Failure{Code: "unfit", Hint: "mend what is missing above", Err: errors.New("Solo cannot hold a spoken conversation here yet")}

// Doctor tells of each engine whether it was found, and how to mend what is missing.
func (a *app) Doctor(ctx context.Context, tell cli.Tell) error {
	fit := true
	for _, e := range []struct {
		needed bool
		cli.Engine
	}{
		{true, a.examineWake()}, {true, a.examineVAD()}, {false, a.examineSilero()}, {true, a.examineRecogniser(ctx)},
		{false, a.examineWhisper(ctx)}, {false, a.examineTurns()},
		{false, a.examinePiper(ctx)}, {false, examineSystemVoice(ctx)}, {false, ofLinux(examineFlite(ctx))}, {false, ofLinux(examineEspeak(ctx))}, {true, a.examineVoice()},
		{false, a.examineMicrophone(ctx)}, {false, examineDevice(device.Playback, "loudspeaker")},
		{false, a.examineEcho(ctx)},
		{false, a.examineKeys(ctx)}, {true, a.examineRows(ctx)},
		{false, a.examineLlama(ctx)}, {false, a.examineOllama(ctx)}, {false, a.examineClouds()}, {false, examineCards(ctx)},
		{false, a.examineMeaning(ctx)}, {false, a.examineFit(ctx)},
	} {
		if e.Name == "" {
			continue // not of this system
		}
		tell(e.Engine)
		fit = fit && (e.Found || !e.needed)
	}
	if !fit {
		return errUnfit
	}
	return nil
}

// examined fills in what an error means: it ends in "; how to mend it" where there is a way.
func examined(job, name, version string, err error) cli.Engine {
	e := cli.Engine{Job: job, Name: name, Version: version, Found: err == nil}
	if err != nil {
		missing, mend, _ := strings.Cut(err.Error(), "; ")
		e.Missing, e.Mend = missing, strings.TrimPrefix(strings.TrimPrefix(mend, "on Debian: "), "get one with: ")
	}
	return e
}

func (a *app) examineWake() cli.Engine {
	d, err := a.newWake("")
	if err == nil {
		err = d.Close()
	}
	if a.settings.Wake.Engine == "own" {
		return examined("wake word", "own", strings.Join(a.ownPhrases(), ", "), err)
	}
	return examined("wake word", "porcupine", porcupine.Version()+" ("+a.wakeWord()+")", err)
}

func (a *app) examineVAD() cli.Engine {
	_, err := webrtc.New(webrtc.Config{})
	return examined("speech", "webrtc vad", "", err)
}

func (a *app) examineSilero() cli.Engine {
	if _, err := os.Stat(a.sileroWeights()); err != nil {
		return cli.Engine{Job: "speech", Name: "silero vad", Missing: "its weights are not at " + a.sileroWeights()}
	}
	_, err := a.newVAD()
	return examined("speech", "silero vad", "6.2", err)
}

func (a *app) examineRecogniser(ctx context.Context) cli.Engine {
	e, err := a.newRecogniser()
	if err == nil {
		err = e.Close()
	}
	return examined("recogniser", "pocketsphinx", sphinx.Version(), err)
}

func examineFlite(ctx context.Context) cli.Engine {
	e, err := flite.New()
	if err != nil {
		return examined("voice", "flite", "", err)
	}
	return examined("voice", "flite", e.Version(ctx), nil)
}

func examineEspeak(ctx context.Context) cli.Engine {
	e, err := espeak.New()
	if err != nil {
		return examined("voice", "espeak-ng", "", err)
	}
	return examined("voice", "espeak-ng", e.Version(ctx), nil)
}

func (a *app) examineVoice() cli.Engine {
	_, err := a.newVoice()
	return examined("voice", a.settings.Voice.Engine, "", err)
}

func examineDevice(k device.Kind, job string) cli.Engine {
	list, err := device.List(k)
	if err == nil && len(list) == 0 {
		err = fmt.Errorf("no %s was found: plug one in, or check that the sound server runs", job)
	}
	if err != nil {
		return examined("sound", job, "", err)
	}
	return examined("sound", job, fmt.Sprintf("%d found, %s first", len(list), list[0].Name), nil)
}

func (a *app) examineRows(ctx context.Context) cli.Engine {
	db, err := rows.Open(ctx, a.settings.Store)
	if err != nil {
		name := rows.SQLite
		if a.settings.Store.DSN != "" {
			name = rows.Postgres
		}
		return examined("rows", string(name), "", err)
	}
	defer db.Close()
	have, _, err := db.Version(ctx)
	return examined("rows", string(db.Engine()), fmt.Sprintf("schema %d at %s", have, db.Path()), errors.Join(err, db.Check(ctx)))
}

// Config shows every effective setting.
func (a *app) Config(_ context.Context, tell cli.Tell) error {
	for _, v := range a.report {
		tell(cli.Setting{Key: v.Key, Value: v.Value, From: v.From})
	}
	return nil
}

// Logs shows the log.
func (a *app) Logs(ctx context.Context, follow bool, w io.Writer) error {
	return tail(ctx, a.home.log(), follow, w)
}

// Zone is the user's time zone.
func (a *app) Zone(context.Context) (string, error) {
	z, err := a.settings.zone()
	if err != nil {
		return "", err
	}
	return z.String(), nil
}

func (a *app) examineLlama(ctx context.Context) cli.Engine {
	s, err := a.llama(nil)
	if err != nil {
		return examined("thinking", "llama-server", "", err)
	}
	f, err := s.Find(ctx)
	e := examined("thinking", "llama-server", fmt.Sprintf("%s with %s, %d of %d layers on the graphics card", f.Version, f.ID, f.Layers, f.Blocks), err)
	if f.Trouble != "" {
		e.Version += "; " + f.Trouble
	}
	return e
}

func (a *app) examineOllama(ctx context.Context) cli.Engine {
	e, err := a.ollama()
	version := ""
	if err == nil {
		ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
		defer cancel()
		if version, err = e.Found(ctx); err != nil {
			err = errors.New("no Ollama answers; ollama serve")
		}
	}
	return examined("thinking", "ollama", version, err)
}

// examineClouds tells which other servers are set up; none is asked.
func (a *app) examineClouds() cli.Engine {
	var set []string
	for _, o := range a.openAIs() {
		if o.BaseURL != "" && (!o.needsKey || o.Key.Reveal() != "") {
			set = append(set, o.Name)
		}
	}
	if a.settings.Anthropic.Key.Reveal() != "" {
		set = append(set, "anthropic")
	}
	if len(set) == 0 {
		return cli.Engine{Job: "thinking", Name: "other servers", Missing: "none is set up, and none is needed; server.base_url or a key sets one up"}
	}
	return cli.Engine{Job: "thinking", Name: "other servers", Found: true, Version: strings.Join(set, ", ")}
}

func examineCards(ctx context.Context) cli.Engine {
	r := gpu.New(gpu.Config{})
	defer r.Close()
	cards, err := r.Cards(ctx)
	var list []string
	for _, c := range cards {
		list = append(list, fmt.Sprintf("%s with %.1f of %.1f GB free", c.Name, float64(c.MemFree)/1e9, float64(c.MemTotal)/1e9))
	}
	return examined("thinking", "graphics card", strings.Join(list, ", "), err)
}
