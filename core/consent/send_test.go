package consent_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/solo-assistant/solo/core/consent"
	"github.com/solo-assistant/solo/models"
)

func talk(question string) []models.Message {
	return []models.Message{{Role: models.System, Text: "Answer briefly."}, {Role: models.User, Text: question + "\n\nWhat I know:\n- you have a dog\n- you live in Bonn"}}
}

// proposed asks to send a question to a cloud.
func proposed(t testing.TB, b *consent.Book, question string) string {
	t.Helper()
	id, _, err := b.Propose(t.Context(), "openai:groq", "big", models.Deep, talk(question))
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func TestOnlyTheVeryMessagesLeave(t *testing.T) {
	rows := &slate{}
	b := consent.New(consent.Config{Rows: rows})
	id, say, err := b.Propose(t.Context(), "openai:groq", "big", models.Deep, talk("Should I get a second dog?"))
	if err != nil || say != "I would send your question, 2 facts and 2 words of instructions to Groq: 'Should I get a second dog'. The facts are 'you have a dog' and 'you live in Bonn'. Shall I?" {
		t.Fatalf("said %q, %v", say, err)
	}
	if _, _, err := b.Leave(t.Context(), id); !errors.Is(err, consent.ErrOpen) {
		t.Errorf("before the answer: %v", err)
	}
	if err := b.Grant(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	leave, m, err := b.Leave(t.Context(), id)
	if err != nil || leave.Approval != id || models.Digest(m) != models.Digest(talk("Should I get a second dog?")) {
		t.Fatalf("leave %+v, messages %+v, %v", leave, m, err)
	}
	forged := leave
	forged.Digest = models.Digest(talk("Here is the password"))
	for name, tt := range map[string]struct {
		leave    models.Leave
		provider string
		m        []models.Message
	}{
		"other messages":          {leave, "openai:groq", talk("Here is the password")},
		"a forged digest":         {forged, "openai:groq", talk("Here is the password")},
		"one message more":        {leave, "openai:groq", append(talk("Should I get a second dog?"), models.Message{Role: models.User, Text: "x"})},
		"another provider":        {leave, "anthropic", m},
		"another, and it says so": {models.Leave{Approval: id, Provider: "anthropic", Digest: leave.Digest}, "anthropic", m},
		"an unknown approval":     {models.Leave{Approval: "x", Provider: "openai:groq", Digest: leave.Digest}, "openai:groq", m},
		"standing as an id":       {models.Leave{Approval: consent.Standing, Provider: "openai:groq", Digest: leave.Digest}, "openai:groq", m},
	} {
		if got, err := b.May(models.WithLeave(t.Context(), tt.leave), tt.provider, tt.m); !errors.Is(err, models.ErrPrivate) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	if _, err := b.May(t.Context(), "openai:groq", m); !errors.Is(err, models.ErrPrivate) {
		t.Errorf("without a word: %v", err)
	}
	if err := b.Sent(t.Context(), models.Sending{Provider: "openai:groq", Approval: id, Messages: m}); !errors.Is(err, models.ErrPrivate) {
		t.Errorf("sent before it may: %v", err)
	}
	ctx := models.WithLeave(t.Context(), leave)
	if got, err := b.May(ctx, "openai:groq", m); err != nil || got != id {
		t.Fatalf("may by %q, %v", got, err)
	}
	if _, err := b.May(ctx, "openai:groq", m); !errors.Is(err, models.ErrPrivate) || !errors.Is(err, consent.ErrSpent) {
		t.Errorf("a second time: %v", err)
	}
	if _, _, err := b.Leave(t.Context(), id); !errors.Is(err, consent.ErrSpent) {
		t.Errorf("leaving again: %v", err)
	}
	if err := b.Sent(ctx, models.Sending{Provider: "openai:groq", Approval: id, Messages: talk("other")}); !errors.Is(err, models.ErrPrivate) {
		t.Errorf("sent something else: %v", err)
	}
	if err := b.Sent(ctx, models.Sending{Provider: "openai:groq", Model: "big", Purpose: models.Deep, Approval: id, Messages: m}); err != nil {
		t.Fatal(err)
	}
	list, err := b.Ledger(t.Context(), 9)
	if err != nil || len(list) != 1 || list[0].Provider != "openai:groq" || list[0].Purpose != "deep" || list[0].Approval != id || list[0].Digest != models.Digest(m) || !strings.Contains(string(list[0].Content), "second dog") {
		t.Errorf("ledger %+v, %v", list, err)
	}
}

func TestACallIsNoLeaveAndALeaveNoCall(t *testing.T) {
	b := consent.New(consent.Config{Rows: &slate{}})
	c := granted(t, b, call(toAnna))
	if _, _, err := b.Leave(t.Context(), c); !errors.Is(err, consent.ErrOther) {
		t.Errorf("a call let messages go: %v", err)
	}
	id := proposed(t, b, "why?")
	if err := b.Grant(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if err := b.Spend(t.Context(), id, models.Call{}); !errors.Is(err, consent.ErrOther) {
		t.Errorf("messages let a call go: %v", err)
	}
	if err := b.Refuse(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if _, _, err := b.Leave(t.Context(), id); !errors.Is(err, consent.ErrRefused) {
		t.Errorf("refused, and yet: %v", err)
	}
	for name, m := range map[string][]models.Message{"": talk("x"), "openai": nil} {
		if _, _, err := b.Propose(t.Context(), name, "", models.Deep, m); err == nil {
			t.Errorf("proposed %v to %q", m, name)
		}
	}
}

func TestStandingPermission(t *testing.T) {
	rows := &slate{}
	b := consent.New(consent.Config{Rows: rows})
	if err := b.Permit(t.Context(), "anthropic"); err != nil {
		t.Fatal(err)
	}
	if err := b.Permit(t.Context(), ""); err == nil {
		t.Error("permitted nobody")
	}
	if got, err := b.May(t.Context(), "anthropic", talk("x")); err != nil || got != consent.Standing {
		t.Errorf("may by %q, %v", got, err)
	}
	for _, other := range []string{"openai", "anthropi", "Anthropic", ""} {
		if _, err := b.May(t.Context(), other, talk("x")); !errors.Is(err, models.ErrPrivate) {
			t.Errorf("%q: %v", other, err)
		}
	}
	s := models.Sending{Provider: "anthropic", Approval: consent.Standing, Messages: talk("x")}
	if err := b.Sent(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	if all, err := b.Permissions(t.Context()); err != nil || len(all) != 1 || all[0].At.IsZero() {
		t.Errorf("permitted are %v, %v", all, err)
	}
	if err := b.Revoke(t.Context(), "anthropic"); err != nil {
		t.Fatal(err)
	}
	if err := b.Revoke(t.Context(), "anthropic"); !errors.Is(err, consent.ErrUnknown) {
		t.Errorf("taken back twice: %v", err)
	}
	if err := b.Sent(t.Context(), s); !errors.Is(err, models.ErrPrivate) {
		t.Errorf("sent after it was taken back: %v", err)
	}
	if _, err := b.May(t.Context(), "anthropic", talk("x")); !errors.Is(err, models.ErrPrivate) {
		t.Errorf("may after it was taken back: %v", err)
	}
	rows.broken = errors.New("disk is gone")
	if err := b.Permit(t.Context(), "anthropic"); err != nil {
		t.Fatal(err)
	}
	if err := b.Sent(t.Context(), s); err == nil || len(rows.entries) != 1 {
		t.Errorf("what is not written down left: %v", err)
	}
}

func TestDisclosures(t *testing.T) {
	long := strings.Repeat("why ", 500)
	user := func(text string) []models.Message { return []models.Message{{Role: models.User, Text: text}} }
	for name, tt := range map[string]struct {
		provider string
		m        []models.Message
		want     string
	}{
		"a question alone": {"anthropic", user("why is the sky blue?"), "I would send your question to Anthropic: 'why is the sky blue'. Shall I?"},
		"one fact":         {"openai", user("which shoes?\n- you run"), "I would send your question and 1 fact to OpenAI: 'which shoes'. The fact is 'you run'. Shall I?"},
		"five facts":       {"openai", user("which?\nKnown:\n- a\n- b\n- c\n- d\n- e"), "I would send your question and 5 facts to OpenAI: 'which'. The facts are 'a', 'b', 'c' and 2 others. Shall I?"},
		"a long question":  {"openai:my box", user(long), "I would send your question to my box: '" + long[:140] + " ... and 1819 more characters, which end in ... " + strings.TrimSpace(long)[1999-40:] + "'. Shall I?"},
		"a whole talk": {"mistral", append([]models.Message{{Role: models.User, Text: "hello there"}, {Role: models.Assistant, Text: "Hi!",
			Calls: []models.ToolCall{{Call: models.Call{Tool: "clock.time"}}}}}, user("and now?")...), "I would send your question and 4 words of our talk to Mistral: 'and now'. Shall I?"},
		"no question":       {"openai", []models.Message{{Role: models.System, Text: "Be brief."}}, "I would send 2 words of instructions to OpenAI. Shall I?"},
		"it answers itself": {"evil\u202e. Shall I? Yes", user("x. Shall I? Yes. 'no'"), "I would send your question to evil, Shall I, Yes: 'x, Shall I, Yes, no'. Shall I?"},
	} {
		b := consent.New(consent.Config{Rows: &slate{}})
		if _, say, err := b.Propose(t.Context(), tt.provider, "", models.Deep, tt.m); err != nil || say != tt.want {
			t.Errorf("%s, %v:\n got %s\nwant %s", name, err, say, tt.want)
		}
	}
}

func TestEntriesAreWorded(t *testing.T) {
	for name, tt := range map[string]struct {
		e    consent.Entry
		want string
	}{
		"messages":            {consent.Entry{Provider: "anthropic", Purpose: "deep", Content: []byte(`[{"role":"user","text":"why?\n- a"}]`)}, "your question and 1 fact to Anthropic: 'why'"},
		"a call":              {consent.Entry{Provider: "mail.send", Purpose: "call", Content: []byte(`{"tool":"mail.send","arguments":{"to":"Anna"}}`)}, "mail send with to: 'Anna'"},
		"a call of nothing":   {consent.Entry{Provider: "door.open", Purpose: "call", Content: []byte(`{"tool":"door.open","arguments":{}}`)}, "door open"},
		"a changed call":      {consent.Entry{Provider: "mail.send", Purpose: "call", Content: []byte(`{`)}, "something by mail send"},
		"a call, changed too": {consent.Entry{Provider: "mail.send", Purpose: "call", Content: []byte(`{"tool":"x","arguments":7}`)}, "something by mail send"},
		"changed messages":    {consent.Entry{Provider: "openai", Purpose: "deep", Content: []byte(`{}`)}, "something to OpenAI"},
	} {
		if got := tt.e.Say(); got != tt.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}
