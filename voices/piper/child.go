package piper

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/core/proc"
	"github.com/solo-assistant/solo/voices/internal/clerk"
)

// key is the program that speaks with v at a pace, to the nearest twentieth.
func (e *Engine) key(v Installed, pace float64) key {
	k := key{path: v.Path, speaker: v.speaker}
	if pace != 0 && pace != 1 {
		pace = min(max(pace, 0.5), 3)
		k.length = float64(int(v.stretch/pace*20+0.5)) / 20
		k.length = max(k.length, 0.05)
	}
	return k
}

// open describes the program for a key.
func (e *Engine) open(k key) (teller, error) {
	c := clerk.Config[string, audio.Clip]{
		Proc: proc.Config{Name: "piper", Path: e.build.path, Args: e.arguments(k), Words: 12,
			Env: []string{"PYTHONUNBUFFERED=1", "PYTHONUTF8=1"}},
		Idle: e.conf.KeepIdle, Gone: func() { e.conf.Log.Debug().Str("voice", k.path).Msg("piper has ended") },
	}
	if e.build.kind == mit && runtime.GOOS != "windows" { // there it writes WAVs as if they were text
		c.Do = stream
		return clerk.New(c), nil
	}
	err := os.MkdirAll(cmp.Or(e.conf.Temp, os.TempDir()), 0o700)
	dir := ""
	if err == nil {
		dir, err = os.MkdirTemp(e.conf.Temp, "solo-piper-")
	}
	if err != nil {
		return nil, fmt.Errorf("making a folder for sound: %w", err)
	}
	f := folder(dir)
	c.Proc.Args = append(c.Proc.Args, "--output_dir", dir)
	c.Do, c.Keep, c.Lines = f.take, f.names, true
	return &housed{clerk.New(c), dir}, nil
}

// housed is a program with a folder of its own.
type housed struct {
	*clerk.Clerk[string, audio.Clip]
	dir string
}

func (h *housed) Close() error {
	_ = h.Clerk.Close() // it cannot fail
	return os.RemoveAll(h.dir)
}

// arguments of the program. All builds take the names with low lines.
func (e *Engine) arguments(k key) []string {
	args := append(append([]string{}, e.build.args...), "--model", k.path)
	if k.speaker >= 0 {
		args = append(args, "--speaker", strconv.Itoa(k.speaker))
	}
	if k.length > 0 {
		args = append(args, "--length_scale", strconv.FormatFloat(k.length, 'f', 2, 64))
	}
	if e.build.pauses {
		args = append(args, "--sentence_silence", strconv.FormatFloat(e.conf.Pause, 'f', 2, 64))
	}
	if e.conf.CUDA && e.build.cuda != "" {
		args = append(args, e.build.cuda)
	}
	if dir := e.build.phonemes(); dir != "" {
		args = append(args, "--espeak_data", dir)
	}
	if e.build.kind == mit && runtime.GOOS != "windows" {
		args = append(args, "--output_file", "-")
	}
	return args
}

// phonemes is the folder of espeak-ng's data where a C++ build does not have it beside itself, "" where it has.
func (b build) phonemes() string {
	if b.kind == python {
		return ""
	}
	real, err := filepath.EvalSymlinks(b.path)
	if err != nil {
		real = b.path
	}
	if _, err := os.Stat(filepath.Join(filepath.Dir(real), "espeak-ng-data")); err == nil {
		return ""
	}
	for _, dir := range []string{filepath.Join(filepath.Dir(real), "..", "share", "espeak-ng-data"), "/usr/share/espeak-ng-data", "/usr/lib/x86_64-linux-gnu/espeak-ng-data", "/usr/lib/aarch64-linux-gnu/espeak-ng-data", "/usr/local/share/espeak-ng-data"} {
		if _, err := os.Stat(dir); err == nil {
			return dir
		}
	}
	return ""
}

// stream has a line spoken by a program that answers with a WAV on stdout.
func stream(w *clerk.Wires, text string) (audio.Clip, error) {
	if _, err := w.Out.Discard(w.Out.Buffered()); err != nil { // what came unasked
		return audio.Clip{}, err
	}
	if _, err := io.WriteString(w.In, text+"\n"); err != nil {
		return audio.Clip{}, err
	}
	return readFrame(w.Out)
}

// folder is where a program puts its WAVs.
type folder string

// names is whether a line tells of a WAV in the folder.
func (f folder) names(line string) bool { return f.path(line) != "" }

// path is the file that a line tells of: the path alone, or "INFO:__main__:Wrote PATH".
func (f folder) path(line string) string {
	i := strings.Index(line, string(f))
	if i < 0 {
		return ""
	}
	path := strings.TrimSpace(line[i:])
	if filepath.Dir(path) != filepath.Clean(string(f)) || filepath.Ext(path) != ".wav" {
		return ""
	}
	return path
}

// take has a line spoken by a program that puts a WAV into the folder and tells its path.
func (f folder) take(w *clerk.Wires, text string) (audio.Clip, error) {
	if _, err := io.WriteString(w.In, text+"\n"); err != nil {
		return audio.Clip{}, err
	}
	line, err := w.Line()
	if err != nil {
		return audio.Clip{}, err
	}
	path := f.path(line)
	defer os.Remove(path) // where it cannot be yet, it goes with the folder
	return readWhole(path)
}
