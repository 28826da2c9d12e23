package intent

import (
	"bufio"
	"fmt"
	"os"
	"testing"
)

func TestTry(t *testing.T) {
	f, err := os.Open(os.Getenv("TRY"))
	if err != nil {
		t.Skip("no TRY")
	}
	c := English()
	for s := bufio.NewScanner(f); s.Scan(); {
		m, ok := c.Match(s.Text())
		fmt.Printf("%-60s %v %s %v\n", s.Text(), ok, m.Name, m.Slots)
	}
}
