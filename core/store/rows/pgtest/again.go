package pgtest

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
)

// engine is the environment variable that says what Again's tests run on.
const engine = "SOLO_TEST_ENGINE"

// Here tells whether the tests of this program are to use PostgreSQL.
func Here() bool { return os.Getenv(engine) == "postgres" }

// Again runs all tests of this program once more, on PostgreSQL. Those about files skip themselves by OnlyFiles.
func Again(t *testing.T) {
	if Here() {
		t.Skip("skipped: this is the second run")
	}
	if _, err := folder(); err != nil {
		t.Skip("skipped: " + err.Error())
	}
	args := []string{"-test.v", "-test.timeout=5m"}
	if testing.Short() {
		args = append(args, "-test.short")
	}
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), engine+"=postgres")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("on PostgreSQL: %v\n%s", err, failures(out))
	}
	t.Logf("on PostgreSQL: %d tests passed, %d were skipped", bytes.Count(out, []byte("--- PASS")), bytes.Count(out, []byte("--- SKIP")))
}

// failures leaves out what a test says that passed.
func failures(out []byte) string {
	var kept []string
	for part := range strings.SplitSeq(string(out), "=== RUN") {
		if !strings.Contains(part, "--- PASS") || strings.Contains(part, "--- FAIL") || strings.Contains(part, "_test.go:") {
			kept = append(kept, part)
		}
	}
	text := strings.Join(kept, "=== RUN")
	return text[max(0, len(text)-20_000):]
}

// OnlyFiles skips a test that is about the file of SQLite where PostgreSQL is used.
func OnlyFiles(t testing.TB) {
	t.Helper()
	if Here() {
		t.Skip("skipped: it is about files")
	}
}

var (
	placesMu sync.Mutex
	places   = map[string]string{}
)

// At gives the DSN of a database that stands for the file of a path, "" where files are used: the same one for the same
// path, so that a test can close a database and open it again.
func At(t testing.TB, path string) string {
	t.Helper()
	if !Here() {
		return ""
	}
	placesMu.Lock()
	defer placesMu.Unlock()
	if places[path] == "" {
		places[path] = Shared(t).Database(t)
	}
	return places[path]
}
