package store_test

import (
	"path/filepath"
	"testing"

	"github.com/solo-assistant/solo/core/agent"
	"github.com/solo-assistant/solo/core/consent"
	"github.com/solo-assistant/solo/models"
)

// What the user waits for between a yes and the act: to grant and to use it up.
func BenchmarkApproval(b *testing.B) {
	book := consent.New(consent.Config{Rows: lend(b, open(b, filepath.Join(b.TempDir(), "solo.db")), "owner").Consent()})
	call := models.Call{Tool: "mail.send", Arguments: []byte(`{"to":"Anna","text":"running late"}`)}
	for b.Loop() {
		id := must[models.Result](b)(book.Ask(b.Context(), mail, call)).Ask.Approval
		if err := book.Grant(b.Context(), id); err != nil {
			b.Fatal(err)
		}
		if err := book.Spend(b.Context(), id, call); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkTurnOfTalk(b *testing.B) {
	s := lend(b, open(b, filepath.Join(b.TempDir(), "solo.db")), "owner").Sessions()
	for b.Loop() {
		if err := s.Add(b.Context(), "", agent.Line{Role: models.User, Text: "what time is it"}, agent.Line{Role: models.Assistant, Text: "It is nine."}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkReadTalk(b *testing.B) {
	s := lend(b, open(b, filepath.Join(b.TempDir(), "solo.db")), "owner").Sessions()
	for range 50 {
		if err := s.Add(b.Context(), "", agent.Line{Role: models.User, Text: "what time is it"}); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		if _, err := s.Lines(b.Context(), ""); err != nil {
			b.Fatal(err)
		}
	}
}
