//go:build unix && !darwin

package apps_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/core/tool/apps"
	"github.com/solo-assistant/solo/models"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// desk is a desktop with programs; what is started is noted.
type desk struct {
	conf    apps.Config
	started []apps.Command
	fails   error
}

func desktop(t *testing.T, entries map[string]string) *desk {
	t.Helper()
	dir := t.TempDir()
	for name, text := range entries {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	d := &desk{}
	d.conf = apps.Config{Folders: []string{filepath.Join(dir, "user"), filepath.Join(dir, "all")},
		Getenv: func(v string) string { return map[string]string{"DISPLAY": ":0"}[v] },
		Start:  func(c apps.Command) error { d.started = append(d.started, c); return d.fails }}
	return d
}

func (d *desk) run(t *testing.T, name string, args map[string]string) (models.Result, error) {
	t.Helper()
	d.started = nil
	for _, x := range apps.Tools(d.conf) {
		if x.Spec().Name == name {
			return x.Run(t.Context(), tool.CallOf(name, args).Arguments)
		}
	}
	t.Fatalf("there is no %s", name)
	return models.Result{}, nil
}

func entry(name, exec string, more ...string) string {
	return "# made by a test\n[Desktop Entry]\nType=Application\nName=" + name + "\nExec=" + exec + "\n" + strings.Join(more, "\n") + "\n[Desktop Action new]\nName=Nonsense\nExec=false\n"
}

func TestOpen(t *testing.T) {
	d := desktop(t, map[string]string{
		"all/firefox.desktop":        entry("Firefox Web Browser", "sh %u", "GenericName=Web Browser", "Name[de]=Feuerfuchs", "Icon=fox"),
		"all/writer.desktop":         entry("LibreOffice Writer", "sh --writer %U", "GenericName=Word Processor", "Path=/tmp"),
		"all/calc.desktop":           entry("LibreOffice Calc", "sh --calc %U"),
		"all/org/files.desktop":      entry("Files", `sh "a \"b\" \\$x" 100%% --class=%c %i %k %f`, "Icon=files"),
		"all/htop.desktop":           entry("Htop", "sh", "Terminal=true"),
		"all/hidden.desktop":         entry("Hidden Thing", "sh", "NoDisplay=true"),
		"all/link.desktop":           "[Desktop Entry]\nType=Link\nName=A Link\nURL=https://x\n",
		"all/gone.desktop":           entry("Gone Away", "no-such-program-anywhere"),
		"all/untried.desktop":        entry("Untried", "sh", "TryExec=no-such-program-anywhere"),
		"all/broken.desktop":         entry("Broken Quote", `sh "x`),
		"all/editor.desktop":         entry("Old Editor", "sh old"),
		"user/editor.desktop":        entry("New Editor", "sh new"),
		"all/removed.desktop":        entry("Removed", "sh"),
		"user/removed.desktop":       entry("Removed", "sh", "Hidden=true"),
		"all/twin1.desktop":          entry("Twin", "sh 1"),
		"all/twin2.desktop":          entry("Twin", "sh 2"),
		"all/readme.txt":             "no entry",
		"all/sub/deep/notes.desktop": entry("Simple Notes", "sh ; rm -rf $HOME `id`"),
	})
	for said, want := range map[string]string{
		"Firefox":              "Opening Firefox Web Browser. []",
		"fire fox":             "Opening Firefox Web Browser. []",
		"Feuerfuchs":           "Opening Firefox Web Browser. []",
		"web browser":          "Opening Firefox Web Browser. []",
		"the calc app":         "Opening LibreOffice Calc. [--calc]",
		"libre office writer":  "Opening LibreOffice Writer. [--writer]",
		"word processor":       "Opening LibreOffice Writer. [--writer]",
		"libreoffice":          "There's LibreOffice Calc and LibreOffice Writer. Which one? <nil>",
		"editor":               "Opening New Editor. [new]",
		"twin":                 "Opening Twin. [1]",
		"simple notes":         "Opening Simple Notes. [; rm -rf $HOME `id`]",
		"htop":                 "I can't open Htop: it needs a terminal. <nil>",
		"hidden thing":         "I can't find a program called hidden thing. <nil>",
		"removed":              "I can't find a program called removed. <nil>",
		"a link":               "I can't find a program called a link. <nil>",
		"untried":              "I can't find a program called untried. <nil>",
		"nonsense":             "I can't find a program called nonsense. <nil>",
		"gone away":            "I can't open Gone Away: it is not installed rightly. <nil>",
		"broken quote":         "I can't open Broken Quote: it is not installed rightly. <nil>",
		"/bin/sh":              "I can't find a program called /bin/sh. <nil>",
		"xylophone simulation": "I can't find a program called xylophone simulation. <nil>",
	} {
		r, err := d.run(t, "apps.open", map[string]string{"name": said})
		got := r.Say + " <nil>"
		if len(d.started) > 0 {
			got = fmt.Sprint(r.Say, " ", d.started[0].Args)
		}
		if err != nil || got != want || (r.Ask != nil) != strings.HasSuffix(r.Say, "?") {
			t.Errorf("%q: %s, want %s, error %v", said, got, want, err)
		}
	}
	if _, err := d.run(t, "apps.open", map[string]string{"name": "files"}); err != nil || len(d.started) != 1 {
		t.Fatal(err)
	}
	want := []string{`a "b" $x`, "100%", "--class=Files", "--icon", "files", filepath.Join(d.conf.Folders[1], "org", "files.desktop")}
	if c := d.started[0]; fmt.Sprintf("%q", c.Args) != fmt.Sprintf("%q", want) || !filepath.IsAbs(c.Path) {
		t.Errorf("started %s %q, want %q", c.Path, c.Args, want)
	}
	d.fails = errors.New("no memory")
	if r, err := d.run(t, "apps.open", map[string]string{"name": "files"}); !errors.Is(err, d.fails) || r.Say != "I couldn't open Files." {
		t.Errorf("said %q, error %v", r.Say, err)
	}
}

func TestNowhere(t *testing.T) {
	d := desktop(t, nil)
	if r, err := d.run(t, "apps.open", map[string]string{"name": "x"}); err != nil || r.Say != "I can't find any installed programs." {
		t.Errorf("said %q, error %v", r.Say, err)
	}
	t.Setenv("PATH", t.TempDir())
	if r, err := d.run(t, "apps.open_url", map[string]string{"url": "example.org"}); err != nil || r.Say != "I can't open a page: xdg-open is not installed; the package xdg-utils has it." {
		t.Errorf("said %q, error %v", r.Say, err)
	}
	d.conf.Getenv = func(string) string { return "" }
	for name, args := range map[string]map[string]string{"apps.open": {"name": "x"}, "apps.open_url": {"url": "example.org"}} {
		if r, err := d.run(t, name, args); err != nil || r.Say != "There is no screen here that I could open it on." {
			t.Errorf("%s: said %q, error %v", name, r.Say, err)
		}
	}
}

func TestOpenURL(t *testing.T) {
	d := desktop(t, nil)
	bin := t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "xdg-open"), []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin)
	for url, want := range map[string]string{
		"https://example.org/a?b=c#d": "Opening example.org. https://example.org/a?b=c#d",
		"Example.ORG":                 "Opening example.org. https://example.org",
		"http://localhost:8080/x":     "Opening localhost. http://localhost:8080/x",
		"http://[::1]:80/":            "Opening ::1. http://[::1]:80/",
		"https://bücher.example/":     "Opening xn--bcher-kva.example. https://xn--bcher-kva.example/",
		"https://аpple.com":           "Opening xn--pple-43d.com. https://xn--pple-43d.com", // the first letter is Cyrillic
		"https://x.org/$(id);&|`":     "Opening x.org. https://x.org/$%28id%29;&%7C%60",
		"https://x.org/ü?q=ü#ü":       "Opening x.org. https://x.org/%C3%BC?q=%C3%BC#%C3%BC",
		"ftp://example.org":           "I won't open that: only pages of the web can be opened.",
		"file:///etc/passwd":          "I won't open that: only pages of the web can be opened.",
		"javascript:alert(1)":         "I won't open that: that is no address of a page.",
		"https://anna:pw@example.org": "I won't open that: the address holds a name or a password.",
		"https://bank.com@evil.org/":  "I won't open that: the address holds a name or a password.",
		"https://":                    "I won't open that: the address names no place.",
		"https://a b.org":             "I won't open that: the address holds letters that no address has.",
		"https://x.org/\u202e":        "I won't open that: the address holds letters that no address has.",
		`https://x.org\@y.org`:        "I won't open that: the address holds letters that no address has.",
		"firefox":                     "I won't open that: that is no address of a page.",
		"/etc/passwd":                 "I won't open that: only pages of the web can be opened.",
		"--help.x":                    "I won't open that: the address names no place that there can be.",
	} {
		r, err := d.run(t, "apps.open_url", map[string]string{"url": url})
		got := r.Say
		if len(d.started) > 0 {
			got += " " + strings.Join(d.started[0].Args, " ")
		}
		if err != nil || got != want {
			t.Errorf("%q: %s, want %s, error %v", url, got, want, err)
		}
	}
}

// A program that is really started gets no keys, and ends by itself.
func TestReallyStarted(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	t.Setenv("SOLO_X", "abracadabra")
	t.Setenv("OPENAI_API_KEY", "abracadabra")
	d := desktop(t, map[string]string{"all/x.desktop": entry("Probe", `sh -c "env > `+out+`.part; mv `+out+`.part `+out+`"`)})
	d.conf.Start = nil
	if r, err := d.run(t, "apps.open", map[string]string{"name": "probe"}); err != nil || r.Say != "Opening Probe." {
		t.Fatalf("said %q, error %v", r.Say, err)
	}
	for range 200 {
		if text, err := os.ReadFile(out); err == nil {
			if strings.Contains(string(text), "abracadabra") || !strings.Contains(string(text), "PATH=") {
				t.Errorf("it sees %s", text)
			}
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Error("it did not run")
}

func TestPolicy(t *testing.T) {
	for _, x := range apps.Tools(apps.Config{}) {
		if s := x.Spec(); s.Class != models.Outward || s.Description == "" || s.Ask == "" {
			t.Errorf("spec is %+v", s)
		}
	}
}
