package rows

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// child writes facts and says each one that is committed, until it is killed.
func child(path string) {
	ctx := context.Background()
	db, err := Open(ctx, Config{Path: path, DSN: DSN(os.Getenv("SOLO_ROWS_DSN"))})
	if err != nil {
		fmt.Println("error", err)
		os.Exit(1)
	}
	user, err := db.User(ctx, "owner")
	for i := 0; err == nil; i++ {
		text := fmt.Sprintf("%s %d", os.Getenv("SOLO_ROWS_ROUND"), i)
		if _, err = db.Of(user).PutFacts(ctx, Fact{Text: text, At: time.Now().UnixMilli()}); err == nil {
			fmt.Println(text)
		}
	}
	fmt.Println("error", err)
	os.Exit(1)
}

// What a process said it had kept is there after kill -9, in a sound database.
func TestWhatWasKeptSurvivesAKill(t *testing.T) {
	path := filepath.Join(t.TempDir(), "solo.db")
	said := map[string]bool{}
	for round := range 5 {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "SOLO_ROWS_CHILD="+path, "SOLO_ROWS_DSN="+string(at(t, path).DSN), fmt.Sprintf("SOLO_ROWS_ROUND=r%d", round))
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		for n := 0; lines.Scan(); n++ {
			if strings.HasPrefix(lines.Text(), "error") {
				t.Error(lines.Text())
			}
			said[lines.Text()] = true
			if n == 10+7*round {
				_ = cmd.Process.Kill() // the lines already in the pipe still count
			}
		}
		_ = cmd.Wait() // it was killed
		kept := map[string]bool{}
		db := reopen(t, path)
		for _, text := range texts(t, owner(t, db)) {
			kept[text] = true
		}
		for text := range said {
			if !kept[text] {
				t.Errorf("round %d: %q is lost", round, text)
			}
		}
		if err := db.Check(t.Context()); err != nil {
			t.Error(err)
		}
	}
	if len(said) < 50 {
		t.Errorf("only %d facts were said to be kept", len(said))
	}
}
