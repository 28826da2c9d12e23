package clients

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
	"strings"
	"testing"
	"time"
)

// installed is a folder that holds the npm client beside the program that drives it. npm fills it once for each lock file.
func installed(t *testing.T) (dir, node string) {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("skipped: no node")
	}
	npm, err := exec.LookPath("npm")
	if err != nil {
		t.Skip("skipped: no npm")
	}
	lock, err := os.ReadFile(filepath.Join("npm", "package-lock.json"))
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
	dir = filepath.Join(cache, "solo-tests", fmt.Sprintf("clients-%x", sha256.Sum256(lock))[:24])
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"package.json", "package-lock.json", ".npmrc", "drive.mjs"} {
		text, err := os.ReadFile(filepath.Join("npm", name))
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
		for _, away := range []string{"ENOTFOUND", "ECONN", "ETIMEDOUT", "EAI_AGAIN", "ENETUNREACH", "E401", "E403", "E50", "network"} {
			if strings.Contains(string(out), away) || ctx.Err() != nil {
				t.Skip("skipped: the npm registry cannot be reached")
			}
		}
		t.Fatalf("npm ci: %v\n%s", err, out)
	}
	if err := os.WriteFile(done, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	return dir, node
}

// failed is what the client makes of an error.
func failed(class string, status int, code string) string {
	return fmt.Sprintf(`{"error":%q,"status":%d,"code":%q,`, class, status, code)
}

func TestNpmClient(t *testing.T) {
	dir, node := installed(t)
	url, token, begun := door(t)
	drained := make(chan struct{})
	go func() { defer close(drained); <-begun }() // the driver asks until one waits
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	run := exec.CommandContext(ctx, node, "drive.mjs")
	run.Dir, run.WaitDelay = dir, 5*time.Second
	run.Env = append(os.Environ(), "SOLO_URL="+url, "SOLO_TOKEN="+token, "SOLO_WAV="+recording(t))
	var errs bytes.Buffer
	run.Stderr = &errs
	out, err := run.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, errs.String())
	}
	<-drained
	got := map[string]string{}
	for in := bufio.NewScanner(bytes.NewReader(out)); in.Scan(); {
		var l struct {
			Step string
			Got  json.RawMessage
		}
		if err := json.Unmarshal(in.Bytes(), &l); err != nil {
			t.Fatalf("%q: %v", in.Text(), err)
		}
		got[l.Step] = string(l.Got)
	}
	for step, want := range map[string]string{
		"models":                    `["solo","llama/tiny"]`,
		"model":                     `"llama/tiny"`,
		"chat":                      `["assistant","You said: Hello.","stop"]`,
		"stream of solo":            `{"text":"You said: Hello.","finish":"stop","tokens":0,"several":true}`,
		"stream of a model":         `{"text":"Heard Hello.","finish":"stop","tokens":10,"several":true}`,
		"helper":                    `"Heard Hello."`,
		"tools":                     `["tool_calls",["weather","weather"],"Heard rain in Graz."]`,
		"tools run by the helper":   `["Heard sun in Graz.",["Bonn","Graz"]]`,
		"tools of solo":             failed("BadRequestError", 400, "no_client_tools"),
		"transcription":             `"turn on the lamp"`,
		"transcription with times":  `["turn on the lamp",1,1]`,
		"transcription as a stream": `["turn on the lamp","turn on the lamp"]`,
		"captions":                  `"1\n00:00:00,000 --> 00:00:01,000\nturn on the lamp\n\n"`,
		"no sound":                  failed("APIError", 415, "unsupported_media"),
		"speech":                    `["audio/wav","RIFF"]`,
		"embeddings":                `[[3,0.25,-1],[5,0.25,-1]]`,
		"embeddings as numbers":     `[3,0.25,-1]`,
		"wrong key":                 failed("AuthenticationError", 401, "no_token"),
		"no model":                  failed("NotFoundError", 404, "model_not_found"),
		"no words":                  failed("BadRequestError", 400, "invalid"),
		"busy":                      failed("RateLimitError", 429, "busy"),
	} {
		if !strings.HasPrefix(got[step], want) {
			t.Errorf("%s:\n got %s\nwant %s", step, got[step], want)
		}
		delete(got, step)
	}
	if len(got) > 0 {
		t.Errorf("unforeseen: %v", got)
	}
}
