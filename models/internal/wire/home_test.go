package wire

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/solo-assistant/solo/core/config"
	"github.com/solo-assistant/solo/models"
)

func TestHome(t *testing.T) {
	for _, host := range []string{"localhost", "127.0.0.1", "127.9.8.7", "::1", "[::1]", "::ffff:127.0.0.1", "10.0.0.5", "192.168.1.20", "172.16.0.1", "172.31.255.255",
		"169.254.3.4", "fe80::1", "fd00::5", "100.64.0.1", "100.101.102.103", "nas", "NAS", "gpu-box.local", "gpu.lan", "box.home.arpa", "host.docker.internal", "a.localhost", "pc.fritz.box", "localhost."} {
		if !Home(host) {
			t.Errorf("%s is a stranger's", host)
		}
	}
	for _, host := range []string{"", "api.openai.com", "8.8.8.8", "172.32.0.1", "100.128.0.1", "192.169.0.1", "2001:4860::8888", "11.0.0.1", "local.example.com", "localhost.example.com", "evil-lan.com", "::ffff:8.8.8.8"} {
		if Home(host) {
			t.Errorf("%s is at home", host)
		}
	}
}

// A name that looks like one of a private network and leads to a public address is not followed.
func TestNoPublicAddressBehindAPrivateName(t *testing.T) {
	for _, address := range []string{"8.8.8.8:80", "[2001:4860::8888]:443", "172.32.0.1:80", "no address"} {
		if err := stayHome("tcp", address, nil); !errors.Is(err, models.ErrPrivate) {
			t.Errorf("%s: %v", address, err)
		}
	}
	for _, address := range []string{"127.0.0.1:80", "[::1]:80", "10.1.2.3:443", "[fe80::1%eth0]:80"} {
		if err := stayHome("tcp", address, nil); err != nil {
			t.Errorf("%s: %v", address, err)
		}
	}
}

func TestPlaces(t *testing.T) {
	for _, tt := range []struct {
		url, word string
		cloud     bool
	}{
		{"http://127.0.0.1:8080", "", false}, {"https://api.example.com/v1", "", true}, {"http://gpu:8080", "", false},
		{"http://127.0.0.1:8080", "yes", true}, {"https://my-own.example.com", "no", false}, {"http://[::1]:1", "", false},
	} {
		p, err := New(Config{Name: "x", URL: tt.url, Cloud: tt.word})
		if err != nil || p.Cloud() != tt.cloud {
			t.Errorf("%s %q: cloud %v, %v", tt.url, tt.word, p.Cloud(), err)
		}
	}
	for _, url := range []string{"", "127.0.0.1:8080", "ftp://x", "http://", "http:///v1", "://", "http://a b"} {
		if _, err := New(Config{Name: "x", URL: url}); err == nil {
			t.Errorf("%q is an address", url)
		}
	}
}

// A key does not travel in the clear, but within the user's own network, or on the user's word.
func TestKeyNeedsHTTPS(t *testing.T) {
	for _, tt := range []struct {
		url, word, key string
		ok             bool
	}{
		{"http://api.example.com", "", "k", false}, {"http://api.example.com", "yes", "k", false}, {"http://api.example.com", "no", "k", true},
		{"http://api.example.com", "", "", true}, {"https://api.example.com", "", "k", true}, {"http://127.0.0.1:1", "yes", "k", true},
	} {
		if _, err := New(Config{Name: "x", URL: tt.url, Cloud: tt.word, Key: config.NewSecret(tt.key)}); (err == nil) != tt.ok {
			t.Errorf("%+v: %v", tt, err)
		}
	}
}

// At home no proxy is told what is said.
func TestNoProxyAtHome(t *testing.T) {
	p, err := New(Config{Name: "x", URL: "http://gpu.local"})
	if err != nil {
		t.Fatal(err)
	}
	if tr := p.client.Transport.(*http.Transport); tr.Proxy != nil || !tr.DisableKeepAlives {
		t.Error("a proxy is asked, or connections are kept")
	}
}

// A redirect on the same host is followed with the key; one to another is not.
func TestRedirects(t *testing.T) {
	var srv *httptest.Server
	srv = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/old":
			http.Redirect(w, r, "/new", http.StatusPermanentRedirect)
		case "/new":
			_, _ = w.Write([]byte(`{"said":"` + r.Header.Get("Authorization") + `"}`))
		case "/round":
			http.Redirect(w, r, "/round", http.StatusPermanentRedirect)
		default:
			http.Redirect(w, r, strings.Replace(srv.URL, "127.0.0.1", "localhost", 1)+"/new", http.StatusFound)
		}
	}))
	defer srv.Close()
	p, err := New(Config{Name: "x", URL: srv.URL, Headers: map[string]string{"Authorization": "Bearer k"}})
	if err != nil {
		t.Fatal(err)
	}
	var got struct{ Said string }
	if err := p.Post(t.Context(), "/old", 1, &got); err != nil || got.Said != "Bearer k" {
		t.Errorf("%+v, %v", got, err)
	}
	if err := p.Post(t.Context(), "/away", 1, &got); !errors.Is(err, models.ErrPrivate) {
		t.Errorf("away: %v", err)
	}
	if err := p.Post(t.Context(), "/round", 1, &got); err == nil {
		t.Error("round and round")
	}
}
