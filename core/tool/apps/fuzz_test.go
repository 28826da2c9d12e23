package apps

import (
	"net/url"
	"strings"
	"testing"
)

func FuzzAddress(f *testing.F) {
	for _, s := range []string{"example.org", "https://a.b/c?d#e", "http://[::1]:80/", "x@y.z", "https://bücher.example", "//x", "a.b:80", "https:\\x", "%00.x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		u, err := address(s)
		if err != nil {
			return
		}
		text := u.String()
		again, err := url.Parse(text)
		if err != nil || again.User != nil || again.Host != u.Host || !strings.HasPrefix(text, "http") || again.Scheme != u.Scheme {
			t.Errorf("%q became %q: %v", s, text, err)
		}
		for _, r := range text {
			if r <= ' ' || r > '~' {
				t.Errorf("%q became %q", s, text)
			}
		}
	})
}

func FuzzDesktop(f *testing.F) {
	f.Add("[Desktop Entry]\nType=Application\nName=x\nName[de]=y\nExec=sh \"a b\" %u %%\n[x]\nName=z\n")
	f.Add("[Desktop Entry]\nExec=\"\\\n")
	f.Fuzz(func(t *testing.T, text string) {
		p, ok := parseDesktop(strings.NewReader(text))
		if !ok {
			return
		}
		if len(p.names) == 0 || p.names[0] == "" {
			t.Error("a program without a name")
		}
		if args, err := splitExec(p.entry.exec); err == nil && (len(args) == 0 || args[0] == "") {
			t.Errorf("%q makes %q", p.entry.exec, args)
		}
	})
}
