package ollama

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/solo-assistant/solo/models"
)

const mostShown = 64 // models whose context is asked for, one by one

// details are what the server tells of a model, in a list or alone.
type details struct {
	Name        string                     `json:"name"`
	Model       string                     `json:"model"`
	Digest      string                     `json:"digest"`
	Size        int64                      `json:"size"`
	GPU         int64                      `json:"size_vram"`
	Context     int                        `json:"context_length"`
	RemoteHost  string                     `json:"remote_host"`
	RemoteModel string                     `json:"remote_model"`
	Info        map[string]json.RawMessage `json:"model_info"`
	Able        []string                   `json:"capabilities"` // "completion", "embedding" ...
}

func (d details) remote() bool { return d.RemoteHost != "" || d.RemoteModel != "" }

// Models lists what the server has, with what is loaded and how much GPU memory that takes.
func (e *Engine) Models(ctx context.Context) ([]models.Info, error) {
	var have, loaded struct {
		Models []details `json:"models"`
	}
	if err := e.peer.Get(ctx, "/api/tags", &have); err != nil {
		return nil, err
	}
	if err := e.peer.Get(ctx, "/api/ps", &loaded); err != nil {
		return nil, err
	}
	running := map[string]details{}
	for _, d := range loaded.Models {
		running[named(d.Name)] = d
	}
	var infos []models.Info
	for i, d := range have.Models {
		infos = append(infos, e.info(ctx, d, running, i < mostShown))
	}
	return infos, nil
}

func (e *Engine) info(ctx context.Context, d details, running map[string]details, ask bool) models.Info {
	known := e.book.find(d.Name)
	switch {
	case d.remote():
		known = page{digest: d.Digest, remote: true}
		e.book.note(d.Name, known)
	case ask && (!known.known || known.digest != d.Digest):
		if p, err := e.show(ctx, d.Name, d.Digest); err == nil { // a list without its context is still a list
			known = p
		}
	}
	info := models.Info{ID: d.Name, Engine: e.cfg.Name, Bytes: d.Size, Cloud: e.Cloud(d.Name), Context: known.context}
	if e.cfg.Context > 0 && (info.Context == 0 || e.cfg.Context < info.Context) {
		info.Context = e.cfg.Context // what is asked for with every request
	}
	if r, on := running[named(d.Name)]; on {
		info.Loaded, info.GPU = true, r.GPU
		if e.cfg.Context == 0 && r.Context > 0 {
			info.Context = r.Context
		}
	}
	return info
}

// show asks about one model.
func (e *Engine) show(ctx context.Context, model, digest string) (page, error) {
	var d details
	if err := e.peer.Post(ctx, "/api/show", map[string]any{"model": model}, &d); err != nil {
		return page{}, err
	}
	p := page{known: true, digest: digest, remote: d.remote(), embeds: slices.Contains(d.Able, "embedding") && !slices.Contains(d.Able, "completion")}
	for key, value := range d.Info {
		if strings.HasSuffix(key, ".context_length") {
			_ = json.Unmarshal(value, &p.context) // 0 when it is no number: not known
		}
	}
	e.book.note(model, p)
	return p, nil
}
