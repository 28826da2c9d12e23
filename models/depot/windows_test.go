package depot

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/solo-assistant/solo/core/proc"
)

// layouts are the official archives for Windows as their makers pack them: which files matter and where they lie. What
// a finder looks into is what it gives to proc.Unpacked.
var layouts = map[string]struct {
	program string
	inner   []string
	archive map[string][]string // the name's beginning -> what it holds
}{
	"llama-server-cuda":   {"llama-server", []string{"", "bin"}, map[string][]string{"llama-": {"llama-server.exe", "ggml-cuda.dll"}, "cudart-": {"cublas64_12.dll", "cudart64_12.dll"}}},
	"llama-server-vulkan": {"llama-server", []string{"", "bin"}, map[string][]string{"llama-": {"llama-server.exe", "ggml-vulkan.dll"}}},
	"llama-server-cpu":    {"llama-server", []string{"", "bin"}, map[string][]string{"llama-": {"llama-server.exe", "llama-quantize.exe"}}},
	"whisper-server-cuda": {"whisper-server", []string{"", "bin", "Release"}, map[string][]string{"whisper-": {"Release/whisper-server.exe", "Release/ggml-cuda.dll"}}},
	"whisper-server-cpu":  {"whisper-server", []string{"", "bin", "Release"}, map[string][]string{"whisper-": {"Release/whisper-server.exe", "Release/ggml-cpu.dll"}}},
	"piper":               {"piper", []string{"", "piper", "bin"}, map[string][]string{"piper_": {"piper/piper.exe", "piper/espeak-ng-data/phontab"}}},
}

var sha256Form = regexp.MustCompile(`^[0-9a-f]{64}$`)

// programsOfWindows are the programs of the built-in catalogue for Windows.
func programsOfWindows(t *testing.T) (list []Model) {
	t.Helper()
	d, err := New(Config{Data: t.TempDir(), Platform: "windows/amd64"})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range d.Models() {
		if m.Task == Tool {
			list = append(list, m)
		}
	}
	return list
}

// The catalogue has every program for Windows, each from a release that does not change, with its size and its sum.
func TestProgramsOfWindowsAreComplete(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range programsOfWindows(t) {
		seen[m.Name] = true
		layout, ok := layouts[m.Name]
		if !ok {
			t.Errorf("%s: nothing is known of its archive", m.Name)
			continue
		}
		for _, f := range m.Files {
			if !sha256Form.MatchString(f.Stated) || f.StatedBy == "" || f.Approximate || f.Size < 1_000_000 {
				t.Errorf("%s: size or sum of %s", m.Name, f.Path)
			}
			for _, u := range f.URLs {
				if !regexp.MustCompile(`^https://github\.com/[^/]+/[^/]+/releases/download/[^/]+/` + regexp.QuoteMeta(f.Path) + `$`).MatchString(u) {
					t.Errorf("%s: %s is no file of a release", m.Name, u)
				}
			}
			if !strings.HasPrefix(f.Unpack, strings.TrimSuffix(layout.program, "-server")) {
				t.Errorf("%s: nobody looks into %s", m.Name, f.Unpack)
			}
		}
		if len(m.Files) != len(layout.archive) {
			t.Errorf("%s: %d archives, not %d", m.Name, len(m.Files), len(layout.archive))
		}
	}
	for name := range layouts {
		if !seen[name] {
			t.Errorf("%s is not in the catalogue", name)
		}
	}
}

// Archives that are packed as the official ones come to lie where the finders look, the program beside its libraries.
func TestProgramsOfWindowsAreFound(t *testing.T) {
	for _, m := range programsOfWindows(t) {
		t.Run(m.Name, func(t *testing.T) {
			layout := layouts[m.Name]
			folder := t.TempDir()
			text := fmt.Sprintf("[[model]]\nname = %q\ntask = \"tool\"\nlicence = \"MIT\"\n", m.Name)
			for _, f := range m.Files {
				var things []thing
				for begin, names := range layout.archive {
					for _, n := range names {
						if strings.HasPrefix(f.Path, begin) {
							// A finder looks for the name of this system.
							things = append(things, thing{name: strings.Replace(n, layout.program+".exe", proc.Executable(layout.program), 1), text: n, mode: 0o755})
						}
					}
				}
				b := zipped(t, things...)
				if err := os.WriteFile(filepath.Join(folder, f.Path), b, 0o600); err != nil {
					t.Fatal(err)
				}
				text += fmt.Sprintf("[[model.file]]\npath = %q\nsize = %d\nsha256 = %q\nunpack = %q\nurls = [\"https://example.org/%s\"]\n", f.Path, len(b), sum(b), f.Unpack, f.Path)
			}
			r := newRig(t, text, func(c *Config) { c.Folder = folder })
			r.pull(m.Name)
			program := ""
			for _, path := range proc.Unpacked(r.conf.Data, strings.TrimSuffix(layout.program, "-server"), layout.program, layout.inner...) {
				if _, err := os.Stat(path); err == nil && program == "" {
					program = path
				}
			}
			if program == "" {
				t.Fatalf("%s was not found", layout.program)
			}
			for _, names := range layout.archive {
				for _, n := range names {
					if strings.HasSuffix(n, ".dll") {
						if _, err := os.Stat(filepath.Join(filepath.Dir(program), filepath.Base(n))); err != nil {
							t.Errorf("%s does not lie beside the program: %v", n, err)
						}
					}
				}
			}
		})
	}
}
