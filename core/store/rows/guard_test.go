package rows

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/solo-assistant/solo/core/store/rows/pgtest"
)

var (
	comment  = regexp.MustCompile(`(?m)--.*$`)
	noTable  = regexp.MustCompile(`(?i)\b(?:DO UPDATE SET|FOR UPDATE|FOR NO KEY UPDATE|DISTINCT FROM)\b`)
	table    = regexp.MustCompile(`(?i)\b(FROM|INTO|UPDATE|JOIN)\s+(?:ONLY\s+)?([a-z_0-9]+)(\(?)`)
	named    = regexp.MustCompile(`(?i)(?:\bWITH|,|\bRECURSIVE)\s*([a-z_0-9]+)\s+AS\s+(?:NOT\s+)?(?:MATERIALIZED\s+)?\(`)
	comma    = regexp.MustCompile(`(?i)\bFROM\s+[a-z_0-9]+(?:\s+(?:AS\s+)?[a-z_0-9]+)?\s*,\s*[a-z_0-9]+\b[^(]`)
	looksSQL = regexp.MustCompile(`(?is)^\s*(?:SELECT\b.*\bFROM|WITH\b.*\bSELECT|INSERT\s+INTO|UPDATE\s+\w+\s+SET|DELETE\s+FROM)\b`)
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
	if comma.MatchString(query) {
		return "tables are joined by JOIN"
	}
	tables, whole := tablesOf(query)
	if len(tables) == 0 {
		return "no table was found"
	}
	own := strings.Count(query, "user_id = $") + strings.Count(query, "user_id = sqlc.arg(user_id)") + strings.Count(query, ownPart)
	if strings.Contains(strings.ToUpper(query), "INSERT INTO") {
		if !regexp.MustCompile(`\(user_id, `).MatchString(query) || strings.Contains(query, "user_id = excluded") {
			return "user_id must be inserted first, and not overwritten"
		}
		if strings.Contains(query, "ON CONFLICT") && !strings.Contains(query, "ON CONFLICT (user_id, ") {
			return "a conflict with another user's row would change it"
		}
		own++
	}
	for _, name := range tables {
		if strings.EqualFold(name, "users") {
			return "the users table has queries of its own"
		}
	}
	if own < whole {
		return "a table is reached without its user_id"
	}
	if regexp.MustCompile(`(?i)\bOR\b`).MatchString(query) {
		return "OR may open the door that user_id closes"
	}
	return ""
}

// tablesOf gives the tables that a query reaches, and how many of them need a user: an index of text that is joined to its
// table by rowid does not, nor one whose rowid is made of the user, nor what the query itself names.
func tablesOf(query string) (tables []string, whole int) {
	own := map[string]bool{}
	for _, m := range named.FindAllStringSubmatch(query, -1) {
		own[m[1]] = true
	}
	for _, m := range table.FindAllStringSubmatch(noTable.ReplaceAllString(query, "SET"), -1) {
		word, name, call := strings.ToUpper(m[1]), m[2], m[3] != ""
		if own[name] || call && (word == "FROM" || word == "JOIN") {
			continue
		}
		tables = append(tables, name)
		if !strings.HasSuffix(name, "_fts") || !strings.Contains(query, ".rowid = ") && !strings.Contains(query, "rowid BETWEEN ($1 << 40) AND ") {
			whole++
		}
	}
	return tables, whole
}

// ownPart is one user's part of an index of text whose places begin with the user.
const ownPart = "rowid BETWEEN $1 * 1099511627776 AND $1 * 1099511627776 + 1099511627775"

// dialects gives all SQL in this package's own files: the halves of each both by its place, and what stands elsewhere.
func dialects(t *testing.T) (halves, elsewhere map[string]string) {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	halves, elsewhere = map[string]string{}, map[string]string{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		set := token.NewFileSet()
		tree, err := parser.ParseFile(set, file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CompositeLit:
				if name, ok := n.Type.(*ast.Ident); !ok || name.Name != "both" {
					return true
				}
				for i, half := range n.Elts {
					if pair, ok := half.(*ast.KeyValueExpr); ok {
						half = pair.Value
					}
					text, ok := literal(half)
					if !ok {
						t.Errorf("%s: the SQL of a both is not written out", set.Position(n.Pos()))
					}
					halves[fmt.Sprintf("%s (half %d)", set.Position(n.Pos()), i+1)] = text
				}
				if len(n.Elts) != 2 {
					t.Errorf("%s: a both has two halves", set.Position(n.Pos()))
				}
				return false
			case *ast.BasicLit:
				if text, _ := literal(n); looksSQL.MatchString(text) {
					elsewhere[set.Position(n.Pos()).String()] = text
				}
			}
			return true
		})
	}
	return halves, elsewhere
}

// literal puts strings together that are joined by +.
func literal(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, e.Kind == token.STRING && err == nil
	case *ast.BinaryExpr:
		left, okLeft := literal(e.X)
		right, okRight := literal(e.Y)
		return left + right, okLeft && okRight && e.Op == token.ADD
	}
	return "", false
}

// What is said in two dialects keeps to the same rule, its user being $1, and SQL stands nowhere else.
func TestEveryDialectNamesItsUser(t *testing.T) {
	halves, elsewhere := dialects(t)
	for place, query := range halves {
		if why := forgetsFirst(query); why != "" {
			t.Errorf("%s: %s:\n%s", place, why, query)
		}
	}
	for place, query := range elsewhere {
		if !wholesale[strings.SplitN(place, ":", 2)[0]] {
			t.Errorf("%s: SQL belongs into queries or a both:\n%s", place, query)
		}
	}
}

// wholesale are the files that copy or check the database as a whole, whoever owns its rows.
var wholesale = map[string]bool{"shape.go": true, "load.go": true, "bury.go": true, "migrate.go": true, "salvage.go": true, "postgres.go": true}

// forgetsFirst is forgets where the user must be $1.
func forgetsFirst(query string) string {
	query = comment.ReplaceAllString(query, "")
	if strings.Contains(strings.ReplaceAll(query, "user_id = $1", ""), "user_id = $") {
		return "the user is $1"
	}
	if regexp.MustCompile(`user_id = \$1[0-9]`).MatchString(query) {
		return "the user is $1"
	}
	if _, values, ok := strings.Cut(query, "INSERT INTO"); ok && !regexp.MustCompile(`(?i)\b(?:VALUES \(|SELECT )(?:\$1|[a-z_]+\.user_id|user_id)\b`).MatchString(values) {
		return "the first value inserted is the user"
	}
	return forgets(query + ";")
}

func TestTheGuardSeesAForgottenUser(t *testing.T) {
	for _, bad := range []string{
		"SELECT * FROM facts;", "SELECT * FROM facts WHERE id = $1;", "DELETE FROM tasks WHERE id = $1;",
		"UPDATE tasks SET status = 'done' WHERE id = $1;", "SELECT * FROM facts WHERE user_id = $1 OR id = $2;",
		"INSERT INTO facts (id, text) VALUES ($1, $2);", "SELECT * FROM users;", "DELETE FROM users WHERE id = $1;",
		"SELECT * FROM facts JOIN tasks ON tasks.id = facts.id WHERE facts.user_id = $1;",
		"INSERT INTO facts (user_id, id) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET text = 'x';",
		"SELECT * FROM facts, tasks WHERE facts.user_id = $1;", "SELECT * FROM facts f, tasks t WHERE f.user_id = $1 AND f.id = t.id;",
		"SELECT * FROM facts_fts WHERE facts_fts MATCH $2;",
		"SELECT * FROM facts_fts JOIN facts ON facts.rowid = facts_fts.rowid WHERE facts_fts MATCH $2;",
		"WITH hits AS (SELECT id FROM facts) SELECT * FROM hits;",
	} {
		if forgets(bad) == "" {
			t.Errorf("let through: %s", bad)
		}
	}
	for _, bad := range []string{"SELECT * FROM facts WHERE user_id = $2", "SELECT * FROM facts WHERE user_id = $11",
		"INSERT INTO facts (user_id, id) VALUES ($2, $1)", "DELETE FROM facts"} {
		if forgetsFirst(bad) == "" {
			t.Errorf("let through in two dialects: %s", bad)
		}
	}
	for _, good := range []string{
		"SELECT id FROM facts_fts WHERE facts_fts MATCH $2 AND user_id = $1 LIMIT $3",
		"SELECT f.id FROM facts_fts JOIN facts f ON f.rowid = facts_fts.rowid WHERE facts_fts MATCH $2 AND f.user_id = $1",
		"SELECT id FROM facts, websearch_to_tsquery('english', $2) q WHERE user_id = $1 AND words @@ q",
		"WITH hits AS (SELECT id FROM facts WHERE user_id = $1) SELECT id FROM hits",
		"INSERT INTO facts (user_id, id) VALUES ($1, $2) ON CONFLICT (user_id, id) DO UPDATE SET at = $3",
		"DELETE FROM facts WHERE user_id = $1 AND at < $2",
	} {
		if why := forgetsFirst(good); why != "" {
			t.Errorf("%s: %s", why, good)
		}
	}
}

// Every table but users itself names its user, and an index begins with it.
func TestEveryTableBelongsToAUser(t *testing.T) {
	pgtest.OnlyFiles(t)
	for _, sql := range schema(t, fresh(t)) {
		name := strings.Trim(strings.Fields(sql)[2], "\"'")
		switch {
		case strings.Contains(name, "_fts"): // SQLite's own tables of an index of text
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
