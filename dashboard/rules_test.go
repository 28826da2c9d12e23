package dashboard

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const longestFile = 400 // lines

// What Solo hears, reads and is told is hostile: it must never become markup or code. And strict types stay strict.
var never = regexp.MustCompile(`\b(innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|srcdoc|createContextualFragment|eval|document\.write|new Function|setAttribute)\b|: any\b|\bas any\b|<any>|@ts-ignore|@ts-nocheck|style="`)

func TestSourcesMakeNoMarkupOfText(t *testing.T) {
	sources(t, func(name, text string) {
		for n, line := range strings.Split(text, "\n") {
			if m := never.FindString(line); m != "" {
				t.Errorf("%s:%d: %q", name, n+1, m)
			}
		}
		if n := strings.Count(text, "\n"); n > longestFile {
			t.Errorf("%s has %d lines, more than %d", name, n, longestFile)
		}
	})
}

func TestRulesFindPlantedFaults(t *testing.T) {
	for _, bad := range []string{"el.innerHTML = text", "const x: any = 1", "v as any", `<p style="color: red">`, "eval(text)", "// @ts-ignore", "dangerouslySetInnerHTML={{ __html: text }}"} {
		if !never.MatchString(bad) {
			t.Errorf("%s passes", bad)
		}
	}
	for _, good := range []string{`<p style={{ width: "1px" }}>`, "retrieval(text)", "// any text", "many: anybody"} {
		if m := never.FindString(good); m != "" {
			t.Errorf("%s does not pass: %s", good, m)
		}
	}
}

var address = regexp.MustCompile(`https?://[a-zA-Z0-9.:-]+`)

// The page talks to the door that it came from and to nobody else. The names of XML's languages are no addresses.
func TestBuiltPageKnowsNoOtherHost(t *testing.T) {
	if !Built() {
		t.Skip("skipped: the page is not built (make page)")
	}
	err := fs.WalkDir(Page(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(name, ".woff2") {
			return err
		}
		for _, found := range address.FindAllString(read(t, Page(), name), -1) {
			if found != "http://www.w3.org" && found != "http://localhost" {
				t.Errorf("%s names %s", name, found)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// The lock file pins what is built with by its sum, and leaves from where it comes to each one's npm.
func TestLockFilePinsBySum(t *testing.T) {
	text, err := os.ReadFile("package-lock.json")
	if err != nil {
		t.Fatal(err)
	}
	var lock struct {
		Packages map[string]struct{ Version, Integrity, Resolved string }
	}
	if err := json.Unmarshal(text, &lock); err != nil {
		t.Fatal(err)
	}
	if len(lock.Packages) < 10 {
		t.Errorf("it pins %d packages only", len(lock.Packages))
	}
	for name, p := range lock.Packages {
		if name == "" {
			continue
		}
		if p.Version == "" || !strings.HasPrefix(p.Integrity, "sha512-") || p.Resolved != "" {
			t.Errorf("%s: version %q, sum %q, from %q", name, p.Version, p.Integrity, p.Resolved)
		}
	}
}

func sources(t *testing.T, each func(name, text string)) {
	t.Helper()
	n := 0
	err := filepath.WalkDir("src", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !strings.Contains(".ts .tsx .css", filepath.Ext(name)) || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		n++
		each(name, string(text))
		return err
	})
	if err != nil || n < 50 {
		t.Fatalf("%d sources were read: %v", n, err)
	}
}
