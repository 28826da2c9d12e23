package chromem_test

import (
	"testing"

	"github.com/solo-assistant/solo/core/vector/chromem"
	"github.com/solo-assistant/solo/core/vector/vectortest"
)

func TestIndex(t *testing.T) {
	vectortest.Run(t, func(t *testing.T) vectortest.Index { return fresh(t) })
}

func fresh(t testing.TB) *chromem.Index {
	x, err := chromem.New()
	if err != nil {
		t.Fatal(err)
	}
	return x
}
