package packages

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// parser is a folder that holds the parser beside the program that drives it. npm fills it once for each lock file.
func parser(t *testing.T) (dir, node string) {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("skipped: no node")
	}
	npm, err := exec.LookPath("npm")
	if err != nil {
		t.Skip("skipped: no npm")
	}
	lock, err := os.ReadFile(filepath.Join("syntax", "package-lock.json"))
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(lock, []byte(`"resolved"`)) {
		t.Error("the lock file names a registry")
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = t.TempDir()
	}
	dir = filepath.Join(cache, "solo-tests", fmt.Sprintf("syntax-%x", sha256.Sum256(lock))[:24])
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"package.json", "package-lock.json", ".npmrc", "parse.mjs"} {
		text, err := os.ReadFile(filepath.Join("syntax", name))
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), text, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	done := filepath.Join(dir, "done")
	if _, err := os.Stat(done); err == nil {
		return dir, node
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	ci := exec.CommandContext(ctx, npm, "ci", "--ignore-scripts")
	ci.Dir, ci.WaitDelay = dir, 5*time.Second
	if out, err := ci.CombinedOutput(); err != nil {
		t.Skipf("skipped: npm could not fetch the parser: %v: %s", err, bytes.TrimSpace(out))
	}
	if err := os.WriteFile(done, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	return dir, node
}

// parsed is what the parser says of one file.
type parsed struct {
	File   string
	Errors []struct {
		Line, Column int
		What         string
	}
	Commands []string
	Data     map[string]any // of YAML
}

func parse(t *testing.T, files ...string) (out []parsed) {
	t.Helper()
	dir, node := parser(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	run := exec.CommandContext(ctx, node, append([]string{"--liftoff-only", "parse.mjs"}, files...)...) // the better compiler takes 6 s for the grammar
	run.Dir, run.WaitDelay = dir, 5*time.Second
	text, err := run.Output()
	if err != nil {
		t.Fatal(err)
	}
	for in := bufio.NewScanner(bytes.NewReader(text)); in.Scan(); {
		var p parsed
		if err := json.Unmarshal(in.Bytes(), &p); err != nil {
			t.Fatalf("%q: %v", in.Text(), err)
		}
		out = append(out, p)
	}
	return out
}

// cmdlets are the commands that the scripts may use: what Windows PowerShell 5.1 brings, and programs that a script
// looks for before it calls them.
var cmdlets = strings.Fields(`& Add-Type Copy-Item Expand-Archive Get-ChildItem Get-Command Get-FileHash Invoke-WebRequest Join-Path New-Item New-Object
	Out-Null Pop-Location Push-Location Remove-Item Resolve-Path Select-Object Select-String Set-Location Test-Path Unblock-File Where-Object Write-Host
	go git npm Have pack unpack .\bin\solo.exe`)

func TestPowerShellParses(t *testing.T) {
	files, err := filepath.Glob("../../scripts/*.ps1")
	if err != nil || len(files) < 3 {
		t.Fatal(files, err)
	}
	files = append(files, "../../voices/sapi/sapi.ps1")
	for i := range files {
		if files[i], err = filepath.Abs(files[i]); err != nil {
			t.Fatal(err)
		}
	}
	got := parse(t, files...)
	if len(got) != len(files) {
		t.Fatalf("%d of %d files were parsed", len(got), len(files))
	}
	for _, p := range got {
		for _, e := range p.Errors {
			t.Errorf("%s:%d:%d: %s", p.File, e.Line, e.Column, e.What)
		}
		for _, c := range p.Commands {
			if !slices.Contains(cmdlets, c) {
				t.Errorf("%s: %s is no command that every Windows has", p.File, c)
			}
		}
	}
}

// The parser does find what is wrong.
func TestPowerShellFaultsAreFound(t *testing.T) {
	var files []string
	for i, text := range []string{`Write-Host "open`, `if (Test-Path x { Write-Host a }`, `foreach ($x in ) { }`, `$a = @{ b = 1 `, `while ($true { }`} {
		path := filepath.Join(t.TempDir(), fmt.Sprintf("%d.ps1", i))
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, path)
	}
	for _, p := range parse(t, files...) {
		if len(p.Errors) == 0 {
			text, _ := os.ReadFile(p.File)
			t.Errorf("no fault in %s", text)
		}
	}
}

// A script that nobody could run says so in its head.
func TestWhatWasNotRunSaysSo(t *testing.T) {
	files, err := filepath.Glob("../../scripts/*.ps1")
	more, err2 := filepath.Glob("../../scripts/*.bat")
	if err != nil || err2 != nil || len(more) == 0 {
		t.Fatal(err, err2, more)
	}
	for _, path := range append(files, more...) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		head := strings.Join(strings.SplitN(string(text), "\n", 12)[:8], "\n")
		if !strings.Contains(head, "not run") {
			t.Errorf("%s does not say in its first lines that it was not run", path)
		}
		for n, r := range string(text) {
			if r > '~' {
				t.Errorf("%s: %q at byte %d: PowerShell 5.1 reads a file without a mark as its old code page", path, r, n)
				break
			}
		}
	}
}

// Every shell script is one, by the shell that its first line names.
func TestShellParses(t *testing.T) {
	files, err := filepath.Glob("../../scripts/*.sh")
	if err != nil || len(files) < 5 {
		t.Fatal(files, err)
	}
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		first, _, _ := strings.Cut(string(text), "\n")
		shell := "bash"
		if first == "#!/bin/sh" {
			shell = "sh"
		}
		if _, err := exec.LookPath(shell); err != nil {
			t.Skip("skipped: no " + shell)
		}
		if out, err := exec.Command(shell, "-n", path).CombinedOutput(); err != nil {
			t.Errorf("%s: %v: %s", path, err, out)
		}
		if info, err := os.Stat(path); err != nil || strings.HasPrefix(first, "#!") != (info.Mode()&0o111 != 0) {
			t.Errorf("%s: a script that names its shell can be started, and no other: %v", path, err)
		}
	}
}
