package ollama

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/url"
	"strings"
	"testing"

	"github.com/solo-assistant/solo/models"
	"github.com/solo-assistant/solo/models/internal/wire"
	"github.com/solo-assistant/solo/models/modelstest"
)

// FuzzStream: whatever a server sends, reading it ends with a usage or with one error that a door understands, and
// calls are always JSON with a name.
func FuzzStream(f *testing.F) {
	for _, turn := range []modelstest.Turn{{Text: "Hello."}, {Thinking: "Hm.", Text: "ü", Finish: "length"},
		{Calls: []models.Call{{Tool: "a_b", Arguments: json.RawMessage(`{"x":1}`)}, {Tool: "c", Arguments: json.RawMessage("{}")}}}} {
		f.Add(modelstest.Played("ollama", turn))
	}
	f.Add([]byte("{\"error\":\"no\"}\n"))
	f.Add([]byte("{\"done\":true}"))
	f.Add([]byte("{\"remote_host\":\"https://ollama.com:443\",\"done\":true}\n"))
	e, err := New(Config{})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		usages := 0
		a := &answer{engine: e, names: wire.NewNames(nil, nil), model: "fuzz", yield: func(d models.Delta, err error) bool {
			if d.Usage != nil {
				usages++
			}
			if err != nil || usages > 1 || usages == 1 && d.Usage == nil || d.Call != nil && (d.Call.Tool == "" || d.Call.ID == "" || !json.Valid(d.Call.Arguments)) {
				t.Fatalf("%+v, %v", d, err)
			}
			return true
		}}
		err := a.read(t.Context(), wire.NewLines(bytes.NewReader(in)))
		if (err == nil) != (usages == 1) || err != nil && models.Excuse(err) == models.Excuse(errors.New("")) {
			t.Fatalf("%d usages, %v", usages, err)
		}
	})
}

// FuzzPull: no line of a download makes a progress that cannot be.
func FuzzPull(f *testing.F) {
	f.Add([]byte(`{"status":"pulling layer","digest":"sha256:1","total":100,"completed":50}`))
	f.Add([]byte(`{"error":"no such model"}`))
	f.Add([]byte(`{"status":"x","total":-5,"completed":7}`))
	e, err := New(Config{})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		p, err := e.step(in)
		if err == nil && (p.Done < 0 || p.Done > p.Total) {
			t.Fatalf("%+v", p)
		}
	})
}

// FuzzAddress: what is taken for an address is a whole URL with a host and a port, and stays the same when read again.
func FuzzAddress(f *testing.F) {
	for _, seed := range []string{"", "gpu", "gpu:1", ":1", "1234", "http://x", "https://x/y/", "[::]:1", "0.0.0.0", "'a'", "fe80::1%eth0", "a@b", "http://[::1]"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		address, err := Address(in)
		if err != nil {
			return
		}
		u, err := url.Parse(address)
		if err != nil || u.User != nil || u.Hostname() == "" || u.Port() == "" {
			if strings.ContainsAny(address, "%/") { // the path, or a zone, is the user's own
				return
			}
			t.Fatalf("%q gave %q: %v", in, address, err)
		}
		if again, err := Address(address); err != nil || again != address {
			t.Fatalf("%q gave %q, then %q, %v", in, address, again, err)
		}
	})
}
