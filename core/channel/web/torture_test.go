package web_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/bus"
	"github.com/solo-assistant/solo/core/channel/web"
)

// odd are JSON values, and texts that only look like one, which a program may meet in any place.
var odd = []string{
	// kinds
	`null`, `true`, `false`, `0`, `1`, `-1`, `""`, `" "`, `[]`, `{}`, `[null]`, `[[]]`, `[{}]`, `{"":null}`, `{"a":{"a":{"a":1}}}`, `[1,"1",true,null,{}]`,
	// numbers
	`-0`, `0.0`, `1.0`, `1e0`, `1E+2`, `1e-400`, `1e400`, `-1e400`, `1e999999999`, `9223372036854775807`, `9223372036854775808`, `-9223372036854775809`, `18446744073709551616`,
	`0.1e1`, `123456789012345678901234567890`, `1.` + strings.Repeat("3", 400), strings.Repeat("9", 5000), `-` + strings.Repeat("9", 5000) + `e` + strings.Repeat("9", 30), `2.2250738585072012e-308`, `4.9e-324`,
	`01`, `+1`, `.5`, `5.`, `1e`, `1e+`, `0x10`, `1_000`, `NaN`, `Infinity`, `-Infinity`, `--1`, `1-`, `１`,
	// texts
	`"\u0000"`, `"a\u0000b"`, `"\ud800"`, `"\udfff"`, `"\ud800\ud800"`, `"\udc00\ud800"`, `"\ud83d\ude00"`, `"\uD83D"`, `"\u202e\u2066"`, `"\ufeff"`, `"\ufffe\uffff"`, `"\u0085\u2028\u2029"`, `"\u001b[31m"`, `"\b\f\n\r\t\/\\\""`,
	`"` + strings.Repeat("a", 70000) + `"`, `"` + strings.Repeat(`\u0041`, 9000) + `"`, `"` + strings.Repeat(`\ud800`, 3000) + `"`, `"` + strings.Repeat("e\u0301", 5000) + `"`, `"` + strings.Repeat("\u0300", 20000) + `"`, `"../../../etc/passwd"`,
	`"'; DROP TABLE turns; --"`, `"<script>alert(1)</script>"`, `"{{.}}${x}%s%n%d"`, `"$(reboot)"`, `"\r\nSet-Cookie: a=b\r\n\r\n"`, `"data: x\n\nevent: y"`, `"file:///etc/passwd"`, `"http://169.254.169.254/"`, `"|id"`, `"-rf"`, `"con"`, `"\\\\host\\share"`,
	`"\x41"`, `"\u12"`, `"\u12G4"`, `"\a"`, `"\`, `"`, `"a`, `'a'`, "\"a\nb\"", "\"a\tb\"", "\"\x00\"", "\"\x1f\"", "\"\x7f\"", "\"\xff\"", "\"\xc0\x80\"", "\"\xed\xa0\x80\"", "\"\xf4\x90\x80\x80\"", "\"\xf8\x88\x80\x80\x80\"", "\"\xe2\x28\xa1\"", "\"\x80\"", "\"abc\xc3\"", "\"\xef\xbf\xbe\"",
	// nests
	strings.Repeat("[", 9000) + strings.Repeat("]", 9000), strings.Repeat("[", 11000) + strings.Repeat("]", 11000), strings.Repeat(`{"a":`, 9000) + "1" + strings.Repeat("}", 9000), strings.Repeat(`{"a":`, 11000) + "1" + strings.Repeat("}", 11000),
	strings.Repeat("[", 50000), strings.Repeat(`{"a":`, 50000), strings.Repeat("[{", 20000), strings.Repeat(`[{"a":[`, 9000), strings.Repeat("]", 5000), strings.Repeat("}", 5000), `[` + strings.Repeat("1,", 50000) + `1]`, `{` + strings.Repeat(`"a":1,`, 20000) + `"a":1}`,
	`[` + strings.Repeat(`{},`, 20000) + `{}]`, `[` + strings.Repeat(`"",`, 30000) + `""]`, `[` + strings.Repeat("null,", 20000) + `null]`,
	// what is no JSON
	`[1,]`, `[,1]`, `[1 2]`, `[1`, `[1}`, `{"a"}`, `{"a":}`, `{:1}`, `{"a":1,}`, `{,}`, `{"a" 1}`, `{a:1}`, `{"a":1 "b":2}`, `{"a"::1}`, `{1:1}`, `{null:1}`, `{[]:1}`, `{"a":1}}`, `[]]`, `nul`, `truefalse`, `TRUE`, `True`, `None`, `undefined`,
	`// a`, `/* a */ 1`, `1 // a`, `#`, `1;`, `1,2`, `1 2`, `{"a":1}{"a":2}`, "\ufeff1", "\x00", "\x00\x00\x00\x00", "\xff\xfe{\x00}\x00", "1\x00", "\x1a", "\u00a01", "\u20281", "\v1", "\f1", `<a>1</a>`, `a=1&b=2`, `--- a: 1`, `(1)`, `eval(1)`, `"a" + "b"`, "`a`", `@`, `\u0031`, `%7B%7D`,
}

// shapes are whole bodies that no place above makes.
var shapes = []string{"", " ", "\n", "\r\n\r\n", "\t{}\t", "{} ", "{}\x00", "{}{}", "{}[]", "{}garbage", "{}\n{}\n", `{"message":"a","message":{"a":1}}`, `{"Message":"a","mESSAGE":"b","message":"c"}`, `{"message\u0000":"a"}`, `{"\u006dessage":"a"}`,
	`{"__proto__":{"admin":true}}`, `{"constructor":{"prototype":{}}}`, `{"$ref":"#"}`, `{"$schema":"http://x"}`, `{"":""}`, `{" message":"a"}`, `{"message ":"a"}`, `{"\ud800":1}`, "{\"\xff\":1}", `{"` + strings.Repeat("k", 60000) + `":1}`, `{"message":"a"` + strings.Repeat(" ", 60000) + `}`}

// places are the fields of each route that takes JSON, with bodies that are right but for one hole.
var places = map[string][]string{
	"/chat":                    {`{"message":%s}`, `{"message":"a","session_id":%s}`, `{"message":"a","user_id":%s}`},
	"/command":                 {`{"tool":%s}`, `{"tool":"echo","arguments":%s}`, `{"tool":"echo","session_id":%s}`},
	"/services/restart":        {`{"name":%s}`},
	"/approvals/ab12":          {`{"granted":%s}`},
	"/v1/embeddings":           {`{"model":"tiny","input":%s}`, `{"model":%s,"input":"a"}`, `{"model":"tiny","input":"a","encoding_format":%s}`},
	"/v1/audio/speech":         {`{"input":%s}`, `{"input":"a","voice":%s}`, `{"input":"a","speed":%s}`, `{"input":"a","response_format":%s}`},
	"/v1/chat/completions":     {`{"model":%s,"messages":[{"role":"user","content":"a"}]}`, `{"model":"solo","messages":%s}`, `{"model":"tiny","messages":[%s]}`, `{"model":"tiny","messages":[{"role":%s,"content":"a"}]}`, `{"model":"tiny","messages":[{"role":"user","content":%s}]}`, `{"model":"tiny","messages":[{"role":"user","content":[{"type":"text","text":%s}]}]}`, `{"model":"tiny","messages":[{"role":"user","content":"a"}],"tools":[{"type":"function","function":{"name":"f","parameters":%s}}]}`, `{"model":"tiny","messages":[{"role":"assistant","tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":%s}}]}]}`, `{"model":"tiny","messages":[{"role":"user","content":"a"}],"response_format":{"type":"json_schema","json_schema":{"schema":%s}}}`, `{"model":"tiny","messages":[{"role":"user","content":"a"}],"stop":%s}`, `{"model":"tiny","messages":[{"role":"user","content":"a"}],"stream":%s}`, `{"model":"tiny","messages":[{"role":"user","content":"a"}],"temperature":%s}`},
	"/transcribe":              {`%s`},
	"/v1/audio/transcriptions": {`%s`},
	"/documents":               {`%s`},
	"/projects":                {`{"name":%s}`, `{"name":"a","parent":%s}`, `{"name":"a","progress":%s}`, `{"name":"a","priority":%s}`, `{"name":"a","status":%s}`, `{"name":"a","domain":%s}`},
	"/links":                   {`%s`},
	"/logout":                  {`%s`},
}

// Speak says nothing, and fast.
func (calm) Speak(context.Context, string, string, float64) (audio.Clip, error) {
	return audio.Clip{Format: audio.Format{Rate: 16000, Channels: 1}, PCM: make([]int16, 160)}, nil
}

// stocked is a door behind which everything is there, and nothing is ever upset by what it is asked.
func stocked(t testing.TB, change ...func(*web.Config)) *home {
	b := new(bus.Bus)
	return openDoor(t, func(c *web.Config) {
		c.Assistant, c.Models, c.Hear, c.Voice, c.Status, c.Bus, c.Rate, c.AtOnce = calm{}, &choir{}, scribe{}, calm{}, status, b, 0, 64
		c.Rooms, c.Page = newHouse().rooms(), fstest.MapFS{"index.html": {Data: []byte("<p>hello")}}
		c.Rooms.Projects = &drawer{web.ProjectView{ID: 7, Name: "Career", Status: "active"}}
		c.Restart = func(string) error { return nil }
		for _, f := range change {
			f(c)
		}
	})
}

// tortured sends one body and complains of an answer that a good server does not give.
func (h *home) tortured(path, body string) {
	kind := "application/json"
	if path == "/transcribe" {
		kind = ""
	}
	resp, text, err := h.try("POST", path, body, header{"Content-Type": kind})
	if err != nil {
		h.t.Errorf("%s %.100q: %v", path, body, err)
		return
	}
	if resp.StatusCode >= 500 || resp.StatusCode >= 400 && codeOf(text) == "" {
		h.t.Errorf("%s %.100q: got %d %.300s", path, body, resp.StatusCode, text)
	}
	if kind := resp.Header.Get("Content-Type"); strings.HasPrefix(kind, "application/json") && !json.Valid([]byte(text)) {
		h.t.Errorf("%s %.100q: the answer is no JSON: %.300q", path, body, text)
	}
}

// No text, in whatever place of whatever route, makes the server fail.
func TestJSONTorture(t *testing.T) {
	t.Parallel()
	if n := len(odd) + len(shapes); n < 150 {
		t.Fatalf("only %d texts", n)
	}
	h := stocked(t)
	var doc document
	if err := json.Unmarshal([]byte(h.wants(200, "", "GET", "/openapi.json", "", nil)), &doc); err != nil {
		t.Fatal(err)
	}
	for path, ops := range doc.Paths {
		if path = strings.Replace(path, "{id}", "ab12", 1); ops["post"].Summary != "" && places[path] == nil {
			t.Errorf("nothing is tried at %s", path)
		}
	}
	soak := os.Getenv("SOLO_SOAK") == "1" // every text in every place
	var all []func()
	for path, holes := range places {
		for _, text := range slices.Concat(odd, shapes) {
			all = append(all, func() { h.tortured(path, text) })
		}
		for i, hole := range holes {
			for k, text := range odd {
				if hole != "%s" && (i == 0 || soak || k%4 == i%4 && len(text) < 1000) { // else it takes a while
					all = append(all, func() { h.tortured(path, fmt.Sprintf(hole, text)) })
				}
			}
		}
	}
	var workers sync.WaitGroup
	for i := range 8 {
		workers.Go(func() {
			for k := i; k < len(all); k += 8 {
				all[k]()
			}
		})
	}
	workers.Wait()
	t.Logf("%d texts made %d requests", len(odd)+len(shapes), len(all))
	h.wants(200, "", "GET", "/status", "", nil)
}
