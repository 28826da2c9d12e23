package rows

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	comment = regexp.MustCompile(`(?m)--.*$`)
	table   = regexp.MustCompile(`(?i)\b(?:FROM|INTO|UPDATE|JOIN)\s+([a-z_]+)`)
)

// No query reaches a row without naming the user it belongs to: reading, changing and deleting compare user_id with an
// argument, once for every table named; inserting fills it and never overwrites it.
func TestEveryQueryNamesItsUser(t *testing.T) {
	files, err := filepath.Glob("queries/*.sql")
	if err != nil || len(files) < 7 {
		t.Fatalf("queries: %v, %v", files, err)
	}
	seen := 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i, query := range strings.Split(string(data), "-- name: ")[1:] {
			name, body, _ := strings.Cut(query, "\n")
			if why := forgets(comment.ReplaceAllString(body, "")); why != "" {
				t.Errorf("%s, query %d (%s): %s", file, i+1, name, why)
			}
			seen++
		}
	}
	if seen < 20 {
		t.Errorf("only %d queries were seen", seen)
	}
}

// allowed are the queries about users themselves.
var allowed = regexp.MustCompile(`(?is)^\s*(SELECT id FROM users WHERE name = \$1|UPDATE users SET last_id = .* WHERE id = \$1\b.*|INSERT INTO users \(id, name, created\).*)\s*;\s*$`)

func forgets(query string) string {
	if allowed.MatchString(query) {
		return ""
	}
	tables := table.FindAllStringSubmatch(strings.ReplaceAll(query, "DO UPDATE SET", "DO SET"), -1)
	if len(tables) == 0 {
		return "no table was found"
	}
	own := strings.Count(query, "user_id = $") + strings.Count(query, "user_id = sqlc.arg(user_id)")
	if strings.Contains(strings.ToUpper(query), "INSERT INTO") {
		if !regexp.MustCompile(`\(user_id, `).MatchString(query) || strings.Contains(query, "user_id = excluded") {
			return "user_id must be inserted first, and not overwritten"
		}
		if strings.Contains(query, "ON CONFLICT") && !strings.Contains(query, "ON CONFLICT (user_id, ") {
			return "a conflict with another user's row would change it"
		}
		own++
	}
	for _, tt := range tables {
		if strings.EqualFold(tt[1], "users") {
			return "the users table has queries of its own"
		}
	}
	if own < len(tables) {
		return "a table is reached without its user_id"
	}
	if regexp.MustCompile(`(?i)\bOR\b`).MatchString(query) {
		return "OR may open the door that user_id closes"
	}
	return ""
}

func TestTheGuardSeesAForgottenUser(t *testing.T) {
	for _, bad := range []string{
		"SELECT * FROM facts;", "SELECT * FROM facts WHERE id = $1;", "DELETE FROM tasks WHERE id = $1;",
		"UPDATE tasks SET status = 'done' WHERE id = $1;", "SELECT * FROM facts WHERE user_id = $1 OR id = $2;",
		"INSERT INTO facts (id, text) VALUES ($1, $2);", "SELECT * FROM users;", "DELETE FROM users WHERE id = $1;",
		"SELECT * FROM facts JOIN tasks ON tasks.id = facts.id WHERE facts.user_id = $1;",
		"INSERT INTO facts (user_id, id) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET text = 'x';",
	} {
		if forgets(bad) == "" {
			t.Errorf("let through: %s", bad)
		}
	}
}

// Every table but users itself names its user, and an index begins with it.
func TestEveryTableBelongsToAUser(t *testing.T) {
	for _, sql := range schema(t, fresh(t)) {
		name := strings.Fields(sql)[2]
		switch {
		case strings.HasPrefix(sql, "CREATE TABLE") && name != "users" && !strings.Contains(sql, "REFERENCES users (id) ON DELETE CASCADE"):
			t.Errorf("%s belongs to nobody", name)
		case strings.HasPrefix(sql, "CREATE INDEX") && !strings.Contains(sql, "(user_id, "):
			t.Errorf("%s does not begin with the user", name)
		}
	}
}

// Only this package opens the door to the generated queries.
func TestOnlyRowsUsesTheQueries(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return nil // folders of others may come and go while this runs
		}
		data, err := os.ReadFile(path)
		if err == nil && strings.Contains(string(data), `"github.com/solo-assistant/solo/core/store/rows/`+`gen"`) && filepath.Dir(path) != filepath.Join(root, "core", "store", "rows") {
			t.Errorf("%s uses the generated queries", path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
