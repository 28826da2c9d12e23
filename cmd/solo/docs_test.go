package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const lease = "# Lease\n\n## Rent\n\nThe rent is 900 euros a month. It is due on the third working day.\n\n## Notice\n\n" +
	"The tenant may end the lease with a notice period of three months. The notice must be in writing.\n\n## Repairs\n\nThe landlord repairs the boiler and the roof."

func papersFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"lease.md": lease, "bread.txt": "Knead the dough for ten minutes. Bake it at 240 degrees until it is brown.",
		"copy.txt":     "Knead the dough for ten minutes. Bake it at 240 degrees until it is brown.",
		"broken.pdf":   "%PDF-1.4 and no more",
		"password.txt": "hunter2 hunter2",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// Documents are added, found by voice and by command, and forgotten, where no Solo runs.
func TestDocuments(t *testing.T) {
	home, dir := t.TempDir(), papersFolder(t)
	code, lines := solo(t, home, "", "docs", "add", dir)
	states := map[string]string{}
	for _, l := range only(lines, "document") {
		states[l.text("document")] = l.text("state")
	}
	want := map[string]string{"lease.md": "read", "bread.txt": "read", "copy.txt": "read", "broken.pdf": "broken"}
	if code != 0 || fmt.Sprint(states) != fmt.Sprint(want) {
		t.Fatalf("exit %d, %v, want %v", code, states, want)
	}
	code, lines = solo(t, home, "", "docs", "search", "how", "long", "is", "the", "notice", "period")
	if code != 0 || len(lines) == 0 {
		t.Fatalf("exit %d, nothing was found", code)
	}
	if l := lines[0]; l.text("document") != "lease.md" || l["page"] != 1.0 || l.text("heading") != "Lease > Notice" || !strings.Contains(l.text("text"), "three months") || l["score"] == 0.0 {
		t.Errorf("found %v", l)
	}
	for say, want := range map[string]string{
		"what does the lease say about notice periods":   "In lease.md: The tenant may end the lease with a notice period of three months.",
		"search my documents for the oven temperature":   "found nothing",
		"search my documents for baking dough":           "In bread.txt: Knead the dough",
		"what is in my documents":                        "You have 4 documents",
		"what does the manual say about the dish washer": "no document called manual",
	} {
		if _, lines := solo(t, home, "", "understand", "--do", say); len(lines) == 0 || !strings.Contains(lines[0].text("reply"), want) {
			t.Errorf("%q is answered %v, want %q", say, lines, want)
		}
	}
	if code, lines = solo(t, home, "", "docs", "status"); code != 0 || lines[0]["documents"] != 4.0 || lines[0]["broken"] != 1.0 {
		t.Errorf("exit %d, status %v", code, lines)
	}
	if code, lines = solo(t, home, "", "docs", "remove", "lease.md"); code != 0 || len(lines) != 1 {
		t.Errorf("exit %d, removed %v", code, lines)
	}
	if _, lines = solo(t, home, "", "docs", "search", "notice", "period"); len(lines) != 0 {
		t.Errorf("forgotten, but found %v", lines)
	}
	if code, lines = solo(t, home, "", "docs", "remove", "lease.md"); code == 0 || lines[0].text("code") != "unknown" {
		t.Errorf("removed twice: exit %d, %v", code, lines)
	}
	if code, lines = solo(t, home, "", "docs", "add", filepath.Join(dir, "none.txt")); code == 0 || lines[0].text("code") != "absent" {
		t.Errorf("added what is not there: exit %d, %v", code, lines)
	}
	if code, lines = solo(t, home, "", "docs", "add", filepath.Join(dir, "password.txt")); code == 0 || lines[0].text("code") != "kind" {
		t.Errorf("added passwords: exit %d, %v", code, lines)
	}
	if _, err := os.Stat(filepath.Join(dir, "lease.md")); err != nil {
		t.Errorf("the user's file went: %v", err)
	}
}

// A running Solo reads what it is handed, watches its folder, and answers searches of documents and memories.
func TestDocumentsByTheDoor(t *testing.T) {
	v := openHouse(t)
	var kept struct {
		Document struct{ Name, State string }
	}
	if code := v.upload("lease.md", lease, &kept); code != 201 || kept.Document.Name != "lease.md" || kept.Document.State == "" {
		t.Fatalf("%d, kept %+v", code, kept)
	}
	if code := v.upload(".profile", lease, nil); code < 400 {
		t.Errorf("a hidden file: %d", code)
	}
	dir := papersFolder(t)
	if code, lines := solo(t, v.home, "", "docs", "add", dir); code != 0 || len(only(lines, "document")) != 4 {
		t.Fatalf("exit %d, %v", code, lines)
	}
	v.say("docs", "remember that the boiler was repaired in May")
	type found struct {
		Found []struct {
			Kind, Document, Heading, Text string
			Page                          int
			Score                         float64
		}
	}
	look := func(q, kind string) found {
		var f found
		if code := v.ask("GET", "/search?k=5&kind="+kind+"&q="+url.QueryEscape(q), nil, &f); code != 200 {
			t.Fatalf("%s: %d", q, code)
		}
		return f
	}
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end) && len(look("boiler", "document").Found) == 0; time.Sleep(20 * time.Millisecond) {
	}
	if f := look("who repairs the boiler", "document").Found; len(f) == 0 || f[0].Document != "lease.md" || f[0].Heading != "Lease > Repairs" || f[0].Page != 1 {
		t.Errorf("documents: %+v", f)
	}
	if f := look("who repairs the boiler", "memory").Found; len(f) != 1 || f[0].Kind != "memory" {
		t.Errorf("memories: %+v", f)
	}
	if f := look("who repairs the boiler", "all").Found; len(f) < 2 {
		t.Errorf("all: %+v", f)
	}
	for _, bad := range []string{"/search", "/search?q=x&k=0", "/search?q=x&kind=dream", "/search?q=%20"} {
		if code := v.ask("GET", bad, nil, nil); code != 400 {
			t.Errorf("%s: %d", bad, code)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "deep"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "deep", "well.txt"), []byte("An otter swims by."), 0o600); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(20 * time.Second); len(look("otter", "document").Found) == 0 && time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
	}
	if err := os.WriteFile(filepath.Join(dir, "new.txt"), []byte("The heron stands in the reeds."), 0o600); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(20 * time.Second); len(look("heron", "document").Found) == 0; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("a new file was not found")
		}
	}
	if code := v.ask("DELETE", "/documents/"+url.PathEscape("deep/well.txt"), nil, nil); code != 204 {
		t.Errorf("removing a document in a folder: %d", code)
	}
	if code := v.ask("DELETE", "/documents/lease.md", nil, nil); code != 204 {
		t.Errorf("removing: %d", code)
	}
	if _, err := os.Stat(filepath.Join(dir, "lease.md")); err != nil {
		t.Errorf("the user's own copy went: %v", err)
	}
}

func (v visit) upload(name, text string, out any) int {
	v.t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("file", name)
	if err != nil {
		v.t.Fatal(err)
	}
	if _, err := io.WriteString(part, text); err != nil {
		v.t.Fatal(err)
	}
	if err := form.Close(); err != nil {
		v.t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(v.t.Context(), "POST", v.url+"/documents", &body)
	if err != nil {
		v.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+v.token)
	r.Header.Set("Content-Type", form.FormDataContentType())
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		v.t.Fatal(err)
	}
	defer resp.Body.Close()
	if out != nil {
		if err := json.NewDecoder(resp.Body).Decode(out); err != nil {
			v.t.Fatal(err)
		}
	}
	return resp.StatusCode
}
