package depot

import (
	"errors"
	"path"
	"slices"
)

// Errors that callers ask for.
var (
	ErrUnknown = errors.New("the catalogue has no model")
	ErrFull    = errors.New("the disk is too full")
	ErrSmall   = errors.New("this machine has too little memory")
	ErrWrong   = errors.New("what came is not the file that was wanted")
	ErrAbsent  = errors.New("not in the depot")
	ErrTaken   = errors.New("something else lies there")
)

// Task is what a model is for.
type Task string

// Tasks.
const (
	STT   Task = "stt"   // hearing
	VAD   Task = "vad"   // telling speech from noise
	Wake  Task = "wake"  // wake words
	TTS   Task = "tts"   // speaking
	LLM   Task = "llm"   // thinking
	Embed Task = "embed" // finding by meaning
	Tool  Task = "tool"  // programs that run the others
)

var tasks = []Task{STT, VAD, Wake, TTS, LLM, Embed, Tool}

// Catalogue is what can be had.
type Catalogue struct {
	Models []Model `toml:"model"`
}

// Model is one thing that can be had, in one or several files.
type Model struct {
	Name      string   `toml:"name"`
	Task      Task     `toml:"task"`
	About     string   `toml:"about"`     // one sentence
	Licence   string   `toml:"licence"`   // SPDX where there is one
	Terms     string   `toml:"terms"`     // what else to know of the licence
	Home      string   `toml:"home"`      // page that tells of it
	Languages []string `toml:"languages"` // "en", "de"; "*" for many
	Memory    int64    `toml:"memory"`    // bytes while in use, estimated; on the graphics card where it runs there
	Platforms []string `toml:"platforms"` // "windows/amd64"; none: all
	Card      string   `toml:"card"`      // "nvidia" or "any": which graphics card a program is made for; "" for none
	Files     []File   `toml:"file"`
}

// File is one file of a model.
type File struct {
	Path        string   `toml:"path"`        // where it lies in the folder of models, with slashes; of an archive: its name
	Size        int64    `toml:"size"`        // bytes
	Approximate bool     `toml:"approximate"` // the size is not exact
	SHA256      string   `toml:"sha256"`      // computed from the file itself; "" where nobody of ours has seen it
	Stated      string   `toml:"stated"`      // what others state in its stead
	StatedBy    string   `toml:"stated_by"`   // who they are
	URLs        []string `toml:"urls"`        // the preferred first
	Unpack      string   `toml:"unpack"`      // an archive's folder in the data folder; "" keeps the file as it is
}

// Verified is whether every file is known by a hash that was computed from it.
func (m Model) Verified() bool {
	return !slices.ContainsFunc(m.Files, func(f File) bool { return f.SHA256 == "" })
}

// Size is what is downloaded, in bytes; exact is whether every part of the sum is.
func (m Model) Size() (bytes int64, exact bool) {
	exact = true
	for _, f := range m.Files {
		bytes += f.Size
		exact = exact && !f.Approximate
	}
	return bytes, exact
}

// Speaks is whether a model knows a language.
func (m Model) Speaks(language string) bool {
	return len(m.Languages) == 0 || slices.Contains(m.Languages, "*") || slices.Contains(m.Languages, language)
}

func (m Model) runsOn(platform string) bool {
	return len(m.Platforms) == 0 || slices.Contains(m.Platforms, platform)
}

// unpacked is whether the model is programs in a folder of their own, and its name.
func (m Model) unpacked() (folder string, ok bool) {
	if len(m.Files) == 0 || m.Files[0].Unpack == "" {
		return "", false
	}
	return m.Files[0].Unpack, true
}

// id names a file in the book's pins.
func (m Model) id(f File) string { return m.Name + "/" + path.Base(f.Path) }

// place is where a file that is kept as it is lies in the data folder.
func (f File) place() string { return path.Join("models", f.Path) }

// most is how many bytes of the file are taken at the utmost.
func (f File) most() int64 {
	if f.Approximate {
		return 2*f.Size + 1<<20
	}
	return f.Size
}
