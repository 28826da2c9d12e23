package wire

import (
	"regexp"
	"testing"
)

func TestDurationPattern(t *testing.T) {
	r := regexp.MustCompile(duration)
	for text, want := range map[string]bool{"PT5M": true, "PT1H30M": true, "P1D": true, "P2W": true, "P1DT2H": true, "PT90S": true, "PT1H2M3S": true,
		"P": false, "PT": false, "5M": false, "PT5": false, "P5M2": false, "": false} {
		if r.MatchString(text) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}
