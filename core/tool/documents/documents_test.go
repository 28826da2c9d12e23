package documents_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/solo-assistant/solo/core/config"
	"github.com/solo-assistant/solo/core/document"
	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/core/tool/documents"
	"github.com/solo-assistant/solo/core/tool/tooltest"
	"github.com/solo-assistant/solo/models"
)

// house is a user's home with files of known ages.
type house struct {
	t    *testing.T
	home string
	age  time.Duration
}

func home(t *testing.T) *house {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", dir)
	t.Setenv("USERPROFILE", dir)
	t.Setenv("XDG_CONFIG_HOME", "")
	h := &house{t: t, home: dir}
	for _, d := range []string{"Documents/tax", "Documents/.private", "Downloads", "Desktop", "Secrets", ".ssh", "work"} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return h
}

// put writes a file that is older than all before it.
func (h *house) put(rel, text string) string {
	h.t.Helper()
	path := filepath.Join(h.home, rel)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		h.t.Fatal(err)
	}
	h.age += time.Hour
	at := time.Now().Add(-h.age)
	if err := os.Chtimes(path, at, at); err != nil {
		h.t.Fatal(err)
	}
	return path
}

func (h *house) link(to, rel string) {
	h.t.Helper()
	if err := os.Symlink(to, filepath.Join(h.home, rel)); err != nil {
		h.t.Skip("no links here: ", err)
	}
}

type told struct {
	Path    string
	Pages   int
	Text    []struct{ Text string }
	LeftOut string   `json:"left_out"`
	Others  []string `json:"other_files"`
}

func ask(ctx context.Context, t *testing.T, b *tool.Box, args any) (string, told) {
	t.Helper()
	r, err := b.Call(ctx, *tool.CallOf("documents.read", args))
	if err != nil {
		t.Fatal(err)
	}
	var d told
	if r.Data != nil {
		if err := json.Unmarshal(r.Data, &d); err != nil {
			t.Fatal(err)
		}
	}
	return r.Say, d
}

func box(t *testing.T, c documents.Config) *tool.Box {
	c.Reader = &document.Reader{}
	return tooltest.Box(t, documents.Tools(c)...)
}

func path(p string) map[string]string { return map[string]string{"path": p} }

// model is the ctx of a call that a language model makes.
func model(t *testing.T) context.Context {
	return models.WithOrigin(t.Context(), models.Origin{Model: true, Outside: true})
}

func TestFind(t *testing.T) {
	h := home(t)
	h.put("Documents/recipe for bread.md", "newest")
	h.put("Downloads/annual_report_2026.txt", "report 2026")
	h.put("Documents/tax/annual-report-2025.txt", "report 2025")
	h.put("Desktop/letter.txt", "letter on the desktop")
	h.put("Documents/letter.txt", "letter in documents")
	h.put("Documents/tax/Letter to the bank.txt", "bank")
	h.put("Downloads/old page.html", "<html>page")
	h.put("Documents/secret garden.html", "<html>a novel")
	b := box(t, documents.Config{})
	for said, want := range map[string]string{
		"letter.txt":                       "letter on the desktop", // the newer of two
		"../letter.txt":                    "letter on the desktop", // never outside
		"Documents/letter.txt":             "letter in documents",
		"~/Documents/letter.txt":           "letter in documents",
		"tax/annual-report-2025.txt":       "report 2025",
		"Letter":                           "letter on the desktop",
		"letter to the bank":               "bank",
		"the bank letter":                  "bank",
		"annual report":                    "report 2026",
		"annual report 2025":               "report 2025",
		"my latest markdown":               "newest",
		"the latest text file":             "newest",
		"latest web page":                  "page",
		"bread recipe":                     "newest",
		"secret garden":                    "a novel",
		"Documents/tax/annual report 2026": "report 2026", // a wrong folder, a right name
		filepath.Join(h.home, "Documents", "tax", "..", "letter.txt"): "letter in documents",
	} {
		say, d := ask(model(t), t, b, path(said))
		if len(d.Text) != 1 || d.Text[0].Text != want || !strings.HasPrefix(say, "I read ") {
			t.Errorf("%q gave %q: %+v, want %q", said, say, d, want)
		}
	}
	if _, d := ask(model(t), t, b, path("annual report")); len(d.Others) != 1 || !strings.HasSuffix(d.Others[0], "annual-report-2025.txt") {
		t.Errorf("others are %v", d.Others)
	}
	for _, said := range []string{"the dog book", "document", "nothing.pdf", "../nothing.txt", "\x00", "Documents/none.txt"} {
		if say, d := ask(model(t), t, b, path(said)); say != "I can't find that document." || d.Text != nil {
			t.Errorf("%q gave %q: %+v", said, say, d)
		}
	}
}

const (
	notOutside = "That file is outside the folders that I may read. Say its whole path yourself, or allow its folder in the settings."
	notHidden  = "That is a hidden file, I don't read those."
	notSecret  = "That file may hold keys or passwords, so I won't read it."
	notThere   = "I can't find that document."
)

func TestRefused(t *testing.T) {
	h := home(t)
	diary := h.put("Secrets/diary.txt", "dear diary")
	h.put(".ssh/config.txt", "hosts")
	h.put("Documents/.private/plan.txt", "plan")
	h.put("Documents/.env", "TOKEN=1")
	for _, name := range []string{"id_rsa", "id_ed25519.txt", "server.pem", "github_token.txt", "passwords.csv", "my api key.txt", "prod.env", "credentials.json", "bank.kdbx", "Secrets.md"} {
		h.put("Documents/"+name, "xyzzy")
	}
	h.put("Documents/notes.txt", "My notes\n-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl\n")
	h.put("Documents/fine.txt", "fine")
	h.link(diary, "Documents/linked.txt")
	h.link(filepath.Join(h.home, "Secrets"), "Documents/away")
	h.link(filepath.Join(h.home, "Documents", "fine.txt"), "Desktop/here.txt")
	h.link(filepath.Join(h.home, "Documents", ".env"), "Documents/settings.txt")
	b := box(t, documents.Config{})
	for said, want := range map[string]string{
		diary: notOutside, "/etc/hostname": notOutside, "/etc/passwd": notSecret, "~/Secrets/diary.txt": notOutside, "~/Secrets/none.txt": notOutside,
		"linked.txt": notOutside, "away/diary.txt": notOutside, "diary": notThere, "../Secrets/diary.txt": notThere,
		filepath.Join(h.home, "Documents", "linked.txt"): notOutside, "~/Documents/../Secrets/diary.txt": notOutside,
		"Documents/.private/plan.txt": notHidden, ".private/plan.txt": notHidden, "plan": notThere, "~/.ssh/config.txt": notOutside,
		".env": notSecret, "id_rsa": notSecret, "id_ed25519.txt": notSecret, "server.pem": notSecret, "github_token.txt": notSecret,
		"github token": notSecret, "passwords.csv": notSecret, "my api key.txt": notSecret, "prod.env": notSecret, "credentials.json": notSecret,
		"bank.kdbx": notSecret, "Secrets.md": notSecret, "notes": notSecret, "settings.txt": notHidden, "~/.ssh/id_rsa": notSecret,
	} {
		if runtime.GOOS == "windows" && strings.HasPrefix(said, "/") {
			continue
		}
		if say, d := ask(model(t), t, b, path(said)); say != want || d.Text != nil {
			t.Errorf("%q gave %q, want %q (%+v)", said, say, want, d)
		}
	}
	if say, d := ask(model(t), t, b, path("here.txt")); len(d.Text) != 1 || d.Text[0].Text != "fine" {
		t.Errorf("a link from one allowed folder to another: %q", say)
	}
}

func TestTheUsersOwnWords(t *testing.T) {
	h := home(t)
	diary := h.put("Secrets/diary.txt", "dear diary")
	work := h.put("work/plan.txt", "the plan")
	h.put("work/.hidden.txt", "hidden")
	key := h.put("work/id_rsa", "key")
	b := box(t, documents.Config{})
	if _, d := ask(t.Context(), t, b, path(diary)); len(d.Text) != 1 {
		t.Error("the user's own call was refused")
	}
	for p, want := range map[string]string{key: notSecret, filepath.Join(h.home, "work", ".hidden.txt"): notHidden, filepath.Join(h.home, "none.txt"): notThere} {
		if say, _ := ask(t.Context(), t, b, path(p)); say != want {
			t.Errorf("%s: %q, want %q", p, say, want)
		}
	}
	roots := func(context.Context) []string { return []string{filepath.Join(h.home, "work"), "relative"} }
	b = box(t, documents.Config{Roots: roots})
	if _, d := ask(model(t), t, b, path(work)); len(d.Text) != 1 {
		t.Error("a path below one that the user named was refused")
	}
	if say, _ := ask(model(t), t, b, path(diary)); say != notOutside {
		t.Errorf("another path: %q", say)
	}
	b = box(t, documents.Config{Folders: []string{"~/work", "not/absolute", filepath.Join(h.home, "none")}, Workspace: filepath.Join(h.home, "Secrets")})
	for _, name := range []string{"plan", "diary.txt", work, diary} {
		if say, d := ask(model(t), t, b, path(name)); len(d.Text) != 1 {
			t.Errorf("%s in a folder of the settings: %q", name, say)
		}
	}
}

func TestPagesAndLength(t *testing.T) {
	h := home(t)
	var pages []string
	for i := range 10 {
		pages = append(pages, fmt.Sprintf("Page %d. ", i+1)+strings.Repeat("word ", 60))
	}
	h.put("Documents/book.txt", strings.Join(pages, "\f"))
	h.put("Documents/long.txt", strings.Repeat("grün ", 1000))
	h.put("Documents/small.txt", "one\ftwo")
	b := box(t, documents.Config{MaxText: 1000})
	for name, tt := range map[string]struct {
		args  map[string]string
		say   string
		first string
		last  string
		left  bool
	}{
		"all":          {map[string]string{"path": "small"}, "I read small.txt, all 2 pages.", "one", "two", false},
		"cut":          {map[string]string{"path": "book"}, "I read book.txt, 4 pages of 10. It is long, so I left out the rest.", "Page 1.", "Page 4.", true},
		"one page":     {map[string]string{"path": "book", "pages": "7"}, "I read book.txt, 1 page of 10.", "Page 7.", "Page 7.", false},
		"some pages":   {map[string]string{"path": "book", "pages": "2-3, 9"}, "I read book.txt, 3 pages of 10.", "Page 2.", "Page 9.", false},
		"cut in one":   {map[string]string{"path": "long"}, "I read long.txt. It is long, so I left out the rest.", "grün", "grün", true},
		"pages beyond": {map[string]string{"path": "small", "pages": "5"}, "small.txt has 2 pages, and no text on those.", "", "", false},
		"no pages":     {map[string]string{"path": "small", "pages": "the third"}, "I don't understand which pages you mean.", "", "", false},
		"backwards":    {map[string]string{"path": "small", "pages": "3-1"}, "I don't understand which pages you mean.", "", "", false},
	} {
		say, d := ask(model(t), t, b, tt.args)
		if say != tt.say || (d.LeftOut != "") != tt.left {
			t.Errorf("%s: said %q, left out %q", name, say, d.LeftOut)
		}
		all := 0
		for _, p := range d.Text {
			all += len(p.Text)
		}
		if n := len(d.Text); all > 1000 || n > 0 && (!strings.HasPrefix(d.Text[0].Text, tt.first) || !strings.HasPrefix(d.Text[n-1].Text, tt.last)) {
			t.Errorf("%s: %d bytes, %+v", name, all, d.Text)
		}
	}
}

func TestTroublesAreSaid(t *testing.T) {
	h := home(t)
	h.put("Documents/empty.txt", "")
	h.put("Documents/broken.pdf", "no pdf")
	h.put("Documents/tiny.txt", strings.Repeat("x", 2000))
	b := box(t, documents.Config{Limits: document.Limits{Bytes: 1500}})
	for name, want := range map[string]string{"empty": document.Excuse(document.ErrEmpty), "broken.pdf": document.Excuse(document.ErrKind), "tiny": document.Excuse(document.ErrTooLarge)} {
		if say, _ := ask(model(t), t, b, path(name)); say != want {
			t.Errorf("%s: %q", name, say)
		}
	}
}

func TestUserDirs(t *testing.T) {
	h := home(t)
	for _, d := range []string{"Dokumente", ".config"} {
		if err := os.MkdirAll(filepath.Join(h.home, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	h.put("Dokumente/brief.txt", "hallo")
	h.put("geheim.txt", "nein")
	h.put(".config/user-dirs.dirs", "# comment\nXDG_DOCUMENTS_DIR=\"$HOME/Dokumente\"\nXDG_DESKTOP_DIR=\"$HOME/\"\nXDG_DOWNLOAD_DIR=\"relative\"\n")
	b := box(t, documents.Config{})
	if _, d := ask(model(t), t, b, path("brief")); len(d.Text) != 1 {
		t.Error("a folder with another name was not looked into")
	}
	if say, _ := ask(model(t), t, b, path("geheim")); say != notThere {
		t.Errorf("the whole home was looked through: %q", say)
	}
}

func TestSpecAndSettings(t *testing.T) {
	s := documents.Tools(documents.Config{})[0].Spec()
	if !s.Outside || s.Class != models.Read || s.Description == "" {
		t.Errorf("spec is %+v", s)
	}
	var c documents.Config
	if _, err := config.Load(&c, config.Sources{Flags: []string{"folders=/a,/b", "pages=5"}}); err != nil || len(c.Folders) != 2 || c.MaxText != 40000 || c.Pages != 5 {
		t.Errorf("settings %+v, %v", c, err)
	}
}

// FuzzFind: no words make a model's call read what is outside, hidden or secret.
func FuzzFind(f *testing.F) {
	for _, s := range []string{"diary", "../Secrets/diary.txt", "~/Secrets/diary.txt", "away/diary.txt", "Documents/../../x", ".env", "id_rsa", "latest", "linked", "//", `..\x`} {
		f.Add(s)
	}
	dir := f.TempDir()
	for _, d := range []string{"Documents", "Secrets"} {
		if err := os.Mkdir(filepath.Join(dir, d), 0o755); err != nil {
			f.Fatal(err)
		}
	}
	for name, text := range map[string]string{"Secrets/diary.txt": "xyzzy", "Documents/.env": "xyzzy", "Documents/id_rsa": "xyzzy", "Documents/fine.txt": "fine"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			f.Fatal(err)
		}
	}
	_ = os.Symlink(filepath.Join(dir, "Secrets"), filepath.Join(dir, "Documents", "away"))
	f.Setenv("HOME", dir)
	b := tool.New(tool.Config{})
	if err := b.Add(documents.Tools(documents.Config{Reader: &document.Reader{}})...); err != nil {
		f.Fatal(err)
	}
	ctx := models.WithOrigin(context.Background(), models.Origin{Model: true})
	f.Fuzz(func(t *testing.T, said string) {
		r, _ := b.Call(ctx, *tool.CallOf("documents.read", path(said)))
		if strings.Contains(string(r.Data), "xyzzy") || strings.Contains(r.Say, "xyzzy") {
			t.Errorf("%q read %s", said, r.Data)
		}
	})
}
