package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/solo-assistant/solo/audio/device/pulsetest"
)

// TestLendPulse is no test: it is the sound server of a measurement. It prints the environment in which
// programs find the server, as a JSON list in one line, and lends it until its standard input ends.
func TestLendPulse(t *testing.T) {
	if os.Getenv("SOLO_BENCH_LEND") == "" {
		t.Skip("skipped: runs only as a child of make bench")
	}
	s := pulsetest.Start(t)
	env, err := json.Marshal(slices.DeleteFunc(s.Env(), func(kv string) bool { return !strings.HasPrefix(kv, "PULSE_") }))
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println(string(env))
	if _, err := io.Copy(io.Discard, os.Stdin); err != nil {
		t.Error(err)
	}
}
