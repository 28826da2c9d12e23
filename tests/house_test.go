// Package tests holds the checks that cross packages: the plan of the house, whole turns, chaos.
package tests

import (
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

const module = "github.com/solo-assistant/solo/"

// floors, lowest first. A package imports only packages on lower floors. "x/*" is every room below x
// that has no place of its own.
var floors = [][]string{
	ground:  {"core", "bus", "audio", "audio/fourier", "models", "models/gpu", "core/supervise", "core/config", "core/proc", "core/when", "core/words", "core/rank", "core/autostart", "core/sandbox", "core/store/rows"},
	wordy:   {"voices", "core/event", "models/internal/*", "voices/internal/*"},
	engines: {"audio/device", "audio/echo", "audio/checkup", "audio/codec", "audio/wake/*", "audio/vad/*", "audio/stt/*", "audio/endpoint/*", "voices/*", "models/*"},
	parts: {"audio/listen", "voices/speak", "core/dialog", "core/intent", "core/mind", "core/agent", "core/tool", "core/memory", "core/task",
		"core/schedule", "core/document", "core/library", "core/job", "core/consent", "core/routine", "core/brief", "core/project",
		"core/notify"},
	doors: {"core/tool/*", "core/channel/*", "core/store", "core/vector/*", "core/backup", "dashboard"},
	roof:  {"cmd/*", "scripts/*", "tests"},
}

const (
	ground  = iota // words and mechanisms
	wordy          // words made of words
	engines        // what Solo hears, thinks and speaks with
	parts          // what Solo does
	doors          // and drawers
	roof           // only here engines are known by name
)

// exceptions are the imports that the rules do not let through, each with its reason.
var exceptions = map[[2]string]string{
	{"models/llama", "models/openai"}: "llama-server answers the OpenAI API",
}

// plain rooms are vocabulary: standard library only.
var plain = []string{"audio", "models", "voices", "core/event"}

// empty names say nothing about a package's job.
var empty = []string{"util", "utils", "common", "helper", "helpers", "misc", "shared", "base", "lib"}

const longestFile = 400 // lines, tests and generated code apart

func TestHouse(t *testing.T) {
	for _, p := range inspect(os.DirFS("..")) {
		t.Error(p)
	}
}

// An exception says why it is one.
func TestExceptionsStateAReason(t *testing.T) {
	for pair, why := range exceptions {
		if why == "" || floorOf(pair[0]) < 0 || floorOf(pair[1]) < 0 {
			t.Errorf("%v: %q", pair, why)
		}
	}
}

func TestFloors(t *testing.T) {
	for name, want := range map[string]int{
		"bus": ground, "models": ground, "models/gpu": ground, "models/ollama": engines, "core/store": doors, "core/store/rows": ground,
		"core/store/rows/gen": ground, "core/tool": parts, "core/tool/clock": doors, "voices": wordy, "voices/speak": parts,
		"voices/flite": engines, "audio/stt/sphinx": engines, "audio/wake/porcupine/internal/unpack": engines, "tests/corpus": roof,
		"cmd/solo": roof, "core/attic": -1, "attic": -1, "audio/stt": -1,
	} {
		if got := floorOf(name); got != want {
			t.Errorf("%s is on floor %d, want %d", name, got, want)
		}
	}
}

// sound is a small house without a fault.
func sound() fstest.MapFS {
	return fstest.MapFS{
		"go.mod":                                 file("module " + module),
		"bus/bus.go":                             pkg("bus carries facts"),
		"bus/more.go":                            file("package bus\n"),
		"bus/bus_test.go":                        pkg("bus", "core/dialog", "github.com/kelindar/event"),
		"audio/audio.go":                         pkg("audio holds words"),
		"audio/stt/sphinx/sphinx.go":             pkg("sphinx hears orders", "audio", "audio/stt/sphinx/internal/dict"),
		"audio/stt/sphinx/internal/dict/dict.go": pkg("dict reads dictionaries"),
		"audio/stt/stttest/suite.go":             pkg("stttest tests recognisers", "audio", "audio/stt/sphinx"),
		"core/dialog/dialog.go":                  pkg("dialog conducts a turn", "bus", "core/event", "github.com/rs/zerolog"),
		"core/event/event.go":                    pkg("event holds facts"),
		"core/store/store.go":                    pkg("store keeps rows", "core/dialog", "core/store/rows"),
		"core/store/rows/rows.go":                pkg("rows opens the database", "core/store/rows/gen"),
		"core/store/rows/gen/big.go":             generated(pkg("gen"), 1000),
		"core/doc.go":                            pkg("core is a map"),
		"cmd/solo/main.go":                       command("solo is the assistant", "core/dialog", "audio/stt/sphinx"),
		"core/bad/testdata/x.go":                 file("not Go"),
		".tools/x.go":                            file("not Go"),
		"third/go.mod":                           file("module elsewhere"),
		"third/x.go":                             file("not Go"),
		"models/llama/llama.go":                  pkg("llama runs llama-server", "models/openai"),
		"models/openai/openai.go":                pkg("openai speaks the OpenAI API"),
	}
}

// A planted fault of each kind is found, and nothing else.
func TestInspectFindsPlantedFaults(t *testing.T) {
	for name, tt := range map[string]struct {
		file string
		text *fstest.MapFile
		want string
	}{
		"nothing":            {"docs/x.md", file("hello"), ""},
		"upwards":            {"bus/bad.go", body("bus", "core/event"), "bus/bad.go imports core/event, which is not below it"},
		"behind a build tag": {"bus/bad_plan9.go", file("//go:build neverever\n\npackage bus\nimport _ \"" + module + "core/event\"\n"), "bus/bad_plan9.go imports core/event, which is not below it"},
		"part to part":       {"core/dialog/bad.go", body("dialog", "core/memory"), "core/dialog/bad.go imports core/memory, which is not below it"},
		"part to engine":     {"core/dialog/bad.go", body("dialog", "audio/stt/sphinx"), "core/dialog/bad.go names the engine audio/stt/sphinx; ask for an interface"},
		"door to engine":     {"core/store/bad.go", body("store", "voices/flite"), "core/store/bad.go names the engine voices/flite; ask for an interface"},
		"engine to engine":   {"audio/stt/sphinx/bad.go", body("sphinx", "audio/vad/webrtc"), "audio/stt/sphinx/bad.go imports audio/vad/webrtc, which is not below it"},
		"not the exception":  {"models/openai/bad.go", body("openai", "models/llama"), "models/openai/bad.go imports models/llama, which is not below it"},
		"another's insides":  {"audio/vad/webrtc/vad.go", pkg("webrtc finds speech", "audio/stt/sphinx/internal/dict"), "audio/vad/webrtc/vad.go imports audio/stt/sphinx/internal/dict, which is not below it"},
		"a suite in earnest": {"audio/stt/sphinx/bad.go", body("sphinx", "audio/stt/stttest"), "audio/stt/sphinx/bad.go imports audio/stt/stttest, which is for tests"},
		"no such room":       {"bus/bad.go", body("bus", "attic"), "bus/bad.go imports attic, which has no floor in this house"},
		"no floor":           {"core/attic/attic.go", pkg("attic keeps old things"), "core/attic has no floor in this house"},
		"no doc":             {"core/memory/memory.go", file("package memory\n"), "core/memory does not say its job"},
		"no job":             {"core/memory/memory.go", pkg("memory"), "core/memory does not say its job"},
		"wrong doc":          {"core/memory/memory.go", file("// Memories are kept here.\npackage memory\n"), `core/memory/memory.go: a package's doc begins "// Package memory ..."`},
		"a command's doc":    {"cmd/tool/main.go", file("// Package main does things.\npackage main\n"), `cmd/tool/main.go: a command's doc begins "// Command tool ..."`},
		"vague":              {"audio/vad/util/util.go", pkg("util does this and that"), "audio/vad/util: the name says nothing about its job"},
		"vague package":      {"core/task/task.go", pkg("helpers does this and that"), "core/task: the name helpers says nothing about its job"},
		"too long":           {"bus/bad.go", long(file("package bus\n"), 401), "bus/bad.go has 401 lines, more than 400"},
		"long test":          {"bus/bad_test.go", long(file("package bus\n"), 401), ""},
		"stranger in words":  {"audio/bad.go", body("audio", "github.com/rs/zerolog"), "audio/bad.go imports github.com/rs/zerolog; words need the standard library only"},
		"core is a map":      {"core/more.go", file("package core\n"), "core/more.go: core itself holds only doc.go"},
		"no Go":              {"bus/bad.go", file("hello"), "bus/bad.go:1:1: expected 'package', found hello"},
	} {
		t.Run(name, func(t *testing.T) {
			house := sound()
			house[tt.file] = tt.text
			got := strings.Join(inspect(house), "\n")
			if got != tt.want {
				t.Errorf("\n got %s\nwant %s", got, tt.want)
			}
		})
	}
}

func file(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }

// pkg is a file of a package whose doc is given, which imports packages of ours and of others.
func pkg(doc string, imports ...string) *fstest.MapFile {
	name, _, _ := strings.Cut(doc, " ")
	f := body(name, imports...)
	f.Data = slices.Concat([]byte("// Package "+doc+".\n"), f.Data)
	return f
}

func command(doc string, imports ...string) *fstest.MapFile {
	f := body("main", imports...)
	f.Data = slices.Concat([]byte("// Command "+doc+".\n"), f.Data)
	return f
}

func body(name string, imports ...string) *fstest.MapFile {
	text := "package " + name + "\n"
	for _, i := range imports {
		if !strings.Contains(i, ".") {
			i = module + i
		}
		text += "import _ \"" + i + "\"\n"
	}
	return file(text)
}

func long(f *fstest.MapFile, lines int) *fstest.MapFile {
	f.Data = append(f.Data, strings.Repeat("\n", lines-1)...)
	return f
}

func generated(f *fstest.MapFile, lines int) *fstest.MapFile {
	f.Data = slices.Concat([]byte("// Code generated by a tool. DO NOT EDIT.\n\n"), f.Data)
	return long(f, lines)
}
