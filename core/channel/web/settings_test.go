package web_test

import (
	"testing"
	"time"

	"github.com/solo-assistant/solo/core/channel/web"
	"github.com/solo-assistant/solo/core/config"
)

func TestSettings(t *testing.T) {
	var s struct {
		Web web.Config `toml:"web"`
	}
	if _, err := config.Load(&s, config.Sources{Env: []string{"SOLO_WEB_PORT=0", "SOLO_WEB_NAMES=solo.internal,box"}}); err != nil {
		t.Fatal(err)
	}
	if w := s.Web; w.Host != "127.0.0.1" || w.Port != 0 || w.Rate != 200 || w.Strangers != 50 || w.Body != 1<<20 || w.Upload != 200<<20 || w.Patience != 5*time.Minute || len(w.Names) != 2 {
		t.Errorf("%+v", w)
	}
	for _, bad := range []string{"SOLO_WEB_EXPOSE=perhaps", "SOLO_WEB_PORT=70000", "SOLO_WEB_BODY=10", "SOLO_WEB_HEAD=0s", "SOLO_WEB_SOCKETS=0"} {
		if _, err := config.Load(&s, config.Sources{Env: []string{bad}}); err == nil {
			t.Errorf("%s was taken", bad)
		}
	}
}
