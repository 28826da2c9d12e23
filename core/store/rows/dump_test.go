package rows

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/solo-assistant/solo/core/store/rows/pgtest"
)

// filled is a database with something in it for two users, odd values among it.
func filled(t testing.TB, db *DB) *DB {
	t.Helper()
	ctx := t.Context()
	for _, o := range []*Own{owner(t, db), otherUser(t, db)} {
		for _, text := range []string{"plain", "", "Zürich 日本 🦉", "tab\tand\nline", `"quoted" \ <b>&amp;`, strings.Repeat("long ", 50_000), "'; DROP TABLE facts; --"} {
			keep(t, o, text)
		}
		must(o.AddMessages(ctx, "a talk", Message{Role: "user", Text: "hello", At: 5, Outside: true}, Message{Role: "assistant", Text: "hi", At: 6}))(t)
		must(o.PutJob(ctx, Job{Kind: "k", Title: "t", Input: `{"x":1}`, Origin: "{}", State: "queued", Progress: 1.0 / 3}))(t)
		must(o.PutJob(ctx, Job{Kind: "k", Title: "t", Input: `{}`, Origin: "{}", State: "done", Progress: 1}))(t)
		remind(t, o, Reminder{Text: "x", State: "waiting", At: 1 << 52, Missed: true, Every: "FREQ=DAILY"})
	}
	return db
}

// sums is what a database holds.
func sums(t testing.TB, db *DB) []Sum {
	t.Helper()
	return must(db.Dump(t.Context(), new(bytes.Buffer)))(t).Tables
}

// A copy holds the same rows whichever engine it is on, and the source stays as it is.
func TestACopyIsTheSameOnEveryEngine(t *testing.T) {
	source := filled(t, fresh(t))
	before := sums(t, source)
	targets := map[string]Config{"file": {Path: filepath.Join(t.TempDir(), "copy.db")}}
	if pgtest.Here() {
		targets["server"] = Config{DSN: DSN(pgtest.Shared(t).Database(t))}
	} else if server, ok := pgtest.Maybe(t); ok {
		targets["server"] = Config{DSN: DSN(server.Database(t))}
	}
	for name, c := range targets {
		t.Run(name, func(t *testing.T) {
			target := must(Open(t.Context(), c))(t)
			defer target.Close()
			d, err := source.CopyTo(t.Context(), target)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(d.Tables, before) {
				t.Errorf("copied\n%v, want\n%v", d.Tables, before)
			}
			if got := sums(t, target); !slices.Equal(got, before) {
				t.Errorf("the copy holds\n%v, want\n%v", got, before)
			}
			if got := sums(t, source); !slices.Equal(got, before) {
				t.Errorf("the source holds\n%v, want\n%v", got, before)
			}
			keep(t, owner(t, target), "goes on")
			if list := must(owner(t, target).Messages(t.Context(), "a talk", 9))(t); len(list) != 2 || !list[1].Outside {
				t.Errorf("the talk is %v", list)
			}
			if _, err := source.CopyTo(t.Context(), target); !errors.Is(err, ErrNotEmpty) {
				t.Errorf("copying over rows: %v", err)
			}
		})
	}
}

// Whatever is cut off or changed in a dump, nothing of it is kept.
func TestATornDumpIsRefused(t *testing.T) {
	source := fresh(t)
	o := owner(t, source)
	keep(t, o, "one")
	must(o.AddMessages(t.Context(), "talk", Message{Role: "user", Text: "hello", At: 5}))(t)
	var out bytes.Buffer
	must(source.Dump(t.Context(), &out))(t)
	whole := out.Bytes()
	head := bytes.IndexByte(whole, '\n') + 1
	target := fresh(t)
	refuse := func(what string, data []byte) {
		t.Helper()
		if _, err := target.Load(t.Context(), bytes.NewReader(data)); err == nil {
			t.Fatalf("%s was taken:\n%s", what, data)
		} else if errors.Is(err, ErrNotEmpty) {
			t.Fatalf("%s left something behind", what)
		}
	}
	step := len(whole)/10 + 1
	for n := 0; n < len(whole); n += step {
		refuse(fmt.Sprintf("cut at %d", n), whole[:n])
	}
	for n := head; n < len(whole); n += step {
		bad := bytes.Clone(whole)
		bad[n] ^= 1
		refuse(fmt.Sprintf("changed at %d", n), bad)
	}
	refuse("another program's file", []byte("PK\x03\x04"))
	refuse("a newer one", bytes.Replace(whole, []byte(`"version":`), []byte(`"version":9`), 1))
	if _, err := target.Load(t.Context(), bytes.NewReader(whole)); err != nil {
		t.Errorf("the sound one: %v", err)
	}
}

// Rows of an older Solo are brought up to date on the way.
func TestAnOlderDumpIsBroughtUp(t *testing.T) {
	source := fresh(t)
	keep(t, owner(t, source), "old")
	if err := source.MigrateTo(t.Context(), 2); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	must(source.Dump(t.Context(), &out))(t)
	target := fresh(t)
	if d, err := target.Load(t.Context(), &out); err != nil || d.Version != 2 {
		t.Fatalf("version %d, %v", d.Version, err)
	}
	have, known, err := target.Version(t.Context())
	if err != nil || have != known {
		t.Errorf("version %d of %d, %v", have, known, err)
	}
}

func FuzzValues(f *testing.F) {
	for _, s := range []string{`[1,"a",null,true,{"f":"0.5"},{"b":"AAE="},{"t":"/w=="}]`, `[`, `{}`, `[[1]]`, `[1e400]`, `[{"f":"x"}]`, `[{"z":1}]`, `[]`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		all, err := values(data)
		if err != nil {
			return
		}
		kinds := make([]kind, len(all))
		row, err := line(nil, kinds, all)
		if err != nil {
			t.Fatalf("%q: %v", data, err)
		}
		again, err := values(row)
		if err != nil || len(again) != len(all) {
			t.Fatalf("%q became %q: %v", data, row, err)
		}
	})
}
