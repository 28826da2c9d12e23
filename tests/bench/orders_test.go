package main

import (
	"testing"

	"github.com/solo-assistant/solo/core/intent"
)

// A measurement with orders that Solo does not know would measure something else.
func TestOrdersAreCommands(t *testing.T) {
	if len(orders) < 25 || 2*len(orders) < enough || enough < 50 || 2*len(halves) < 50 {
		t.Errorf("%d orders and %d broken off are too few", len(orders), len(halves))
	}
	closed := 0
	for _, o := range orders {
		m, ok := intent.English().Match(o.text)
		if !ok {
			t.Errorf("%q is no command", o.text)
		}
		if o.closed() {
			closed++
		}
		t.Logf("%-55s %-18s closed %v", o.text, m.Name, o.closed())
	}
	if closed < len(orders)/4 || closed > 3*len(orders)/4 {
		t.Errorf("%d of %d orders are closed; a mix is wanted", closed, len(orders))
	}
	for _, h := range halves {
		if _, ok := intent.English().Match(h[0] + " " + h[1]); !ok {
			t.Errorf("%q is no command", h)
		}
	}
}
