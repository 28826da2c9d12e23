// Command bill writes what a built Solo is made of: the licences of its modules, or a bill of materials in CycloneDX.
package main

import (
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

func main() {
	licences := flag.String("licences", "", "folder for the licences of all modules that a package needs")
	sbom := flag.String("sbom", "", "file for the bill of materials of a built program")
	flag.Parse()
	err := errors.New("usage: bill -licences FOLDER PACKAGE, or bill -sbom FILE PROGRAM")
	switch {
	case flag.NArg() != 1:
	case *licences != "":
		err = writeLicences(*licences, flag.Arg(0))
	case *sbom != "":
		err = writeBill(*sbom, flag.Arg(0))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bill:", err)
		os.Exit(1)
	}
}

// module is what go list says of one.
type module struct {
	Path, Version, Dir string
	Main               bool
}

// modules are those that a package needs on all systems that Solo is handed out for.
func modules(pkg string) ([]module, error) {
	found := map[string]module{}
	for _, system := range []string{"linux", "windows"} {
		cmd := exec.Command("go", "list", "-deps", "-tags", "sphinx", "-f", "{{with .Module}}{{.Path}}\t{{.Version}}\t{{.Dir}}\t{{.Main}}{{end}}", pkg)
		cmd.Env = append(os.Environ(), "GOOS="+system, "GOARCH=amd64", "CGO_ENABLED=1")
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		for line := range strings.Lines(string(out)) {
			if f := strings.Split(strings.TrimSpace(line), "\t"); len(f) == 4 && f[3] == "false" {
				found[f[0]] = module{Path: f[0], Version: f[1], Dir: f[2]}
			}
		}
	}
	var list []module
	for _, m := range found {
		list = append(list, m)
	}
	slices.SortFunc(list, func(a, b module) int { return strings.Compare(a.Path, b.Path) })
	return list, nil
}

// licenceFile is how projects call theirs.
var licenceFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|copyright|unlicense)([-.].*)?$`)

// writeLicences copies every module's own words into one file a module, and Go's.
func writeLicences(folder, pkg string) error {
	list, err := modules(pkg)
	if err != nil {
		return err
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return fmt.Errorf("go env: %w", err)
	}
	list = append(list, module{Path: "go", Dir: strings.TrimSpace(string(root))})
	for _, m := range list {
		entries, err := os.ReadDir(m.Dir)
		if err != nil {
			return err
		}
		text := m.Path + " " + m.Version + "\n"
		for _, e := range entries {
			if !e.Type().IsRegular() || !licenceFile.MatchString(e.Name()) {
				continue
			}
			words, err := os.ReadFile(filepath.Join(m.Dir, e.Name()))
			if err != nil {
				return err
			}
			text += "\n--- " + e.Name() + " ---\n\n" + string(words)
		}
		if !strings.Contains(text, "---") {
			words, ok := elsewhere[m.Path]
			if !ok {
				return fmt.Errorf("%s has no licence in its folder", m.Path)
			}
			text += "\n" + words + "\n"
		}
		name := strings.ReplaceAll(m.Path, "/", "_") + ".txt"
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil { //nolint:gosec // for all to read
			return err
		}
	}
	return nil
}

// elsewhere are the licences of modules that hold none themselves.
var elsewhere = map[string]string{
	"github.com/Picovoice/porcupine/binding/go": "Apache License 2.0, as https://github.com/Picovoice/porcupine/blob/master/LICENSE says: http://www.apache.org/licenses/LICENSE-2.0",
}

// component is one part in CycloneDX 1.5.
type component struct {
	Type       string     `json:"type"`
	Name       string     `json:"name"`
	Version    string     `json:"version,omitempty"`
	PURL       string     `json:"purl,omitempty"`
	Properties []property `json:"properties,omitempty"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// inside are the parts that are no Go modules but lie inside some, or are linked or packed with the program.
var inside = []component{
	{Type: "library", Name: "miniaudio", Properties: []property{{"solo:in", "github.com/gen2brain/malgo"}}},
	{Type: "library", Name: "Porcupine", Version: "1.9.0", Properties: []property{{"solo:in", "github.com/Picovoice/porcupine/binding/go"}}},
	{Type: "library", Name: "SQLite", Properties: []property{{"solo:in", "modernc.org/sqlite"}}},
	{Type: "library", Name: "PDFium", Properties: []property{{"solo:in", "github.com/klippa-app/go-pdfium"}}},
	{Type: "library", Name: "pocketsphinx", Properties: []property{{"solo:in", "the library beside the program, or linked"}}},
	{Type: "machine-learning-model", Name: "pocketsphinx-en-us"},
}

func writeBill(path, program string) error {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return err
	}
	var parts []component
	for _, m := range info.Deps {
		c := component{Type: "library", Name: m.Path, Version: m.Version, PURL: "pkg:golang/" + m.Path + "@" + m.Version}
		if m.Sum != "" {
			c.Properties = []property{{"go:sum", m.Sum}}
		}
		parts = append(parts, c)
	}
	parts = append(parts, component{Type: "library", Name: "std", Version: info.GoVersion, PURL: "pkg:golang/std@" + strings.TrimPrefix(info.GoVersion, "go")})
	if len(info.Deps) > 0 {
		parts = append(parts, inside...)
	}
	text, err := json.MarshalIndent(map[string]any{
		"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
		"metadata":   map[string]any{"component": component{Type: "application", Name: info.Path, Version: info.Main.Version}},
		"components": parts,
	}, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(text, '\n'), 0o644) //nolint:gosec // for all to read
}
