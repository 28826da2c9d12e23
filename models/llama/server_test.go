package llama

import (
	"testing"
	"time"

	"github.com/solo-assistant/solo/models"
)

func TestStory(t *testing.T) {
	d := serve(t, build4k(t, config4k(t)))
	text, u, err := told(t.Context(), d.Server, story("Once upon a time"))
	if err != nil || text == "" || u.Engine != "llama" || u.Generated < 1 || u.Generated > 64 || u.Prompt < 5 {
		t.Fatalf("%q, %+v, %v", text, u, err)
	}
	t.Logf("%q %+v", text, u)
	pid := d.life().pid()
	d.stop()
	if !gone(pid) {
		t.Error("the server lives on")
	}
}

func TestPromptCache(t *testing.T) {
	c := config4k(t)
	s := build4k(t, c)
	d := serve(t, s)
	r := story("Once upon a time there was a little girl named Lily who loved to play outside in the sunshine.")
	if _, _, err := told(t.Context(), s, r); err != nil {
		t.Fatal(err)
	}
	_, u, err := told(t.Context(), s, r)
	if err != nil || u.Cached < u.Prompt/2 || u.Cached == 0 {
		t.Errorf("%+v, %v", u, err)
	}
	_ = d
	_ = models.Usage{}
	_ = time.Now
}
