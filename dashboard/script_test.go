package dashboard

import (
	"os"
	"os/exec"
	"testing"
)

// The page's own tests run where its tools are; `make test` fetches them.
func TestPageScripts(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: short")
	}
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("skipped: no Node.js")
	}
	if _, err := os.Stat("node_modules/vitest"); err != nil {
		t.Skip("skipped: dashboard/node_modules is missing (make page)")
	}
	out, err := exec.CommandContext(t.Context(), "node", "node_modules/vitest/vitest.mjs", "run", "--reporter=dot", "--no-color").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}
