package dashboard

import (
	"io/fs"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
)

func TestUnbuiltPageSaysHowToBuildIt(t *testing.T) {
	text := read(t, pageOf(without(files)), "index.html")
	if !strings.Contains(text, "make page") || !strings.Contains(text, "nodejs npm") {
		t.Errorf("it does not say how to build the page: %s", text)
	}
	for _, p := range inline(text) {
		t.Error(p)
	}
}

func TestBuiltPageIsTaken(t *testing.T) {
	page := pageOf(fstest.MapFS{
		"dist/.gitignore":           {},
		"dist/page/index.html":      {Data: []byte("built")},
		"dist/page/assets/index.js": {Data: []byte("code")},
		"unbuilt/index.html":        {Data: []byte("unbuilt")},
	})
	if got := read(t, page, "index.html"); got != "built" {
		t.Errorf("index.html is %q", got)
	}
	if got := read(t, page, "assets/index.js"); got != "code" {
		t.Errorf("assets/index.js is %q", got)
	}
}

// A folder that was left behind half built is no page.
func TestHalfBuiltPageIsNone(t *testing.T) {
	page := pageOf(fstest.MapFS{"dist/page/assets/index.js": {}, "unbuilt/index.html": {Data: []byte("unbuilt")}})
	if got := read(t, page, "index.html"); got != "unbuilt" {
		t.Errorf("index.html is %q", got)
	}
}

var loads = regexp.MustCompile(`(?:src|href)="([^"]*)"`)

// What the door's policy forbids would leave the page blank: inline code and style, and anything of other hosts.
func TestPageLoadsOnlyItsOwnFiles(t *testing.T) {
	if !Built() {
		t.Skip("skipped: the page is not built (make page)")
	}
	text := read(t, Page(), "index.html")
	for _, p := range inline(text) {
		t.Error(p)
	}
	found := loads.FindAllStringSubmatch(text, -1)
	if len(found) < 3 {
		t.Errorf("it loads only %v", found)
	}
	for _, m := range found {
		if !strings.HasPrefix(m[1], "/assets/") {
			t.Errorf("it loads %s, which the door does not serve", m[1])
			continue
		}
		read(t, Page(), strings.TrimPrefix(m[1], "/"))
	}
}

func TestInlineFindsPlantedFaults(t *testing.T) {
	for text, want := range map[string]int{
		`<p>hello</p>`: 0, `<script type="module" src="/assets/a.js"></script>`: 0,
		`<script>alert(1)</script>`: 1, `<style>p{}</style>`: 1, `<p style="color:red">`: 1, `<a onclick="go()">`: 1, `<a href="javascript:go()">`: 1,
	} {
		if got := inline(text); len(got) != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

var forbidden = map[string]*regexp.Regexp{
	"inline script":   regexp.MustCompile(`(?is)<script[^>]*>\s*[^<\s]`),
	"inline style":    regexp.MustCompile(`(?i)<style|\sstyle=`),
	"inline handler":  regexp.MustCompile(`(?i)\son[a-z]+=`),
	"javascript link": regexp.MustCompile(`(?i)javascript:`),
}

func inline(text string) []string {
	var out []string
	for name, re := range forbidden {
		if m := re.FindString(text); m != "" {
			out = append(out, name+": "+m)
		}
	}
	return out
}

// without is what a build without Node.js embeds.
func without(all fs.FS) fs.FS { return unbuiltOnly{all} }

type unbuiltOnly struct{ fs.FS }

func (u unbuiltOnly) Open(name string) (fs.File, error) {
	if strings.HasPrefix(name, "dist/page") {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return u.FS.Open(name)
}

func read(t *testing.T, page fs.FS, name string) string {
	t.Helper()
	text, err := fs.ReadFile(page, name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
