package intent

import (
	"os"
	"strings"
	"testing"
)

func TestDump(t *testing.T) {
	c := English()
	d := os.Getenv("DUMP")
	if d == "" {
		t.Skip("no DUMP")
	}
	os.WriteFile(d+"/g.jsgf", []byte(c.JSGF()), 0o644)
	os.WriteFile(d+"/g.fsg", []byte(c.FSG()), 0o644)
	os.WriteFile(d+"/s.txt", []byte(strings.Join(c.Sentences(), "\n")), 0o644)
	os.WriteFile(d+"/w.txt", []byte(strings.Join(c.Words(), "\n")), 0o644)
}
