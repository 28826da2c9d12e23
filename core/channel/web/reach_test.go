package web_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/solo-assistant/solo/core/channel/web"
)

// paper is a certificate that signs itself, and its key, in files.
type paper struct {
	cert, key string
	pool      *x509.CertPool
}

// made writes a certificate for names and addresses that ends after a while, in place of what was there.
func (p *paper) made(t testing.TB, serial int64, life time.Duration, names ...string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c := &x509.Certificate{SerialNumber: big.NewInt(serial), Subject: pkix.Name{CommonName: "Solo"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(life),
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign, IsCA: true, BasicConstraintsValid: true}
	for _, n := range names {
		if ip := net.ParseIP(n); ip != nil {
			c.IPAddresses = append(c.IPAddresses, ip)
		} else {
			c.DNSNames = append(c.DNSNames, n)
		}
	}
	der, err := x509.CreateCertificate(rand.Reader, c, c, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	for path, b := range map[string]*pem.Block{p.cert: {Type: "CERTIFICATE", Bytes: der}, p.key: {Type: "EC PRIVATE KEY", Bytes: secret}} {
		if err := os.WriteFile(path, pem.EncodeToMemory(b), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	p.pool.AddCert(leaf)
}

func newPaper(t testing.TB, names ...string) *paper {
	t.Helper()
	dir := t.TempDir()
	p := &paper{filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem"), x509.NewCertPool()}
	p.made(t, 1, 24*time.Hour, names...)
	return p
}

// log is a log that a test reads while it is written.
type log struct {
	t     testing.TB
	lines chan string
}

func (l log) Write(b []byte) (int, error) {
	select {
	case l.lines <- string(b):
	default:
	}
	return len(b), nil
}

// has waits for a line.
func (l log) has(level, text string) string {
	l.t.Helper()
	end := time.After(10 * time.Second)
	for {
		select {
		case line := <-l.lines:
			if strings.Contains(line, text) && strings.Contains(line, `"level":"`+level+`"`) {
				return line
			}
		case <-end:
			l.t.Fatalf("the log does not say %q", text)
		}
	}
}

func newLog(t testing.TB) log { return log{t, make(chan string, 1000)} }

// Each of the three things that a door to others needs is asked for by its name, and nothing is opened without all of them.
func TestOthersComeInOnlyWithEverything(t *testing.T) {
	p := newPaper(t, "box.example")
	other := newPaper(t, "box.example")
	bare := newPaper(t)
	dir := t.TempDir()
	junk := filepath.Join(dir, "junk.pem")
	if err := os.WriteFile(junk, []byte("no certificate"), 0o600); err != nil {
		t.Fatal(err)
	}
	loose := filepath.Join(dir, "loose.pem")
	text, _ := os.ReadFile(p.key)
	if err := os.WriteFile(loose, text, 0o604); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir) // no tailscale
	for name, tt := range map[string]struct {
		c    web.Config
		want string
	}{
		"every address":        {web.Config{Host: "0.0.0.0"}, "web.expose"},
		"every address, IPv6":  {web.Config{Host: "::"}, "web.expose"},
		"one address":          {web.Config{Host: "192.168.1.4"}, "web.expose"},
		"a mapped address":     {web.Config{Host: "::ffff:192.168.1.4"}, "web.expose"},
		"papers alone":         {web.Config{Host: "0.0.0.0", Cert: p.cert, Key: p.key}, "web.expose"},
		"the flag alone":       {web.Config{Host: "0.0.0.0", Expose: true}, "web.cert"},
		"no key":               {web.Config{Host: "0.0.0.0", Expose: true, Cert: p.cert}, "web.key"},
		"no certificate":       {web.Config{Host: "0.0.0.0", Expose: true, Key: p.key}, "web.cert"},
		"no such certificate":  {web.Config{Host: "0.0.0.0", Expose: true, Cert: "/no/such", Key: p.key}, "web.cert"},
		"no such key":          {web.Config{Host: "0.0.0.0", Expose: true, Cert: p.cert, Key: "/no/such"}, "web.key"},
		"junk":                 {web.Config{Host: "0.0.0.0", Expose: true, Cert: junk, Key: p.key}, "web.cert and web.key are no pair"},
		"another's key":        {web.Config{Host: "0.0.0.0", Expose: true, Cert: p.cert, Key: other.key}, "web.cert and web.key are no pair"},
		"an open key":          {web.Config{Host: "0.0.0.0", Expose: true, Cert: p.cert, Key: loose}, "chmod 600"},
		"for no name":          {web.Config{Host: "0.0.0.0", Expose: true, Cert: bare.cert, Key: bare.key}, "names no host"},
		"a host name":          {web.Config{Host: "example.org", Expose: true, Cert: p.cert, Key: p.key}, "web.host"},
		"a name like ours":     {web.Config{Host: "localhost.example.org", Expose: true, Cert: p.cert, Key: p.key}, "web.host"},
		"a star":               {web.Config{Host: "*", Expose: true, Cert: p.cert, Key: p.key}, "web.host"},
		"key alone, here":      {web.Config{Key: p.key}, "web.cert"},
		"junk, here":           {web.Config{Cert: junk, Key: p.key}, "web.cert"},
		"no tailscale":         {web.Config{Host: "0.0.0.0", Expose: true, Cert: "tailscale"}, "tailscale was not found"},
		"tailscale and a key":  {web.Config{Host: "0.0.0.0", Expose: true, Cert: "tailscale", Key: p.key}, "web.key"},
		"tailscale, no expose": {web.Config{Host: "100.64.0.1", Cert: "tailscale"}, "web.expose"},
	} {
		t.Run(name, func(t *testing.T) {
			if runtime.GOOS == "windows" && name == "an open key" {
				t.Skip("skipped: Windows has no such modes")
			}
			tt.c.TokenFile = filepath.Join(dir, "token")
			if _, err := web.New(tt.c); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want something about %s", err, tt.want)
			}
		})
	}
	if _, err := web.New(web.Config{Host: "0.0.0.0", Expose: true, Cert: p.cert, Key: p.key}); err == nil || !strings.Contains(err.Error(), "token") {
		t.Errorf("a door without a place for its token: %v", err)
	}
	if h := openDoor(t, nil); !strings.HasPrefix(h.URL(), "http://127.0.0.1:") {
		t.Error(h.URL())
	}
}

// safe opens a door to others, whose certificate is for box.example, *.home.example and this machine's own address.
func safe(t testing.TB, change func(*web.Config)) (*home, *paper, *tls.Config) {
	t.Helper()
	p := newPaper(t, "box.example", "*.home.example", "127.0.0.1")
	h := openDoor(t, func(c *web.Config) {
		c.Host, c.Expose, c.Cert, c.Key, c.Status = "0.0.0.0", true, p.cert, p.key, status
		if change != nil {
			change(c)
		}
	})
	_, port, _ := net.SplitHostPort(h.addr)
	h.addr = "127.0.0.1:" + port
	return h, p, &tls.Config{RootCAs: p.pool, ServerName: "box.example"}
}

func TestOthersComeInSafely(t *testing.T) {
	l := newLog(t)
	h, _, trust := safe(t, func(c *web.Config) { c.Log = zerolog.New(l); c.Names = []string{"solo.internal"} })
	l.has("warn", "other machines can reach the web door")
	_, port, _ := net.SplitHostPort(h.addr)
	if h.URL() != "https://box.example:"+port {
		t.Error(h.URL())
	}
	h.over(trust)
	for _, host := range []string{"box.example:" + port, "BOX.example:" + port, "desk.home.example:" + port, "127.0.0.1:" + port, "localhost:" + port, "solo.internal:" + port} {
		h.wants(200, "", "GET", "/status", "", header{"Host": host})
		h.wants(200, "", "GET", "/status", "", header{"Host": host, "Origin": "https://" + host})
	}
	for _, host := range []string{"evil.example:" + port, "box.example", "box.example:1", "a.b.home.example:" + port, "home.example:" + port, "box.example.evil.example:" + port, "0.0.0.0:" + port, "*.home.example:" + port, "192.168.1.4:" + port} {
		h.wants(421, "wrong_host", "GET", "/status", "", header{"Host": host})
	}
	for _, origin := range []string{"http://box.example:" + port, "https://box.example", "https://evil.example:" + port, "https://box.example:1", "http://localhost:" + port} {
		h.wants(403, "wrong_origin", "GET", "/status", "", header{"Host": "box.example:" + port, "Origin": origin})
	}
	h.wants(401, "no_token", "GET", "/status", "", header{"Authorization": ""})
	// X-Forwarded-Proto is no proof of anything, here or without TLS.
	link, err := h.Link()
	if err != nil || !strings.HasPrefix(link.URL, h.URL()+"/login?once=") {
		t.Fatal(link, err)
	}
	resp, _ := h.ask("GET", strings.TrimPrefix(link.URL, h.URL()), "", header{"Authorization": "", "X-Forwarded-Proto": "http", "Host": "box.example:" + port})
	if c := resp.Cookies(); resp.StatusCode != 303 || len(c) != 1 || !c[0].Secure || !c[0].HttpOnly {
		t.Fatalf("got %d %v", resp.StatusCode, c)
	}
	cookie := header{"Authorization": "", "Cookie": "solo=" + resp.Cookies()[0].Value, "Host": "box.example:" + port}
	h.wants(200, "", "GET", "/status", "", cookie)
	cookie["Origin"] = "https://box.example:" + port
	h.wants(200, "", "POST", "/links", "", cookie)
	cookie["Origin"] = "http://box.example:" + port
	h.wants(403, "wrong_origin", "POST", "/links", "", cookie)
	if status, _ := h.raw("GET /status HTTP/1.1\r\nHost: box.example:" + port + "\r\nAuthorization: Bearer " + h.token + "\r\n\r\n"); status == 200 {
		t.Error("a token that came in the clear was taken")
	}
	for name, c := range map[string]*tls.Config{
		"old TLS":       {RootCAs: trust.RootCAs, ServerName: "box.example", MaxVersion: tls.VersionTLS11},
		"another name":  {RootCAs: trust.RootCAs, ServerName: "evil.example"},
		"nobody's word": {ServerName: "box.example"},
	} {
		if conn, err := tls.Dial("tcp", h.addr, c); err == nil {
			conn.Close()
			t.Errorf("%s: a handshake was made", name)
		}
	}
}

// A door on this machine alone may have a certificate too.
func TestTLSOnThisMachine(t *testing.T) {
	l := newLog(t)
	h, _, trust := safe(t, func(c *web.Config) { c.Host, c.Log = "127.0.0.1", zerolog.New(l) })
	l.has("warn", "others cannot reach")
	if !strings.HasPrefix(h.URL(), "https://127.0.0.1:") {
		t.Error(h.URL())
	}
	h.over(trust).wants(200, "", "GET", "/status", "", nil)
}

func TestTheCertificateIsRenewed(t *testing.T) {
	t.Parallel()
	l := newLog(t)
	h, p, trust := safe(t, func(c *web.Config) { c.Log = zerolog.New(l) })
	serial := func() int64 {
		conn, err := tls.Dial("tcp", h.addr, trust)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		return conn.ConnectionState().PeerCertificates[0].SerialNumber.Int64()
	}
	until := func(want int64) {
		t.Helper()
		for range 200 {
			if serial() == want {
				return
			}
			time.Sleep(50 * time.Millisecond)
		}
		t.Fatalf("the certificate is still number %d", serial())
	}
	until(1)
	if err := os.WriteFile(p.cert, []byte("half a certif"), 0o600); err != nil {
		t.Fatal(err)
	}
	for len(l.lines) == 0 || !strings.Contains(<-l.lines, "is not used") {
		if serial() != 1 {
			t.Fatal("a broken certificate took the place of a good one")
		}
		time.Sleep(20 * time.Millisecond)
	}
	p.made(t, 2, 24*time.Hour, "box.example", "new.example")
	until(2)
	l.has("info", "new certificate")
	_, port, _ := net.SplitHostPort(h.addr)
	h.over(trust).wants(200, "", "GET", "/status", "", header{"Host": "new.example:" + port})
	h.wants(421, "wrong_host", "GET", "/status", "", header{"Host": "desk.home.example:" + port})
	p.made(t, 3, time.Hour, "box.example")
	until(3)
	l.has("warn", "runs out soon")
}

// Visitors who shake hands slowly, or not at all, are seen out and delay no one.
func TestSlowHandshakes(t *testing.T) {
	t.Parallel()
	h, _, trust := safe(t, func(c *web.Config) { c.Head = 500 * time.Millisecond })
	h.over(trust).wants(200, "", "GET", "/healthz", "", nil)
	var slow []net.Conn
	for i := range 300 { // more than may shake hands at the same time
		conn, err := net.Dial("tcp", h.addr)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		slow = append(slow, conn)
		_, _ = conn.Write([]byte("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03")[:i%12])
	}
	for _, conn := range slow {
		_, _ = conn.Write([]byte{0})
	}
	h.wants(200, "", "GET", "/status", "", nil) // over the connection that is there
	for i, conn := range slow {
		_ = conn.SetReadDeadline(time.Now().Add(10 * time.Second))
		for b := make([]byte, 100); ; {
			if _, err := conn.Read(b); err != nil {
				if errors.Is(err, os.ErrDeadlineExceeded) {
					t.Fatalf("slow visitor %d is still there", i)
				}
				break
			}
		}
	}
	again := *h
	again.over(trust).wants(200, "", "GET", "/status", "", nil)
}
