package rows

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

var (
	longFacts = both{
		"SELECT text FROM facts WHERE length(text) > $2 AND user_id = $1 ORDER BY text LIMIT $3",
		"SELECT text FROM facts WHERE char_length(text) > $2 AND user_id = $1 ORDER BY text LIMIT $3",
	}
	markFacts = both{
		sqlite:   "UPDATE facts SET source = $2 WHERE user_id = $1 AND text GLOB $3 || '*'",
		postgres: "UPDATE facts SET source = $2 WHERE user_id = $1 AND starts_with(text, $3)",
	}
)

func textOf(row scan) (s string, err error) { return s, row(&s) }

// A statement in two dialects sees and changes the rows of its user alone, inside a transaction and outside.
func TestTwoDialects(t *testing.T) {
	db, ctx := fresh(t), t.Context()
	anna, ben := owner(t, db), otherUser(t, db)
	for _, text := range []string{"tea", "toast with honey", "tea with milk"} {
		keep(t, anna, text)
		keep(t, ben, "ben: "+text)
	}
	got, err := list(ctx, anna, longFacts, textOf, 3, 9)
	if err != nil || !slices.Equal(got, []string{"tea with milk", "toast with honey"}) {
		t.Errorf("anna has %q, %v", got, err)
	}
	if first, err := one(ctx, ben, longFacts, textOf, 0, 1); first != "ben: tea" || err != nil {
		t.Errorf("ben's first is %q, %v", first, err)
	}
	if _, err := one(ctx, ben, longFacts, textOf, 100, 1); !errors.Is(fault("looking", err), ErrNone) {
		t.Errorf("none: %v", err)
	}
	stop := errors.New("stop")
	for _, end := range []error{stop, nil} {
		err := anna.within(ctx, "marking", func(t *tx) error {
			n, err := t.exec(ctx, markFacts, "marked", "tea")
			if err == nil && n != 2 {
				err = errors.New("not two rows")
			}
			if err == nil {
				_, err = list(ctx, t, longFacts, textOf, 0, 9)
			}
			return errors.Join(err, end)
		})
		if !errors.Is(err, end) {
			t.Fatal(err)
		}
	}
	for _, f := range must(anna.Facts(ctx))(t) {
		if (f.Source == "marked") != strings.HasPrefix(f.Text, "tea") {
			t.Errorf("anna's %q is %s", f.Text, f.Source)
		}
	}
	for _, f := range must(ben.Facts(ctx))(t) {
		if f.Source == "marked" {
			t.Errorf("ben's %q is marked", f.Text)
		}
	}
}

func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func otherUser(t testing.TB, db *DB) *Own {
	t.Helper()
	return db.Of(must(db.User(t.Context(), "ben"))(t))
}

// Files of one number are one step: up in the order of the folders, down in the other.
func TestStepsOfOneNumberAreJoined(t *testing.T) {
	file := func(up, down string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte("-- Words.\n\n" + upMark + up + "\n" + downMark + down + "\n")}
	}
	from := fstest.MapFS{
		"all/00001_a.sql": file("up a", "down a"), "all/00002_b.sql": file("up b", "down b"),
		"own/00002_b.sql": file("up b own", "down b own"), "own/00003_c.sql": file("up c own", "down c own"),
		"other/00002_b.sql": file("up b other", "down b other"),
	}
	out, err := join(from, "all", "own")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"00001_a.sql": "-- +goose Up up a -- +goose Down down a",
		"00002_b.sql": "-- +goose Up up b up b own -- +goose Down down b own down b",
		"00003_c.sql": "-- +goose Up up c own -- +goose Down down c own",
	}
	names, err := fs.Glob(out, "*")
	if err != nil || len(names) != len(want) {
		t.Errorf("made %v, %v", names, err)
	}
	for name, text := range want {
		data, err := fs.ReadFile(out, name)
		if got := strings.Join(strings.Fields(string(data)), " "); got != text || err != nil {
			t.Errorf("%s is\n%s, want\n%s, %v", name, got, text, err)
		}
	}
	from["own/00004_d.sql"] = &fstest.MapFile{Data: []byte(upMark + "up d")}
	if _, err := join(from, "all", "own"); err == nil || !strings.Contains(err.Error(), "own/00004_d.sql") {
		t.Errorf("a step without its way back: %v", err)
	}
}
