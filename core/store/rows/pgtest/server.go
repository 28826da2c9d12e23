// Package pgtest starts PostgreSQL servers for tests. They end with the program that started them, however it ends.
package pgtest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// ErrMissing says that this machine has no PostgreSQL.
var ErrMissing = errors.New("no PostgreSQL here (scripts/setup.sh test installs one)")

// Server is a PostgreSQL of a test's own.
type Server struct {
	dir, bin string
	life     *os.File // the server ends when this is closed, by us or because we end
	shell    *exec.Cmd
}

var (
	once    sync.Once
	ours    *Server
	whyNone error
	counter atomic.Int64
)

// Shared is one server for all tests of this program, started by the first that asks. The test is skipped where this
// machine has no PostgreSQL.
func Shared(t testing.TB) *Server {
	t.Helper()
	once.Do(func() { ours, whyNone = start() })
	if errors.Is(whyNone, ErrMissing) {
		t.Skip("skipped: " + whyNone.Error())
	}
	if whyNone != nil {
		t.Fatal(whyNone)
	}
	return ours
}

// Maybe is Shared, or false where this machine has no PostgreSQL.
func Maybe(t testing.TB) (*Server, bool) {
	t.Helper()
	if _, err := folder(); err != nil {
		return nil, false
	}
	return Shared(t), true
}

// NewServer starts a server for one test, which may stop it and start it again.
func NewServer(t testing.TB) *Server {
	t.Helper()
	s, err := start()
	if errors.Is(err, ErrMissing) {
		t.Skip("skipped: " + err.Error())
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Stop(t); _ = os.RemoveAll(s.dir) })
	return s
}

// DSN names one of the server's databases.
func (s *Server) DSN(database string) string {
	return fmt.Sprintf("host=%s port=5432 user=solo dbname=%s", s.dir, database)
}

// Host is the folder of the server's socket.
func (s *Server) Host() string { return s.dir }

// Database makes an empty database.
func (s *Server) Database(t testing.TB) string {
	t.Helper()
	name := fmt.Sprintf("t%d", counter.Add(1))
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, s.DSN("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = conn.Exec(ctx, "CREATE DATABASE "+name)
	if err := errors.Join(err, conn.Close(ctx)); err != nil {
		t.Fatal(err)
	}
	return s.DSN(name)
}

// folder is where the newest PostgreSQL's programs lie.
func folder() (string, error) {
	if runtime.GOOS == "windows" {
		return "", ErrMissing
	}
	places, err := filepath.Glob("/usr/lib/postgresql/*/bin")
	if err != nil {
		return "", err
	}
	slices.Sort(places)
	slices.Reverse(places)
	if p, err := exec.LookPath("initdb"); err == nil {
		places = append(places, filepath.Dir(p))
	}
	for _, p := range places {
		if _, err := os.Stat(filepath.Join(p, "initdb")); err == nil {
			return p, nil
		}
	}
	return "", ErrMissing
}

// start makes a server and starts it. What it keeps need not outlive a power cut.
func start() (*Server, error) {
	bin, err := folder()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "solo-pg-")
	if err != nil {
		return nil, err
	}
	s := &Server{dir: dir, bin: bin}
	if err := give(dir); err != nil {
		return nil, err
	}
	cmd := exec.Command(filepath.Join(bin, "initdb"), "-D", filepath.Join(dir, "data"), "-U", "solo", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync", "--no-instructions")
	cmd.Dir = dir
	lower(cmd)
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("making a PostgreSQL: %w: %s", err, out)
	}
	return s, s.run()
}

// life runs the server until its standard input is closed, and then removes it where it is told to.
const life = `"$1" -D "$2/data" -k "$2" -c listen_addresses= -c fsync=off -c full_page_writes=off -c shared_buffers=16MB -c max_connections=200 &
p=$!
read word
kill -QUIT $p
wait $p
[ "$word" = stay ] || rm -rf "$2"`

func (s *Server) run() error {
	in, out, err := os.Pipe()
	if err != nil {
		return err
	}
	log, err := os.OpenFile(s.dir+".log", os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	defer os.Remove(log.Name()) // it is read by none but this
	s.shell = exec.Command("/bin/sh", "-c", life, "sh", filepath.Join(s.bin, "postgres"), s.dir)
	s.shell.Dir, s.shell.Stdin, s.shell.Stdout, s.shell.Stderr = s.dir, in, log, log
	lower(s.shell)
	if err := errors.Join(s.shell.Start(), in.Close()); err != nil {
		return err
	}
	s.life = out
	for range 300 {
		var conn *pgx.Conn
		if conn, err = pgx.Connect(context.Background(), s.DSN("postgres")); err == nil {
			return conn.Close(context.Background())
		}
		time.Sleep(100 * time.Millisecond)
	}
	said, _ := os.ReadFile(log.Name())
	return fmt.Errorf("starting a PostgreSQL: %w: %s", err, said)
}

// Stop ends the server as a power cut would; what it has stays.
func (s *Server) Stop(t testing.TB) {
	t.Helper()
	if s.life == nil {
		return
	}
	_, err := s.life.WriteString("stay\n")
	_ = errors.Join(s.life.Close(), s.shell.Wait()) // it was killed
	s.life = nil
	if err != nil {
		t.Fatal(err)
	}
}

// Start starts a server again that was stopped.
func (s *Server) Start(t testing.TB) {
	t.Helper()
	if err := s.run(); err != nil {
		t.Fatal(err)
	}
}
