package intent

import "testing"

func TestLoad(t *testing.T) {
	if _, err := load(); err != nil {
		t.Fatal(err)
	}
}
