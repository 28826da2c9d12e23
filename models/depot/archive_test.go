package depot

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// thing is one entry of an archive: a file, or a folder where its name ends in "/", or a link.
type thing struct {
	name, text, link string
	mode             fs.FileMode
	kind             byte // of tar, 0 for the usual one
}

func zipped(t *testing.T, things ...thing) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, th := range things {
		h := &zip.FileHeader{Name: th.name, Method: zip.Deflate}
		mode := th.mode
		if th.link != "" {
			mode, th.text = fs.ModeSymlink|0o777, th.link
		}
		h.SetMode(max(mode, 0o600))
		w, err := z.CreateHeader(h)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(th.text)); err != nil && !strings.HasSuffix(th.name, "/") {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func tarred(t *testing.T, things ...thing) []byte {
	t.Helper()
	var b bytes.Buffer
	g := gzip.NewWriter(&b)
	w := tar.NewWriter(g)
	for _, th := range things {
		h := &tar.Header{Name: th.name, Mode: int64(max(th.mode, 0o600)), Size: int64(len(th.text)), Typeflag: tar.TypeReg}
		switch {
		case th.kind != 0:
			h.Typeflag, h.Linkname, h.Size = th.kind, th.link, 0
		case th.link != "":
			h.Typeflag, h.Linkname = tar.TypeSymlink, th.link
		case strings.HasSuffix(th.name, "/"):
			h.Typeflag = tar.TypeDir
		}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if h.Size > 0 {
			if _, err := w.Write([]byte(th.text)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := errors.Join(w.Close(), g.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// toolEntry is a program of a test's catalogue.
func toolEntry(name, folder string, files ...string) string {
	return fmt.Sprintf("[[model]]\nname = %q\ntask = \"tool\"\nlicence = \"MIT\"\n%s\n", name, strings.Join(files, "\n")) + "\n" + folder
}

func archiveFile(path, folder string, b []byte, url string) string {
	return fmt.Sprintf("[[model.file]]\npath = %q\nsize = %d\nsha256 = %q\nunpack = %q\nurls = [%q]\n", path, len(b), sum(b), folder, url)
}

func tree(t *testing.T, dir string) (lines []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(at string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		name, _ := filepath.Rel(dir, at)
		text, err := os.ReadFile(at)
		runs := ""
		if info, err := os.Stat(at); err == nil && info.Mode()&0o111 != 0 && runtime.GOOS != "windows" {
			runs = " x"
		}
		lines = append(lines, filepath.ToSlash(name)+"="+string(text)+runs)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

// A program in two archives of different kinds comes to lie in one folder, is found, replaced by a later one, and
// removed without a trace.
func TestPrograms(t *testing.T) {
	one := tarred(t, thing{name: "llama-b1/", mode: 0o755}, thing{name: "llama-b1/llama-server", text: "server", mode: 0o755}, thing{name: "llama-b1/libggml.so", link: "libggml.so.0"},
		thing{name: "llama-b1/libggml.so.0", text: "library"}, thing{name: "llama-b1/doc/deep/README", text: "read"})
	two := zipped(t, thing{name: "cudart64.dll", text: "cuda"}, thing{name: "more/", mode: 0o755 | fs.ModeDir}, thing{name: "more/x.dll", text: "x"})
	later := zipped(t, thing{name: "llama-server", text: "newer", mode: 0o755})
	urls := map[string][]byte{}
	url := ""
	make := func(files ...string) string { return toolEntry("llama-server-x", "", files...) }
	put := func(name string, b []byte) string {
		urls[name] = b
		return archiveFile(name, "llama-b1", b, url+"/"+name)
	}
	url = serve(t, func(w http.ResponseWriter, q *http.Request) { good(urls[q.URL.Path[1:]], "")(w, q) })
	r := newRig(t, make(put("one.tar.gz", one), put("two.zip", two)))
	out := r.pull("llama-server-x")
	dir, err := r.Path("llama-server-x", "")
	if err != nil || out.Places[0] != dir || dir != filepath.Join(r.conf.Data, "llama-b1") {
		t.Fatalf("%v, %q, %v", out.Places, dir, err)
	}
	want := "cudart64.dll=cuda doc/deep/README=read libggml.so=library libggml.so.0=library llama-server=server x more/x.dll=x"
	if runtime.GOOS == "windows" {
		want = strings.Replace(want, "server x", "server", 1) // where nothing is marked to run
	}
	if got := strings.Join(tree(t, dir), " "); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	if path, err := r.Path("llama-server-x", "llama-server"); err != nil || filepath.Base(path) != "llama-server" {
		t.Errorf("%q, %v", path, err)
	}
	if left, _ := filepath.Glob(filepath.Join(r.conf.Data, ".depot-*")); len(left)+len(r.left()) > 0 {
		t.Errorf("left over: %v %v", left, r.left())
	}
	if out := r.pull("llama-server-x"); !out.Already {
		t.Error("fetched twice")
	}
	if err := os.WriteFile(r.conf.Own, []byte(make(put("later.zip", later))), 0o600); err != nil {
		t.Fatal(err)
	}
	if r.catalogue, err = loadAll(r.conf.Own); err != nil {
		t.Fatal(err)
	}
	r.pull("llama-server-x")
	if got := strings.Join(tree(t, dir), " "); strings.TrimSuffix(got, " x") != "llama-server=newer" {
		t.Errorf("after the later one: %s", got)
	}
	if freed, err := r.Remove(t.Context(), "llama-server-x"); err != nil || freed != 5 {
		t.Errorf("freed %d, %v", freed, err)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("the folder is still there")
	}
}

// No archive writes beside its folder, through a link, or without end; and what was there stays.
func TestHostileArchives(t *testing.T) {
	bomb := strings.Repeat("0", int(tight.bytes)/2+1)
	many := make([]thing, tight.names+1)
	for i := range many {
		many[i] = thing{name: fmt.Sprintf("d/%d/", i), mode: fs.ModeDir | 0o755}
	}
	ok := thing{name: "llama-server", text: "x", mode: 0o755}
	both := map[string][]thing{
		"up":                {ok, {name: "../evil", text: "x"}},
		"up inside":         {ok, {name: "a/../../evil", text: "x"}},
		"up to itself":      {ok, {name: "a/../b", text: "x"}},
		"absolute":          {ok, {name: "/tmp/evil", text: "x"}},
		"a drive":           {ok, {name: `C:\evil.dll`, text: "x"}},
		"backslashes":       {ok, {name: `..\evil.dll`, text: "x"}},
		"a device":          {ok, {name: "NUL", text: "x"}},
		"a stream":          {ok, {name: "a.dll:hidden", text: "x"}},
		"control letters":   {ok, {name: "a\x1b[2Jb", text: "x"}},
		"twice":             {ok, ok},
		"file and folder":   {ok, {name: "a", text: "x"}, {name: "a/b", text: "x"}},
		"link out":          {ok, {name: "l", link: "/etc/passwd"}},
		"link up":           {ok, {name: "l", link: "../../etc/passwd"}},
		"link to nowhere":   {ok, {name: "l", link: "gone"}},
		"link in a circle":  {ok, {name: "l", link: "m"}, {name: "m", link: "l"}},
		"through a link":    {ok, {name: "l", link: "../.."}, {name: "l/evil", text: "x"}},
		"link under a file": {ok, {name: "a", text: "x"}, {name: "a/l", link: "x"}},
		"bomb":              {{name: "a", text: bomb}, {name: "b", text: bomb}},
		"many names":        many,
		"deep":              {ok, {name: strings.Repeat("a/", 30) + "b", text: "x"}},
		"long":              {ok, {name: strings.Repeat("a", 600), text: "x"}},
		"empty":             {},
	}
	onlyTar := map[string][]thing{
		"hard link": {ok, {name: "h", link: "llama-server", kind: tar.TypeLink}},
		"device":    {ok, {name: "d", kind: tar.TypeBlock}},
		"pipe":      {ok, {name: "p", kind: tar.TypeFifo}},
	}
	for name, things := range both {
		hostile(t, name+" in zip", "x.zip", zipped(t, things...))
		hostile(t, name+" in tar", "x.tar.gz", tarred(t, things...))
	}
	for name, things := range onlyTar {
		hostile(t, name, "x.tar.gz", tarred(t, things...))
	}
	whole := tarred(t, ok, thing{name: "more", text: strings.Repeat("y", 5000)})
	hostile(t, "tar cut off", "x.tar.gz", whole[:len(whole)/2])
	hostile(t, "no zip", "x.zip", append([]byte("PK\x03\x04"), bytesOf(1, 500)...))
	hostile(t, "no gzip", "x.tar.gz", append([]byte("\x1f\x8b"), bytesOf(1, 500)...))
}

// tight are bounds that a test can break quickly.
var tight = bounds{bytes: 1 << 20, names: 300}

func hostile(t *testing.T, name, file string, b []byte) {
	t.Run(name, func(t *testing.T) {
		url := serve(t, good(b, ""))
		r := newRig(t, toolEntry("llama-server-x", "", archiveFile(file, "llama-b1", b, url+"/"+file)))
		r.bounds = func(int64) bounds { return tight }
		before := strings.Join(tree(t, filepath.Dir(r.conf.Data)), "\n")
		_, err := r.Pull(t.Context(), r.order("llama-server-x"))
		if err == nil {
			t.Fatal("it was unpacked")
		}
		if _, err := os.Lstat(filepath.Join(r.conf.Data, "llama-b1")); err == nil {
			t.Error("a folder lies in its place")
		}
		for _, line := range tree(t, filepath.Dir(r.conf.Data)) {
			if !strings.Contains(before, line) && !strings.Contains(line, "/.depot/") {
				t.Errorf("written: %.200s", line)
			}
		}
	})
}

// A folder that the user made is not replaced.
func TestFolderOfTheUser(t *testing.T) {
	b := zipped(t, thing{name: "llama-server", text: "x"})
	url := serve(t, good(b, ""))
	r := newRig(t, toolEntry("llama-server-x", "", archiveFile("x.zip", "llama-b1", b, url+"/x.zip")))
	mine := filepath.Join(r.conf.Data, "llama-b1", "mine")
	if err := errors.Join(os.MkdirAll(filepath.Dir(mine), 0o700), os.WriteFile(mine, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Pull(t.Context(), r.order("llama-server-x")); !errors.Is(err, ErrTaken) {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(mine); err != nil {
		t.Error(err)
	}
}

// Unpacking what fuzzing thinks of never writes beside its folder.
func FuzzUnpack(f *testing.F) {
	f.Add([]byte("PK\x03\x04"), true)
	f.Add([]byte("\x1f\x8b"), false)
	f.Add(zipSeed("a/b", "text"), true)
	f.Add(zipSeed("../a", "text"), true)
	f.Fuzz(func(t *testing.T, b []byte, zip bool) {
		dir := t.TempDir()
		file := filepath.Join(dir, "archive")
		if err := os.WriteFile(file, b, 0o600); err != nil {
			t.Fatal(err)
		}
		kind := "tar.gz"
		if zip {
			kind = "zip"
		}
		_ = unpackInto(t.Context(), file, kind, filepath.Join(dir, "in"), tight) // most of it is no archive
		list, _ := os.ReadDir(dir)
		if len(list) > 2 {
			t.Errorf("written beside: %v", list)
		}
	})
}

func zipSeed(name, text string) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	if w, err := z.Create(name); err == nil {
		fmt.Fprint(w, text)
	}
	z.Close()
	return b.Bytes()
}

func TestBounds(t *testing.T) {
	for size, want := range map[int64]int64{1: 64 << 20, 10 << 20: 200 << 20, 1 << 40: 16 << 30} {
		if got := boundsOf(size); got.bytes != want || got.names != 5000 {
			t.Errorf("an archive of %d bytes may become %+v", size, got)
		}
	}
}
