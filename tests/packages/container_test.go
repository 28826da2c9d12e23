package packages

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// inRepository are absolute paths of files in the repository.
func inRepository(t *testing.T, names ...string) (paths []string) {
	t.Helper()
	for _, n := range names {
		path, err := filepath.Abs(filepath.Join("..", "..", n))
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	return paths
}

func TestContainerFilesParse(t *testing.T) {
	for _, p := range parse(t, inRepository(t, "Dockerfile", "compose.yaml", ".goreleaser.yaml")...) {
		for _, e := range p.Errors {
			t.Errorf("%s:%d:%d: %s", p.File, e.Line, e.Column, e.What)
		}
	}
}

// The parsers do find what is wrong.
func TestContainerFaultsAreFound(t *testing.T) {
	var files []string
	for name, text := range map[string]string{
		"Dockerfile.run": "FROM debian\nRUNN x\n", "Dockerfile.copy": "FROM debian\nCOPY a\n", "twice.yaml": "a: 1\na: 2\n", "open.yaml": "a: [1\n", "tab.yaml": "a:\n\tb: 1\n",
	} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, path)
	}
	for _, p := range parse(t, files...) {
		if len(p.Errors) == 0 {
			t.Errorf("no fault in %s", filepath.Base(p.File))
		}
	}
}

// What linters of Dockerfiles ask for, as far as it is about this one.
func TestDockerfileIsSound(t *testing.T) {
	text, err := os.ReadFile("../../Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	joined := strings.ReplaceAll(string(text), "\\\n", " ")
	stages := map[string]bool{}
	var user, last string
	for line := range strings.Lines(joined) {
		words := strings.Fields(line)
		if len(words) < 2 || strings.HasPrefix(words[0], "#") {
			continue
		}
		switch last = words[0]; last {
		case "FROM":
			user = ""
			if image := words[1]; !strings.Contains(image, ":") || strings.HasSuffix(image, ":latest") {
				t.Errorf("%s has no fixed version", image)
			}
			if len(words) == 4 {
				stages[words[3]] = true
			}
		case "USER":
			user = words[1]
		case "ADD", "MAINTAINER":
			t.Errorf("%s is not used: %s", last, line)
		case "RUN":
			if strings.Contains(line, "apt-get install") && (!strings.Contains(line, "--no-install-recommends") || !strings.Contains(line, "rm -rf /var/lib/apt/lists")) {
				t.Errorf("apt-get leaves more behind than it should: %s", line)
			}
			if strings.Contains(line, "sudo ") || strings.Contains(line, "| sh") {
				t.Errorf("not in a Dockerfile: %s", line)
			}
		case "COPY":
			if from, ok := strings.CutPrefix(words[1], "--from="); ok && !stages[from] {
				t.Errorf("no stage %s: %s", from, line)
			} else if !ok {
				for _, source := range words[1 : len(words)-1] {
					if _, err := os.Stat(filepath.Join("../..", source)); err != nil {
						t.Errorf("COPY: %v", err)
					}
				}
			}
		case "ENTRYPOINT", "CMD":
			if !strings.HasPrefix(words[1], "[") {
				t.Errorf("signals do not reach what a shell starts: %s", line)
			}
		}
	}
	if user == "" || user == "root" {
		t.Errorf("Solo would run as root")
	}
	if !strings.Contains(joined, "HEALTHCHECK") {
		t.Error("no HEALTHCHECK")
	}
}

// compose is what Solo's file may hold.
type compose struct {
	Name     string
	Services map[string]struct {
		Image       string
		Build       string
		Ports       []string
		Volumes     []string
		Environment map[string]string
		DependsOn   map[string]struct{ Condition string } `json:"depends_on"`
		Healthcheck struct{ Test []string }
		SecurityOpt []string `json:"security_opt"`
		Privileged  bool
	}
	Volumes map[string]any
}

func TestComposeIsSound(t *testing.T) {
	p := parse(t, inRepository(t, "compose.yaml")...)[0]
	raw, err := json.Marshal(p.Data)
	if err != nil {
		t.Fatal(err)
	}
	var c compose
	if err := json.Unmarshal(raw, &c); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"solo", "ollama", "postgres"} {
		if c.Services[name].Image == "" {
			t.Errorf("no %s", name)
		}
	}
	named := regexp.MustCompile(`^([a-z]+):/`)
	for name, s := range c.Services {
		if image := s.Image; !strings.Contains(image, ":") || strings.HasSuffix(image, ":latest") {
			t.Errorf("%s: %s has no fixed version", name, image)
		}
		if s.Privileged || !slices.Contains(s.SecurityOpt, "no-new-privileges:true") {
			t.Errorf("%s has more rights than it needs", name)
		}
		for _, port := range s.Ports {
			if !strings.HasPrefix(port, "127.0.0.1:") {
				t.Errorf("%s: %s is open to other machines", name, port)
			}
		}
		for _, v := range s.Volumes {
			if m := named.FindStringSubmatch(v); m != nil {
				if _, ok := c.Volumes[m[1]]; !ok {
					t.Errorf("%s: no volume %s", name, m[1])
				}
			}
		}
		for other, how := range s.DependsOn {
			if on, ok := c.Services[other]; !ok || how.Condition == "service_healthy" && on.Healthcheck.Test == nil {
				t.Errorf("%s waits for %s in vain", name, other)
			}
		}
	}
	settings, err := os.ReadFile("../../.env.example")
	if err != nil {
		t.Fatal(err)
	}
	for key := range c.Services["solo"].Environment {
		if strings.HasPrefix(key, "SOLO_") && !strings.Contains(string(settings), "#"+key+"=") {
			t.Errorf("there is no setting %s", key)
		}
	}
}
