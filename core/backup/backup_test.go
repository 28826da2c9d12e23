package backup

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"filippo.io/age"
	"github.com/solo-assistant/solo/core/config"
	"github.com/solo-assistant/solo/core/store/rows"
	"github.com/solo-assistant/solo/core/store/rows/rowstest"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// vault is a new folder of backups whose clock stands at a time.
func vault(t *testing.T, change func(*Config)) *Vault {
	t.Helper()
	at := time.Date(2026, 5, 1, 3, 30, 0, 0, time.UTC)
	c := Config{Settings: Settings{Folder: filepath.Join(t.TempDir(), "backups"), Days: 30}, KeyFile: filepath.Join(t.TempDir(), "keys", "backup.key"),
		Now: func() time.Time { at = at.Add(time.Second); return at }}
	if change != nil {
		change(&c)
	}
	return New(c)
}

func say(t *testing.T, db *rows.DB, texts ...string) []rows.Task {
	t.Helper()
	var out []rows.Task
	for _, text := range texts {
		task, err := db.Of(rowstest.Owner(t, db)).PutTask(t.Context(), rows.Task{Description: text, Tags: "[]", Status: "open"})
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, task)
	}
	return out
}

func heard(t *testing.T, db *rows.DB) string {
	t.Helper()
	list, err := db.Of(rowstest.Owner(t, db)).OpenTasks(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, task := range list {
		out = append(out, task.Description)
	}
	return strings.Join(out, ", ")
}

// What was backed up is restored on either engine, to the row, and the backup shows nothing of it.
func TestThereAndBack(t *testing.T) {
	rowstest.Each(t, func(t *testing.T, c rows.Config) {
		db, v := rowstest.Open(t, c), vault(t, nil)
		say(t, db, "water the plants", "call Anna", strings.Repeat("long ", 200_000))
		b, err := v.Make(t.Context(), db)
		if err != nil {
			t.Fatal(err)
		}
		if b.NewKey == "" {
			t.Error("the user was not told of the key")
		}
		if again, err := v.Make(t.Context(), db); err != nil || again.NewKey != "" {
			t.Errorf("the second: %+v, %v", again, err)
		}
		want := heard(t, db)
		say(t, db, "later")
		for path, mode := range map[string]fs.FileMode{b.Path: 0o600, filepath.Dir(b.Path): 0o700 | fs.ModeDir, b.NewKey: 0o600} {
			if info, err := os.Stat(path); err != nil || info.Mode() != mode && !strings.Contains(path, `\`) {
				t.Errorf("%s: %v, %v", path, info.Mode(), err)
			}
		}
		if data, err := os.ReadFile(b.Path); err != nil || bytes.Contains(data, []byte("plants")) || bytes.Contains(data, []byte("tasks")) {
			t.Errorf("the backup can be read, %v", err)
		}
		if left, _ := filepath.Glob(filepath.Join(filepath.Dir(b.Path), ".*")); len(left) != 0 {
			t.Errorf("left behind: %v", left)
		}
		r, err := v.Verify(t.Context(), b.Name, Key{})
		if err != nil || r.Rows < 4 || r.Place != "" || !r.Made.Equal(b.Made) {
			t.Errorf("verified %+v, %v", r, err)
		}
		rowstest.Each(t, func(t *testing.T, to rows.Config) {
			r, err := v.Restore(t.Context(), b.Name, Key{}, to, nil)
			if err != nil {
				t.Fatal(err)
			}
			back := rowstest.Open(t, to)
			if got := heard(t, back); got != want {
				t.Errorf("has %.80q, want %.80q", got, want)
			}
			if r.Place != back.Path() || r.Erased != 0 {
				t.Errorf("told %+v", r)
			}
			if _, err := v.Restore(t.Context(), b.Name, Key{}, to, nil); !errors.Is(err, ErrThere) && !errors.Is(err, rows.ErrNotEmpty) {
				t.Errorf("over rows: %v", err)
			}
			if got := heard(t, back); got != want {
				t.Errorf("then has %.80q", got)
			}
		})
	})
}

// What was forgotten after a backup stays forgotten, whether the rows are still there to tell or only later backups.
func TestForgottenStaysForgotten(t *testing.T) {
	rowstest.Each(t, func(t *testing.T, c rows.Config) {
		db, v := rowstest.Open(t, c), vault(t, nil)
		all := say(t, db, "stays", "goes early", "goes late")
		b, err := v.Make(t.Context(), db)
		if err != nil {
			t.Fatal(err)
		}
		erase := func(task rows.Task) rows.Erased {
			e := rows.Erased{UserID: task.UserID, Kind: "tasks", ID: task.ID, At: 1}
			if n, err := db.Bury(t.Context(), []rows.Erased{e}); n != 1 || err != nil {
				t.Fatalf("erased %d, %v", n, err)
			}
			return e
		}
		erase(all[1])
		if _, err := v.Make(t.Context(), db); err != nil {
			t.Fatal(err)
		}
		late := erase(all[2])
		to := rowstest.Config(t, rows.SQLite)
		r, err := v.Restore(t.Context(), b.Name, Key{}, to, []rows.Erased{late})
		if err != nil || r.Erased != 2 {
			t.Errorf("restored %+v, %v", r, err)
		}
		back := rowstest.Open(t, to)
		if got := heard(t, back); got != "stays" {
			t.Errorf("has %q", got)
		}
		if task := say(t, back, "new")[0]; task.ID <= all[2].ID {
			t.Errorf("the ID %d is given out again", task.ID)
		}
	})
}

// A wrong key, a cut and a changed bit are each refused in words of their own, with the checksum beside it and without,
// and leave nothing behind.
func TestWhatIsWrongIsSaid(t *testing.T) {
	db, v := rowstest.Open(t, rowstest.Config(t, rows.SQLite)), vault(t, nil)
	say(t, db, strings.Repeat("water the plants ", 1000))
	b, err := v.Make(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(b.Path)
	if err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(t.TempDir(), "other.key")
	if _, err := makeKey(other); err != nil {
		t.Fatal(err)
	}
	refuse := func(what string, k Key, want ...error) {
		t.Helper()
		folder := filepath.Join(t.TempDir(), "fresh")
		_, err := v.Restore(t.Context(), b.Name, k, rows.Config{Path: filepath.Join(folder, "solo.db")}, nil)
		ok := false
		for _, w := range want {
			ok = ok || errors.Is(err, w)
		}
		if !ok || !strings.Contains(err.Error(), b.Name) {
			t.Errorf("%s: %v", what, err)
		}
		if left, _ := filepath.Glob(filepath.Join(folder, "*")); len(left) != 0 {
			t.Errorf("%s left %v", what, left)
		}
	}
	write := func(data []byte) {
		if err := os.WriteFile(b.Path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	refuse("wrong key", Key{File: other}, ErrKey)
	refuse("wrong passphrase", Key{Passphrase: config.NewSecret("wrong")}, ErrKey)
	refuse("no key", Key{File: filepath.Join(t.TempDir(), "none")}, fs.ErrNotExist)
	for _, beside := range []bool{true, false} {
		if !beside {
			if err := os.Remove(b.Path + sumEnd); err != nil {
				t.Fatal(err)
			}
		}
		for n := 0; n < len(whole); n += len(whole)/15 + 1 {
			write(whole[:n])
			refuse(fmt.Sprintf("cut at %d, checksum %v", n, beside), Key{}, ErrCut, ErrDamaged)
			bad := bytes.Clone(whole)
			bad[n] ^= 4
			write(bad)
			if beside {
				refuse(fmt.Sprintf("changed at %d", n), Key{}, ErrDamaged)
			} else {
				refuse(fmt.Sprintf("changed at %d, no checksum", n), Key{}, ErrDamaged, ErrCut, ErrKey)
			}
		}
	}
	write([]byte("PK\x03\x04 something else"))
	refuse("another file", Key{}, ErrDamaged, ErrCut)
	write(whole)
	if _, err := v.Verify(t.Context(), "latest", Key{}); err != nil {
		t.Errorf("the sound one: %v", err)
	}
	for _, name := range []string{"solo-2020", "nothing", "../x", "/nowhere/x"} {
		if _, err := v.Verify(t.Context(), name, Key{}); !errors.Is(err, ErrNone) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A passphrase or a recipient take the place of the key that Solo makes.
func TestOtherLocks(t *testing.T) {
	db := rowstest.Open(t, rowstest.Config(t, rows.SQLite))
	say(t, db, "x")
	id, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "mine.key")
	if err := os.WriteFile(file, []byte(id.String()+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	word := config.NewSecret("correct horse")
	for name, tt := range map[string]struct {
		change func(*Config)
		key    Key
		plain  bool // the settings alone open it
	}{
		"passphrase": {func(c *Config) { c.Passphrase = word }, Key{Passphrase: word}, true},
		"recipient":  {func(c *Config) { c.Recipient = id.Recipient().String() }, Key{File: file}, false},
	} {
		t.Run(name, func(t *testing.T) {
			v := vault(t, tt.change)
			b, err := v.Make(t.Context(), db)
			if err != nil || b.NewKey != "" {
				t.Fatalf("%+v, %v", b, err)
			}
			if _, err := v.Verify(t.Context(), "", tt.key); err != nil {
				t.Error(err)
			}
			if _, err := v.Verify(t.Context(), "", Key{}); (err == nil) != tt.plain {
				t.Errorf("by the settings: %v", err)
			} else if err != nil && !errors.Is(err, ErrNoKey) {
				t.Error(err)
			}
		})
	}
	v := vault(t, func(c *Config) { c.Recipient = "ssh-rsa nonsense" })
	if _, err := v.Make(t.Context(), db); err == nil || !strings.Contains(err.Error(), "age1") {
		t.Errorf("a wrong recipient: %v", err)
	}
}

// One backup a day, also after a failure, and none older than 30 days but the newest.
func TestServe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db, v := rowstest.Open(t, rowstest.Config(t, rows.SQLite)), vault(t, func(c *Config) { c.Now = nil })
		say(t, db, "x")
		if err := os.WriteFile(v.c.Folder, nil, 0o600); err != nil { // a file in the folder's place
			t.Fatal(err)
		}
		var made, failed atomic.Int64
		ended := make(chan error, 1)
		go func() {
			ended <- v.Serve(t.Context(), db, func(_ Backup, err error) {
				if err == nil {
					made.Add(1)
				} else {
					failed.Add(1)
				}
			})
		}()
		time.Sleep(150 * time.Minute)
		synctest.Wait()
		if made.Load() != 0 || failed.Load() < 2 || failed.Load() > 3 {
			t.Errorf("made %d, failed %d", made.Load(), failed.Load())
		}
		if err := os.Remove(v.c.Folder); err != nil {
			t.Fatal(err)
		}
		time.Sleep(33 * 24 * time.Hour)
		synctest.Wait()
		list, err := v.List()
		if err != nil || made.Load() < 32 || made.Load() > 34 || len(list) < 29 || len(list) > 31 {
			t.Errorf("made %d, %d are left, %v", made.Load(), len(list), err)
		}
		if gone := time.Now().Add(-31 * 24 * time.Hour); len(list) > 0 && list[len(list)-1].Made.Before(gone) {
			t.Errorf("the oldest is of %v", list[len(list)-1].Made)
		}
	})
}
