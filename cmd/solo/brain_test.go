package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/solo-assistant/solo/models"
	"github.com/solo-assistant/solo/models/modelstest"
)

// thinking are the arguments with which solo asks a scripted server and no other.
func thinking(srv *modelstest.Server, more ...string) []string {
	args := []string{"--set", "server.base_url=" + srv.OpenAI(), "--set", "llama.use=off", "--set", "ollama.use=off", "--set", "server.place=home"}
	for _, m := range more {
		args = append(args, "--set", m)
	}
	return args
}

// answers joins the sentences that were said.
func answers(lines []lineOf) string {
	var all []string
	for _, l := range lines {
		if l.text("event") == "reply" {
			all = append(all, l.text("text"))
		}
	}
	return strings.Join(all, " ")
}

func reply(text string) modelstest.Turn {
	raw, err := json.Marshal(map[string]string{"type": "reply", "text": text})
	if err != nil {
		panic(err)
	}
	return modelstest.Turn{Text: string(raw)}
}

func call(tool, arguments string) modelstest.Turn {
	return modelstest.Turn{Text: `{"type":"tool_call","tool":"` + tool + `","arguments":` + arguments + `}`}
}

func TestAskAnswersByTheModel(t *testing.T) {
	srv := modelstest.New(t, modelstest.Script{Turns: []modelstest.Turn{reply("Blue light scatters more. That is why.")}})
	code, lines := solo(t, t.TempDir(), "", append([]string{"ask", "why is the sky blue"}, thinking(srv)...)...)
	if code != 0 || answers(lines) != "Blue light scatters more. That is why." {
		t.Fatalf("exit %d, %v", code, lines)
	}
	if l := only(lines, "answer"); len(l) != 1 || l[0].text("text") != answers(lines) {
		t.Errorf("answer %v", l)
	}
	m := srv.Requests()[0].Messages
	if last := m[len(m)-1]; last.Role != models.User || !strings.Contains(last.Text, "why is the sky blue") {
		t.Errorf("the model was asked %+v", last)
	}
}

func TestTheModelActsThroughTheToolbox(t *testing.T) {
	srv := modelstest.New(t, modelstest.Script{Turns: []modelstest.Turn{
		call("tasks.create", `{"description":"buy leeks","due_time":"2031-05-01T10:00:00+02:00"}`), reply("Leeks are on your list."),
	}})
	home := t.TempDir()
	code, lines := solo(t, home, "", append([]string{"ask", "i ran out of leeks again"}, thinking(srv)...)...)
	acted := only(lines, "action")
	if code != 0 || len(acted) != 1 || acted[0].text("tool") != "tasks.create" || acted[0].text("status") != "ok" {
		t.Fatalf("exit %d, %v", code, lines)
	}
	if _, lines := solo(t, home, "", "understand", "what are my tasks"); !strings.Contains(lines[0].text("reply"), "leeks") {
		t.Errorf("the task is not kept: %v", lines)
	}
}

func TestATalkGoesOnAfterARestart(t *testing.T) {
	srv := modelstest.New(t, modelstest.Script{Turns: []modelstest.Turn{reply("Lisbon is lovely in May."), reply("By train it takes long.")}})
	home := t.TempDir()
	for _, text := range []string{"where should i travel in spring", "how do i get there"} {
		if code, lines := solo(t, home, text+"\nexit\n", append([]string{"chat"}, thinking(srv)...)...); code != 0 {
			t.Fatalf("exit %d, %v", code, lines)
		}
	}
	second, err := json.Marshal(srv.Requests()[1].Messages)
	if err != nil || !strings.Contains(string(second), "Lisbon is lovely") {
		t.Errorf("the earlier talk was not shown to the model: %s", second)
	}
	if _, lines := solo(t, home, "exit\n", append([]string{"chat"}, thinking(srv)...)...); len(only(lines, "said")) != 4 {
		t.Errorf("the talk is shown as %v", only(lines, "said"))
	}
}

func TestAModelThatFailsIsOneClearSentence(t *testing.T) {
	for name, turn := range map[string]modelstest.Turn{
		"breaks off":       {Text: `{"type":"reply","text":"The sea is salty because rivers carry salt. And then"}`, Cut: 180},
		"answers nonsense": {Text: "}}}{{{"},
		"is busy":          {Status: 429, Body: `{"error":{"message":"slow down"}}`},
		"broke down":       {Status: 500, Body: `{"error":{"message":"out of memory"}}`},
	} {
		t.Run(name, func(t *testing.T) {
			srv := modelstest.New(t, modelstest.Script{Answer: func(modelstest.Request) modelstest.Turn { return turn }})
			code, lines := solo(t, t.TempDir(), "", append([]string{"ask", "why is the sea salty"}, thinking(srv)...)...)
			said := answers(lines)
			if code != 0 || !strings.Contains(strings.ToLower(said), "language model") {
				t.Errorf("exit %d, said %q (%v)", code, said, lines)
			}
		})
	}
}

func TestNothingLeavesWithoutTheUsersWord(t *testing.T) {
	srv := modelstest.New(t, modelstest.Script{Turns: []modelstest.Turn{reply("Hello.")}})
	home := t.TempDir()
	cloud := thinking(srv, "server.place=cloud")
	_, lines := solo(t, home, "", append([]string{"ask", "what is a good name for a cat"}, cloud...)...)
	if n := len(srv.Requests()); n != 0 {
		t.Fatalf("%d requests left without leave; said %q", n, answers(lines))
	}
	if code, lines := solo(t, home, "", append([]string{"models", "allow", "server"}, cloud...)...); code != 0 {
		t.Fatalf("exit %d, %v", code, lines)
	}
	if _, lines := solo(t, home, "", append([]string{"ask", "what is a good name for a cat"}, cloud...)...); answers(lines) != "Hello." {
		t.Errorf("with leave it said %q", answers(lines))
	}
	_, lines = solo(t, home, "", "ledger")
	if sent := only(lines, "sent"); len(sent) != 1 || sent[0].text("provider") != "server" || sent[0].text("approval") != "standing" {
		t.Errorf("the ledger holds %v", lines)
	}
}

func TestThinkDeeplyShowsWhatItWouldSend(t *testing.T) {
	srv := modelstest.New(t, modelstest.Script{Turns: []modelstest.Turn{{Text: "Sell it in spring."}}})
	home := t.TempDir()
	cloud := thinking(srv, "server.place=cloud")
	solo(t, home, "", "understand", "--do", "remember that my car is a green volvo")
	_, lines := solo(t, home, "think deeply about whether i should sell my car\nno\nthink deeply about whether i should sell my car\nyes\nexit\n", append([]string{"chat"}, cloud...)...)
	said := answers(lines)
	if n := len(srv.Requests()); n != 1 || !strings.Contains(said, "Sell it in spring.") {
		t.Fatalf("%d requests; said %q", n, said)
	}
	if l := only(lines, "disclosure"); len(l) != 2 || l[0].text("provider") != "server" || !strings.Contains(fmt.Sprint(l[0]["messages"]), "sell my car") {
		t.Errorf("shown before it was sent: %v", l)
	}
	sent, err := json.Marshal(srv.Requests()[0].Messages)
	if err != nil || !strings.Contains(string(sent), "sell my car") {
		t.Errorf("sent %s", sent)
	}
	_, lines = solo(t, home, "", "ledger")
	if l := only(lines, "sent"); len(l) != 1 || l[0].text("approval") == "standing" || l[0].text("purpose") != "deep" {
		t.Errorf("the ledger holds %v", lines)
	}
}

func TestPullTellsHowFarItIs(t *testing.T) {
	srv := modelstest.New(t, modelstest.Script{})
	code, lines := solo(t, t.TempDir(), "", "models", "pull", "test-model", "--set", "ollama.host="+srv.Ollama())
	if pulled := only(lines, "pulled"); code != 0 || len(pulled) < 5 || pulled[len(pulled)-1].text("status") != "success" {
		t.Errorf("exit %d, %v", code, lines)
	}
	if code, lines := solo(t, t.TempDir(), "", "models", "pull", "x", "--set", "ollama.host=127.0.0.1:1"); code != 1 || only(lines, "error")[0].text("hint") == "" {
		t.Errorf("without a server: exit %d, %v", code, lines)
	}
}

// onePage is a PDF of one page with one line of text.
func onePage(text string) []byte {
	var b bytes.Buffer
	var at []int
	part := func(body string) {
		at = append(at, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", len(at), body)
	}
	b.WriteString("%PDF-1.4\n")
	part("<< /Type /Catalog /Pages 2 0 R >>")
	part("<< /Type /Pages /Kids [3 0 R] /Count 1 >>")
	part("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>")
	stream := "BT /F 12 Tf 72 700 Td (" + text + ") Tj ET"
	part(fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(stream), stream))
	part("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
	xref := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(at)+1)
	for _, a := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", a)
	}
	fmt.Fprintf(&b, "trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(at)+1, xref)
	return b.Bytes()
}

// reader is a model that plans, reads a document and keeps what it says. acted is closed then.
func reader(acted chan struct{}) func(modelstest.Request) modelstest.Turn {
	return func(r modelstest.Request) modelstest.Turn {
		asked, schema := r.Messages[len(r.Messages)-1].Text, string(r.Schema)
		switch {
		case strings.Contains(schema, `"good"`):
			return modelstest.Turn{Text: `{"good":true,"missing":""}`}
		case strings.Contains(schema, `"steps"`):
			return modelstest.Turn{Text: `{"steps":[{"do":"read the lease","tool":"documents.read"},{"do":"keep what it says","tool":"memory.remember"}]}`}
		case strings.Contains(asked, "Do step 1"):
			return call("documents.read", `{"path":"lease.pdf"}`)
		case strings.Contains(asked, "Do step 2"):
			close(acted)
			return call("memory.remember", `{"text":"The lease says that the rent is 900 euros."}`)
		case strings.Contains(asked, "900 euros"):
			return reply("The lease asks for 900 euros a month.")
		}
		return call("agent.task", `{"goal":"summarize the lease and remember it"}`)
	}
}

func TestADocumentIsSummarizedAndRemembered(t *testing.T) {
	home, folder := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "lease.pdf"), onePage("The rent is 900 euros a month. Notice is three months."), 0o644); err != nil {
		t.Fatal(err)
	}
	acted := make(chan struct{})
	srv := modelstest.New(t, modelstest.Script{Answer: reader(acted)})
	in, stdin := io.Pipe()
	go func() {
		defer stdin.Close()
		fmt.Fprintln(stdin, "summarize this pdf, my lease, and remember it")
		select {
		case <-acted:
		case <-time.After(40 * time.Second):
		}
		time.Sleep(time.Second) // for the report to be kept
	}()
	args := thinking(srv, "documents.folders="+folder)
	_, lines := soloOn(t, home, in, append([]string{"chat"}, args...)...)
	if said := answers(lines); !strings.Contains(said, "at work on it") {
		t.Errorf("said %q", said)
	}
	if _, lines = solo(t, home, "", "understand", "what do you know about the lease"); !strings.Contains(lines[0].text("reply"), "900 euros") {
		t.Errorf("it knows %v", lines)
	}
	if _, lines = solo(t, home, "", append([]string{"jobs", "list"}, args...)...); len(lines) != 1 || lines[0].text("state") != "done" || lines[0].text("result") == "" {
		t.Errorf("the job is %v", lines)
	}
	read := false
	for _, r := range srv.Requests() {
		for _, m := range r.Messages {
			read = read || strings.Contains(m.Text, "Notice is three months")
		}
	}
	if !read {
		t.Error("the model was never shown the document")
	}
}
