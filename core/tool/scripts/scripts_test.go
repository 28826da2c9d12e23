package scripts_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/solo-assistant/solo/core/config"
	"github.com/solo-assistant/solo/core/proc"
	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/core/tool/scripts"
	"github.com/solo-assistant/solo/models"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// workspace is a folder with scripts: name, mode, text.
func workspace(t *testing.T) (string, func(name string, mode os.FileMode, text string)) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("skipped: the scripts of this test are for a Unix shell")
	}
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "scripts"), 0o755); err != nil {
		t.Fatal(err)
	}
	return dir, func(name string, mode os.FileMode, text string) {
		t.Helper()
		path := filepath.Join(dir, "scripts", name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
}

type outcome struct {
	Script, Output, Errors string
	Exit                   int
	LeftOut                int `json:"left_out_bytes"`
}

// run calls a tool, past policy as an approved call does.
func run(ctx context.Context, t *testing.T, c scripts.Config, name string, args any) (models.Result, outcome, error) {
	t.Helper()
	for _, x := range scripts.Tools(c) {
		if x.Spec().Name != name {
			continue
		}
		r, err := x.Run(ctx, tool.CallOf(name, args).Arguments)
		var o outcome
		if r.Data != nil {
			if err := json.Unmarshal(r.Data, &o); err != nil {
				t.Fatal(err)
			}
		}
		return r, o, err
	}
	t.Fatalf("there is no %s", name)
	return models.Result{}, outcome{}, nil
}

type order struct {
	Name      string   `json:"name"`
	Arguments []string `json:"arguments,omitempty"`
}

func TestRun(t *testing.T) {
	dir, put := workspace(t)
	t.Setenv("SOLO_MODEL_KEY", "abracadabra")
	t.Setenv("GROQ_API_KEY", "abracadabra")
	t.Setenv("LANG", "C.UTF-8")
	put("back_up.sh", 0o700, "#!/bin/sh\necho \"Saved $# files to\" \"$@\"\n")
	put("plain.sh", 0o600, "echo plain\n")
	put("hello", 0o700, "#!/bin/sh\necho hello; echo world\n")
	put("env.sh", 0o700, "#!/bin/sh\nenv; echo lang=$LANG; pwd\n")
	put("fails.sh", 0o700, "#!/bin/sh\necho half; echo 'disk is full' >&2; exit 3\n")
	put("chatty.sh", 0o700, "#!/bin/sh\ni=0; while [ $i -lt 400 ]; do echo 0123456789; i=$((i+1)); done\n")
	put("odd.sh", 0o700, "#!/bin/sh\nprintf 'a\\033[31mb\\377c\\n'\n")
	put("twice.sh", 0o700, "#!/bin/sh\n")
	put("twice.py", 0o600, "")
	put("notes.txt", 0o600, "no script")
	put("data.json", 0o700, "{}")
	put(".hidden.sh", 0o700, "#!/bin/sh\necho hidden\n")
	put("loose.sh", 0o702, "#!/bin/sh\necho loose\n")
	c := scripts.Config{Workspace: dir, MaxOutput: 1000}
	for name, tt := range map[string]struct {
		args order
		say  string
		out  string
	}{
		"by name":            {order{"back_up.sh", nil}, "Back up is done. It says: Saved 0 files to.", "Saved 0 files to\n"},
		"as spoken":          {order{"Back up", []string{"/mnt"}}, "Back up is done. It says: Saved 1 files to /mnt.", "Saved 1 files to /mnt\n"},
		"no shell":           {order{"back-up", []string{"$(id)", "; rm -rf ~", "a b", "*"}}, "Back up is done. It says: Saved 4 files to $(id) ; rm -rf ~ a b *.", "Saved 4 files to $(id) ; rm -rf ~ a b *\n"},
		"not executable":     {order{"plain", nil}, "Plain is done. It says: plain.", "plain\n"},
		"no ending":          {order{"hello", nil}, "Hello is done.", "hello\nworld\n"},
		"orders to terminal": {order{"odd", nil}, "Odd is done. It says: a[31mbc.", "a[31mbc\n"},
		"two of a name":      {order{"twice", nil}, "There are several scripts called twice. Say its ending too.", ""},
		"of them":            {order{"twice.sh", nil}, "Twice is done.", ""},
		"a path":             {order{"../scripts/hello", nil}, "I run scripts by their names only, from the folder scripts of my workspace.", ""},
		"a path of the root": {order{"/bin/ls", nil}, "I run scripts by their names only, from the folder scripts of my workspace.", ""},
		"hidden":             {order{".hidden.sh", nil}, "You have no script of that name. There's back_up.sh, chatty.sh, env.sh, fails.sh, hello and 5 more.", ""},
		"no script":          {order{"notes.txt", nil}, "You have no script of that name. There's back_up.sh, chatty.sh, env.sh, fails.sh, hello and 5 more.", ""},
		"open to all":        {order{"loose", nil}, "I won't run that, because everyone on this machine can change it. Take that right from others first.", ""},
		"many arguments":     {order{"hello", make([]string, 33)}, "A script can be given 32 arguments at most.", ""},
		"odd argument":       {order{"hello", []string{"a\x00b"}}, "One of those arguments is too long, or holds what no argument can.", ""},
	} {
		r, o, err := run(t.Context(), t, c, "scripts.run", tt.args)
		if err != nil || r.Say != tt.say || o.Output != tt.out {
			t.Errorf("%s: said %q, wrote %q, error %v", name, r.Say, o.Output, err)
		}
	}
	_, o, _ := run(t.Context(), t, c, "scripts.run", order{"env", nil})
	if strings.Contains(o.Output, "abracadabra") || !strings.Contains(o.Output, "lang=C.UTF-8") || !strings.Contains(o.Output, "/scripts\n") {
		t.Errorf("a script sees %s", o.Output)
	}
	if _, o, _ = run(t.Context(), t, c, "scripts.run", order{"chatty", nil}); len(o.Output) != 1000 || o.LeftOut != 3400 {
		t.Errorf("kept %d, left out %d", len(o.Output), o.LeftOut)
	}
	r, o, err := run(t.Context(), t, c, "scripts.run", order{"fails", nil})
	if err == nil || r.Say != "Fails failed with status 3." || o.Exit != 3 || o.Errors != "disk is full" || o.Output != "half\n" || strings.Contains(err.Error(), "disk") {
		t.Errorf("said %q, %+v, error %v", r.Say, o, err)
	}
}

func TestPython(t *testing.T) {
	dir, put := workspace(t)
	put("sum.py", 0o600, "import sys\nprint(sum(map(int, sys.argv[1:])))\n")
	r, _, err := run(t.Context(), t, scripts.Config{Workspace: dir}, "scripts.run", order{"sum", []string{"2", "3"}})
	want := "Sum is done. It says: 5."
	if _, missing := exec.LookPath("python3"); missing != nil {
		if _, missing = exec.LookPath("python"); missing != nil {
			want = "That script needs Python, which is not installed."
		}
	}
	if err != nil || r.Say != want {
		t.Errorf("said %q, want %q, error %v", r.Say, want, err)
	}
}

// What takes too long, or is interrupted, ends with all its children.
func TestEnded(t *testing.T) {
	dir, put := workspace(t)
	alive := filepath.Join(dir, "alive")
	put("slow.sh", 0o700, "#!/bin/sh\n(sleep 2; touch "+alive+") &\necho begun\nsleep 30\n")
	begun := time.Now()
	r, o, err := run(t.Context(), t, scripts.Config{Workspace: dir, Limit: 300 * time.Millisecond}, "scripts.run", order{"slow", nil})
	if !errors.Is(err, proc.ErrLimit) || r.Say != "Slow took longer than 300ms, so I ended it." || o.Exit != -1 || o.Output != "begun\n" {
		t.Errorf("said %q, %+v, error %v", r.Say, o, err)
	}
	barge := errors.New("user spoke")
	ctx, cancel := context.WithCancelCause(t.Context())
	time.AfterFunc(300*time.Millisecond, func() { cancel(barge) })
	r, _, err = run(ctx, t, scripts.Config{Workspace: dir}, "scripts.run", order{"slow", nil})
	if !errors.Is(err, barge) || r.Say != "Slow was ended." {
		t.Errorf("said %q, error %v", r.Say, err)
	}
	if took := time.Since(begun); took > 2*time.Second {
		t.Errorf("ending took %v", took)
	}
	time.Sleep(2200 * time.Millisecond)
	if _, err := os.Stat(alive); err == nil {
		t.Error("a child lived on")
	}
}

func TestList(t *testing.T) {
	if r, _, err := run(t.Context(), t, scripts.Config{Workspace: t.TempDir()}, "scripts.list", nil); err != nil || r.Say != "You have no scripts. Put some into the folder scripts of my workspace." {
		t.Errorf("said %q, error %v", r.Say, err)
	}
	dir, put := workspace(t)
	put("b.sh", 0o600, "")
	put("a.py", 0o600, "")
	put("c.txt", 0o600, "")
	if r, _, err := run(t.Context(), t, scripts.Config{Workspace: dir}, "scripts.list", nil); err != nil || r.Say != "You have 2 scripts: a.py and b.sh." {
		t.Errorf("said %q, error %v", r.Say, err)
	}
}

func TestPolicy(t *testing.T) {
	dir, put := workspace(t)
	put("x.sh", 0o700, "#!/bin/sh\ntouch ran\n")
	b := tool.New(tool.Config{})
	if err := b.Add(scripts.Tools(scripts.Config{Workspace: dir})...); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Call(t.Context(), *tool.CallOf("scripts.run", order{"x", nil})); !errors.Is(err, tool.ErrDenied) {
		t.Errorf("without anyone to ask: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "scripts", "ran")); err == nil {
		t.Error("it ran")
	}
	for _, s := range b.Specs() {
		if s.Name == "scripts.run" && (s.Class != models.Dangerous || !s.Outside || s.Ask == "") {
			t.Errorf("spec is %+v", s)
		}
	}
	var c scripts.Config
	if _, err := config.Load(&c, config.Sources{Flags: []string{"limit=5m"}}); err != nil || c.Limit != 5*time.Minute || c.MaxOutput != 20000 {
		t.Errorf("settings %+v, %v", c, err)
	}
}
