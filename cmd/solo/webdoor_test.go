package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/fasthttp/websocket"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/voices"
	"github.com/solo-assistant/solo/voices/flite"
)

// visit is a running Solo and its web door.
type visit struct {
	t     *testing.T
	home  string
	url   string
	token string
}

// openHouse starts a Solo without microphone and waits until its door is open.
func openHouse(t *testing.T, args ...string) visit {
	t.Helper()
	home := t.TempDir()
	_, out := process(t, home, append([]string{"run", "--no-input", "--port", "0", "--set", "ptt.mode=off"}, args...)...)
	v := visit{t: t, home: home}
	v.wait(out, "listening", func(l lineOf) {
		v.url = l.text("url")
		token, err := os.ReadFile(l.text("token_file"))
		if err != nil {
			t.Fatal(err)
		}
		v.token = strings.TrimSpace(string(token))
	})
	v.wait(out, "ready", func(lineOf) {})
	return v
}

// wait waits until the program has printed a line of an event.
func (v visit) wait(out *lockedBuffer, event string, told func(lineOf)) {
	v.t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		for line := range strings.Lines(out.String()) {
			var l lineOf
			if json.Unmarshal([]byte(line), &l) == nil && l.text("event") == event {
				told(l)
				return
			}
		}
	}
	v.t.Fatalf("no line of %s in %s", event, out.String())
}

// ask sends a request and reads the answer's JSON into out, where that is not nil.
func (v visit) ask(method, path string, body any, out any) int {
	v.t.Helper()
	var in io.Reader
	kind := "application/json"
	switch b := body.(type) {
	case nil:
	case []byte:
		in, kind = bytes.NewReader(b), "application/octet-stream"
	default:
		text, err := json.Marshal(b)
		if err != nil {
			v.t.Fatal(err)
		}
		in = bytes.NewReader(text)
	}
	r, err := http.NewRequestWithContext(v.t.Context(), method, v.url+path, in)
	if err != nil {
		v.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+v.token)
	r.Header.Set("Content-Type", kind)
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		v.t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		v.t.Fatal(err)
	}
	if raw, ok := out.(*[]byte); ok {
		*raw = text
	} else if out != nil {
		if err := json.Unmarshal(text, out); err != nil {
			v.t.Fatalf("%s %s: %d %s", method, path, resp.StatusCode, text)
		}
	}
	return resp.StatusCode
}

type object = map[string]any

func (v visit) say(session, text string) string {
	v.t.Helper()
	var out struct{ Reply string }
	if code := v.ask("POST", "/chat", object{"session_id": session, "message": text}, &out); code != 200 {
		v.t.Fatalf("%q: %d", text, code)
	}
	return out.Reply
}

func TestTheWebDoor(t *testing.T) {
	v := openHouse(t)
	t.Run("two talks do not mix", func(t *testing.T) {
		v.say("kitchen", "add milk to my list")
		v.say("kitchen", "add bread to my list")
		if asked := v.say("kitchen", "delete all my tasks"); !strings.HasSuffix(asked, "?") {
			t.Skipf("nothing was asked: %s", asked)
		}
		v.say("study", "yes")
		var list struct{ Tasks []object }
		if v.ask("GET", "/tasks", nil, &list); len(list.Tasks) != 2 {
			t.Errorf("a yes of another talk was taken: %v", list.Tasks)
		}
		v.say("kitchen", "yes")
		if v.ask("GET", "/tasks", nil, &list); len(list.Tasks) != 0 {
			t.Errorf("still %v", list.Tasks)
		}
	})
	t.Run("rooms", func(t *testing.T) {
		v.say("", "remember that the spare key hangs behind the clock")
		v.say("", "set a timer for ten minutes")
		var memories struct {
			Memories []struct {
				ID   int64
				Text string
			}
		}
		v.ask("GET", "/memories?q=spare+key", nil, &memories)
		if len(memories.Memories) != 1 || !strings.Contains(memories.Memories[0].Text, "behind the clock") {
			t.Fatalf("%+v", memories)
		}
		if code := v.ask("DELETE", "/memories/"+jsonOf(memories.Memories[0].ID), nil, nil); code != 204 {
			t.Errorf("forgetting: %d", code)
		}
		var promises struct {
			Promises []struct {
				ID   int64
				Kind string
				Left int64 `json:"left_ms"`
			}
		}
		v.ask("GET", "/promises", nil, &promises)
		if len(promises.Promises) != 1 || promises.Promises[0].Left < 500_000 {
			t.Fatalf("%+v", promises)
		}
		if code := v.ask("DELETE", "/promises/"+jsonOf(promises.Promises[0].ID)+"?kind=timer", nil, nil); code != 204 {
			t.Errorf("cancelling: %d", code)
		}
		var dialogues struct {
			Dialogues []struct{ Heard, Spoken string }
		}
		v.ask("GET", "/dialogues?n=1", nil, &dialogues)
		if len(dialogues.Dialogues) != 1 || dialogues.Dialogues[0].Heard != "set a timer for ten minutes" {
			t.Errorf("%+v", dialogues)
		}
	})
	t.Run("status", v.status)
	t.Run("speech and recordings", v.speech)
}

func jsonOf(v any) string { text, _ := json.Marshal(v); return string(text) }

func (v visit) status(t *testing.T) {
	var s struct {
		State    string
		Services []struct{ Name, State string }
		Engines  map[string]string
		Process  struct {
			RSS        int64 `json:"rss_bytes"`
			Goroutines int
		}
		Database struct{ OK bool }
		Bus      []object
		Note     string `json:"gpu_note"`
		GPU      []object
	}
	for end := time.Now().Add(20 * time.Second); !s.Database.OK && time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		v.ask("GET", "/status", nil, &s)
	}
	if s.State != "idle" || len(s.Services) < 8 || s.Engines["tts"] == "" || s.Process.RSS < 1<<20 || s.Process.Goroutines < 5 || len(s.Bus) == 0 {
		t.Errorf("%+v", s)
	}
	if len(s.GPU) == 0 && s.Note != "no NVIDIA GPU found" {
		t.Errorf("no card and %q", s.Note)
	}
	if code := v.ask("GET", "/readyz", nil, nil); code != 200 {
		t.Errorf("not ready: %d", code)
	}
}

func (v visit) speech(t *testing.T) {
	var said []byte
	if code := v.ask("POST", "/v1/audio/speech", object{"model": "tts-1", "voice": "alloy", "input": "what time is it", "response_format": "wav"}, &said); code != 200 {
		t.Fatalf("%d %s", code, said)
	}
	var heard struct{ Text string }
	if code := v.ask("POST", "/transcribe", said, &heard); code != 200 || heard.Text == "" {
		t.Errorf("%d %+v", code, heard)
	}
	t.Logf("heard %q", heard.Text)
	if code := v.ask("POST", "/v1/audio/speech", object{"voice": "nobody at all", "input": "hello"}, nil); code != 400 {
		t.Errorf("an unknown voice: %d", code)
	}
}

// The browser's button: what is said while it is held is heard, and the answer comes back as sound.
func TestTalkByBrowser(t *testing.T) {
	v := openHouse(t)
	conn, resp, err := websocket.DefaultDialer.DialContext(t.Context(), strings.Replace(v.url, "http", "ws", 1)+"/ws/audio?session_id=page",
		http.Header{"Authorization": {"Bearer " + v.token}, "Origin": {v.url}})
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	defer conn.Close()
	if _, hello, err := conn.ReadMessage(); err != nil || !strings.Contains(string(hello), `"hello"`) {
		t.Fatalf("%s %v", hello, err)
	}
	send := func(kind string) {
		if err := conn.WriteMessage(websocket.TextMessage, []byte(`{"type":"`+kind+`"}`)); err != nil {
			t.Fatal(err)
		}
	}
	go func() { // beside the reading below
		send("down")
		pcm := spokenQuestion(t)
		for len(pcm) > 0 {
			n := min(len(pcm), audio.FrameLen)
			raw := make([]byte, 0, 2*n)
			for _, s := range pcm[:n] {
				raw = binary.LittleEndian.AppendUint16(raw, uint16(s))
			}
			pcm = pcm[n:]
			if conn.WriteMessage(websocket.BinaryMessage, raw) != nil {
				return
			}
			time.Sleep(20 * time.Millisecond)
		}
		send("up")
	}()
	_ = conn.SetReadDeadline(time.Now().Add(20 * time.Second))
	var answer []int16
	for quiet := 0; len(answer) < audio.Rate && quiet < 40; {
		kind, data, err := conn.ReadMessage()
		if err != nil {
			t.Fatalf("after %d samples: %v", len(answer), err)
		}
		if kind != websocket.BinaryMessage {
			quiet++
			continue
		}
		for i := 0; i+1 < len(data); i += 2 {
			answer = append(answer, int16(binary.LittleEndian.Uint16(data[i:])))
		}
	}
	if level := audio.Level(answer); level < -40 {
		t.Errorf("the answer is too quiet: %.1f dBFS", level)
	}
	var dialogues struct {
		Dialogues []struct{ Heard, Reply string }
	}
	for end := time.Now().Add(10 * time.Second); len(dialogues.Dialogues) == 0 && time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		v.ask("GET", "/dialogues", nil, &dialogues)
	}
	if len(dialogues.Dialogues) != 1 || dialogues.Dialogues[0].Heard != "what time is it" || !strings.HasPrefix(dialogues.Dialogues[0].Reply, "It's") {
		t.Errorf("%+v", dialogues)
	}
}

// spokenQuestion is "what time is it" with silence around it.
func spokenQuestion(t *testing.T) []int16 {
	v, err := flite.New()
	if err != nil {
		t.Skip("skipped: " + err.Error())
	}
	pcm := make([]int16, audio.Rate/4)
	for c, err := range v.Synthesize(t.Context(), voices.Phrase{Text: "what time is it"}) {
		if err != nil {
			t.Error(err)
			return pcm
		}
		pcm = append(pcm, c.Mono16k().PCM...)
	}
	return append(pcm, make([]int16, audio.Rate/4)...)
}

func TestDashboardNeedsARunningSolo(t *testing.T) {
	code, lines := solo(t, t.TempDir(), "", "dashboard", "--no-open")
	if code != 1 || len(only(lines, "error")) != 1 || only(lines, "error")[0].text("code") != "not_running" {
		t.Errorf("%d %v", code, lines)
	}
	v := openHouse(t)
	code, lines = solo(t, v.home, "", "dashboard", "--no-open")
	if code != 0 || len(lines) != 1 || !strings.HasPrefix(lines[0].text("url"), v.url+"/login?once=") {
		t.Errorf("%d %v", code, lines)
	}
	if mode, err := os.Stat(filepath.Join(v.home, "data", "token")); err != nil || mode.Mode().Perm() != 0o600 {
		t.Errorf("the token's file: %v %v", mode, err)
	}
}
