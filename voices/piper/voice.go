package piper

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/solo-assistant/solo/voices"
)

// Installed is a voice whose two files are there.
type Installed struct {
	Name     string // "en_US-lessac-medium"
	Lang     string // BCP 47: "en-US"
	Quality  string // "x_low", "low", "medium", "high" or ""
	Rate     int    // samples per second
	Speakers []string
	Path     string // of the .onnx file
	Bytes    int64

	speaker int     // chosen by find, -1 for the voice's own
	stretch float64 // how long it makes its sounds, 1 for most
	ids     map[string]int
}

// longestHead bounds the description that is read of a voice: those of real ones have 5 to 30 kB.
const longestHead = 1 << 20

// Installed lists the voices, by name. What cannot be read is left out.
func (e *Engine) Installed() []Installed { return e.conf.installed() }

func (c Config) installed() []Installed {
	var list []Installed
	seen := map[string]bool{}
	for _, dir := range c.folders() {
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue
		}
		for _, entry := range entries {
			name, ok := strings.CutSuffix(entry.Name(), ".onnx")
			if !ok || name == "" || seen[name] {
				continue
			}
			if v, err := read(filepath.Join(dir, entry.Name())); err == nil {
				seen[name] = true
				list = append(list, v)
			}
		}
	}
	slices.SortFunc(list, func(a, b Installed) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// read reads the description that lies beside a voice.
func read(path string) (Installed, error) {
	v := Installed{Name: strings.TrimSuffix(filepath.Base(path), ".onnx"), Path: path, speaker: -1}
	model, err := os.Stat(path)
	if err != nil {
		return v, err
	}
	v.Bytes = model.Size()
	info, err := os.Stat(path + ".json")
	if err != nil {
		return v, err
	}
	if info.Size() > longestHead || !info.Mode().IsRegular() {
		return v, fmt.Errorf("%s.json is too large for a voice's description", path)
	}
	text, err := os.ReadFile(path + ".json")
	if err != nil {
		return v, err
	}
	return v, v.describe(text)
}

// describe takes over what the description says.
func (v *Installed) describe(text []byte) error {
	var d struct {
		Audio struct {
			Rate    int    `json:"sample_rate"`
			Quality string `json:"quality"`
		} `json:"audio"`
		Espeak struct {
			Voice string `json:"voice"`
		} `json:"espeak"`
		Language struct {
			Code string `json:"code"`
		} `json:"language"`
		Inference struct {
			Length float64 `json:"length_scale"`
		} `json:"inference"`
		Speakers int            `json:"num_speakers"`
		IDs      map[string]int `json:"speaker_id_map"`
	}
	if err := json.Unmarshal(text, &d); err != nil {
		return fmt.Errorf("the description of %s: %w", v.Name, err)
	}
	if d.Audio.Rate < 8000 || d.Audio.Rate > 48000 {
		return fmt.Errorf("the description of %s: %d samples per second", v.Name, d.Audio.Rate)
	}
	v.Rate, v.Quality = d.Audio.Rate, d.Audio.Quality
	v.Lang = strings.ReplaceAll(cmp.Or(d.Language.Code, d.Espeak.Voice), "_", "-")
	if lang, region, ok := strings.Cut(v.Lang, "-"); ok && len(region) == 2 {
		v.Lang = lang + "-" + strings.ToUpper(region)
	}
	v.stretch = cmp.Or(d.Inference.Length, 1)
	if !(v.stretch > 0.1 && v.stretch < 10) {
		v.stretch = 1
	}
	v.ids = d.IDs
	v.Speakers = slices.SortedFunc(maps.Keys(d.IDs), func(a, b string) int { return cmp.Or(cmp.Compare(d.IDs[a], d.IDs[b]), strings.Compare(a, b)) })
	if v.Speakers == nil && d.Speakers > 1 {
		for i := range min(d.Speakers, 10000) {
			v.Speakers = append(v.Speakers, strconv.Itoa(i))
		}
	}
	return nil
}

// Voices lists the voices that Synthesize knows by name.
func (e *Engine) Voices() []voices.Voice {
	var list []voices.Voice
	for _, v := range e.conf.installed() {
		list = append(list, voices.Voice{ID: "piper/" + v.Name, Lang: v.Lang})
	}
	return list
}

// find looks a voice up by its name, with or without a speaker; "" is the first voice.
func (e *Engine) find(name string) (Installed, error) {
	if name == "" {
		return e.first()
	}
	name, speaker, chosen := strings.Cut(name, "#")
	for _, dir := range e.conf.folders() {
		if name == "" || name != filepath.Base(name) {
			break
		}
		v, err := read(filepath.Join(dir, name+".onnx"))
		if err != nil {
			continue
		}
		if !chosen {
			return v, nil
		}
		return v.by(speaker)
	}
	return Installed{}, fmt.Errorf("no voice %q; solo voices list tells which there are", name)
}

// by is the voice with one of its speakers, by name or number.
func (v Installed) by(speaker string) (Installed, error) {
	id, ok := v.ids[speaker]
	if !ok {
		n, err := strconv.Atoi(speaker)
		if err != nil || n < 0 || n >= max(1, len(v.Speakers)) {
			return v, fmt.Errorf("the voice %s has no speaker %q; it has %d", v.Name, speaker, max(1, len(v.Speakers)))
		}
		id = n
	}
	v.speaker = id
	return v, nil
}

// Default is the name of the voice that a Phrase without one means, "" where there is none.
func (e *Engine) Default() string {
	v, err := e.first()
	if err != nil {
		return ""
	}
	return v.Name
}

// rank orders voices by how well they sound at a cost that every processor can bear.
var rank = map[string]int{"medium": 4, "high": 3, "low": 2, "x_low": 1}

// first is the voice that speaks where none was chosen: the configured one, else the best English one.
func (e *Engine) first() (Installed, error) {
	if e.conf.First != "" {
		if v, err := e.find(e.conf.First); err == nil { // it may be another engine's
			return v, nil
		}
	}
	var best Installed
	grade := -1
	for _, v := range e.conf.installed() {
		g := rank[v.Quality]
		if strings.HasPrefix(v.Lang, "en") {
			g += 10
		}
		if g > grade {
			best, grade = v, g
		}
	}
	if grade < 0 {
		return best, ErrNoVoice
	}
	return best, nil
}
