package anthropic

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"

	"github.com/solo-assistant/solo/models"
	"github.com/solo-assistant/solo/models/internal/wire"
	"github.com/solo-assistant/solo/models/modelstest"
)

// FuzzStream: whatever a server sends, reading it ends with a usage or with one error that a door understands, and
// calls are always JSON with a name.
func FuzzStream(f *testing.F) {
	for _, turn := range []modelstest.Turn{{Text: "Hello."}, {Thinking: "Hm.", Text: "ü", Finish: "length"},
		{Text: "a", Calls: []models.Call{{Tool: "a_b", Arguments: json.RawMessage(`{"x":1}`)}, {Tool: "c", Arguments: json.RawMessage("{}")}}}} {
		f.Add(modelstest.Played("anthropic", turn), false)
	}
	f.Add([]byte("event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"no\"}}\n\n"), false)
	f.Add([]byte(`{"content":[{"type":"tool_use","name":"x","input":[]}],"stop_reason":"tool_use"}`), true)
	e, err := New(Config{})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, in []byte, whole bool) {
		usages := 0
		a := &answer{engine: e, names: wire.NewNames(nil, nil), blocks: map[int]*block{}, yield: func(d models.Delta, err error) bool {
			if d.Usage != nil {
				usages++
			}
			if err != nil || usages > 1 || usages == 1 && d.Usage == nil || d.Call != nil && (d.Call.Tool == "" || d.Call.ID == "" || !json.Valid(d.Call.Arguments)) {
				t.Fatalf("%+v, %v", d, err)
			}
			return true
		}}
		if whole {
			err = a.whole(t.Context(), bytes.NewReader(in))
		} else {
			err = a.read(t.Context(), wire.NewEvents(bytes.NewReader(in)))
		}
		if (err == nil) != (usages == 1) || err != nil && models.Excuse(err) == models.Excuse(errors.New("")) {
			t.Fatalf("%d usages, %v", usages, err)
		}
	})
}
