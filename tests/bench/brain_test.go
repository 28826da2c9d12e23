package main

import (
	"bytes"
	"math"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/solo-assistant/solo/audio"
)

func TestReadDoor(t *testing.T) {
	d, err := readDoor("/x/llama-server\x00--alias\x00tiny\x00--port\x004711\x00--slots\x00", "HOME=/x\x00LLAMA_API_KEY=k3y\x00")
	if err != nil || d != (door{"http://127.0.0.1:4711/v1/chat/completions", "k3y", "tiny"}) {
		t.Errorf("%+v, %v", d, err)
	}
	if d, err = readDoor("llama-server\x00--api-key\x00k\x00--port\x001\x00", ""); err != nil || d.key != "k" {
		t.Errorf("%+v, %v", d, err)
	}
	for _, args := range []string{"", "llama-server\x00--slots\x00", "llama-server\x00--port"} {
		if _, err := readDoor(args, ""); err == nil {
			t.Errorf("%q has a port", args)
		}
	}
}

// Only pieces of the answer count as tokens: not the role, the usage or the end.
func TestReadBare(t *testing.T) {
	stream := `data: {"choices":[{"delta":{"role":"assistant","content":null}}]}

data: {"choices":[{"delta":{"content":"Once"}}]}

data: {"choices":[{"delta":{"content":" upon"}}]}

data: {"choices":[],"usage":{"completion_tokens":2}}

data: [DONE]
`
	var r reply
	if err := readBare(strings.NewReader(stream), time.Now().Add(-time.Second), &r); err != nil || r.tokens != 2 || r.first < 1000 {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestTokens(t *testing.T) {
	p := &paced{tokens: inTokens(`{"type":"reply","text":"It is so. Yes."}`)}
	if got := strings.Join(p.tokens, ""); got != `{"type":"reply","text":"It is so. Yes."}` {
		t.Errorf("the tokens make %s", got)
	}
	if at := p.tokenAt("It is so."); at < 0 || !strings.Contains(p.tokens[at], ".") {
		t.Errorf("the sentence ends in token %d", at)
	}
	for _, never := range []string{"", "It is not so."} {
		if at := p.tokenAt(never); at != -1 {
			t.Errorf("%q ends in token %d", never, at)
		}
	}
}

// What one asker breaks off is noted, and what only reads the prompt gets no answer.
func TestPacedServer(t *testing.T) {
	p, err := newPaced("It is so. Yes, it is.", 200)
	if err != nil {
		t.Fatal(err)
	}
	defer p.close()
	ask := func(body string) *http.Response {
		r, err := http.Post(p.url+"/chat/completions", "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	read := func(r *http.Response) string {
		defer r.Body.Close()
		var b bytes.Buffer
		if _, err := b.ReadFrom(r.Body); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	if got := read(ask(`{"max_tokens":0,"response_format":{}}`)); strings.Contains(got, "content") || !strings.HasSuffix(got, "data: [DONE]\n\n") {
		t.Errorf("a prompt alone is answered %s", got)
	}
	if got := read(ask(`{}`)); !strings.Contains(got, "They talked.") {
		t.Errorf("a text is answered %s", got)
	}
	began := time.Now()
	if got := read(ask(`{"response_format":{}}`)); strings.Count(got, `"content"`) != len(p.tokens) {
		t.Errorf("answered %s", got)
	}
	if least := time.Duration(len(p.tokens)) * 5 * time.Millisecond; time.Since(began) < least {
		t.Errorf("%d tokens took only %v", len(p.tokens), time.Since(began))
	}
	if r := ask(`{"response_format":{}}`); r.StatusCode == http.StatusOK {
		_, _ = r.Body.Read(make([]byte, 10))
		_ = r.Body.Close()
	}
	for limit := time.Now().Add(5 * time.Second); time.Now().Before(limit) && p.sayings()[1].closed.IsZero(); time.Sleep(time.Millisecond) {
	}
	all := p.sayings()
	if len(all) != 2 || all[0].whole.IsZero() || !all[0].closed.IsZero() || len(all[0].sent) != len(p.tokens) || !all[1].whole.IsZero() || all[1].closed.IsZero() {
		t.Errorf("%+v", all)
	}
}

func TestClosedAfter(t *testing.T) {
	at := func(n int) time.Time { return time.Unix(1000, 0).Add(ms(n)) }
	said := []saying{{asked: at(0), closed: at(500)}, {asked: at(1000), whole: at(1400)}, {asked: at(2000), closed: at(2600)}}
	for moment, want := range map[int]time.Time{400: at(500), 530: at(500), 900: {}, 1200: {}, 1600: {}, 2590: at(2600), 2620: at(2600), 2700: {}} {
		if got, ok := closedAfter(said, at(moment)); !got.Equal(want) || ok == want.IsZero() {
			t.Errorf("at %d: %v, %v", moment, got, ok)
		}
	}
}

// A tape of one question and one order: the answer sounds until 40 ms after the hit, and the order's own answer later.
func TestJudgeBarges(t *testing.T) {
	loud := slices.Repeat([]int16{8000, -8000}, audio.Rate/4) // half a second
	tp := &tape{}
	tp.turn(order{text: "why"}, "x", loud, loud, ms(100))
	tp.wait(ms(2000))
	tp.turn(order{text: "what time is it"}, "x", loud, loud, ms(300))
	tp.wait(ms(2000))
	start := time.Unix(1000, 0)
	word := tp.turns[1].wake + len(loud)
	hit := float64(word)/audio.Rate + 0.1
	moment := start.Add(time.Duration(hit * float64(time.Second)))
	lines := []line{{Event: "wake", At: 0.6, came: start.Add(ms(600))}, {Event: "wake", At: hit, came: moment.Add(ms(70))}}
	end := int(hit*audio.Rate) + samples(ms(40))
	played := make([]int16, len(tp.pcm)+audio.Rate)
	for i := tp.turns[0].to + 1000; i < end; i++ {
		played[i] = 3000
	}
	for i := tp.turns[1].to + 1000; i < len(played); i++ {
		played[i] = 3000
	}
	said := []saying{{asked: start.Add(ms(1200)), closed: moment.Add(ms(7))}}
	got := judgeBarges(tp, lines, played, said)
	if len(got) != 1 || math.Abs(got[0].hit-100) > 1 || math.Abs(got[0].said-140) > 1 || math.Abs(got[0].silence-40) > 1 || math.Abs(got[0].closed-7) > 1 {
		t.Fatalf("%+v", got)
	}
	// An answer that was silent anyway tells nothing.
	clear(played[:tp.turns[1].to])
	if got := judgeBarges(tp, lines, played, nil); len(got) != 1 || !math.IsNaN(got[0].silence) || !math.IsNaN(got[0].closed) {
		t.Errorf("%+v", got)
	}
	if got := judgeBarges(tp, lines[:1], played, said); len(got) != 0 {
		t.Errorf("without a hit: %+v", got)
	}
}

func TestChapter(t *testing.T) {
	text := chapter(300)
	if n := len(inTokens(text)); n < 300 || n > 330 || strings.ContainsAny(text, "\"\\\n") || !strings.HasSuffix(text, ".") {
		t.Errorf("%d tokens: %s", n, text)
	}
}

// Half of the tokens at twice the cost make a mean by tokens, not by replies.
func TestPerToken(t *testing.T) {
	s := side{{tokens: 100, cpu: time.Millisecond}, {tokens: 300, cpu: 9 * time.Millisecond}}
	if got := s.perToken(); got != 25 {
		t.Errorf("%v us", got)
	}
	if got := (side{}).perToken(); got != 0 {
		t.Errorf("of nothing: %v us", got)
	}
}

// A word is found where it is, however loud, and silence holds none.
func TestFound(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	word := make([]int16, 1600)
	for i := range word {
		word[i] = int16(8000 * r.NormFloat64() / 3)
	}
	for i := 1; i < len(word); i++ { // as smooth as speech
		word[i] = int16((3*int(word[i-1]) + int(word[i])) / 4)
	}
	pcm := make([]int16, 8000)
	for i, v := range word {
		pcm[3200+i] = v / 2
	}
	if at, like := found(word, inRoom(pcm)); at != 3200 || like < 0.95 || like > 1.05 {
		t.Errorf("at %d, %.2f alike", at, like)
	}
	if _, like := found(word, inRoom(make([]int16, 8000))); like > 0.3 {
		t.Errorf("%.2f alike in silence", like)
	}
}
