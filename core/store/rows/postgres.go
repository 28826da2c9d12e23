package rows

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"net"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

const (
	oldestServer    = 15
	connectPatience = 5 * time.Second
	lockPatience    = "5000" // ms to wait for another program's lock, as busyFor
)

// DSN says where a PostgreSQL is and who logs in: postgres://user:password@host:5432/solo, or the words of libpq. It does
// not print itself, for the password in it.
type DSN string

func (d DSN) String() string   { return "(hidden)" }
func (d DSN) GoString() string { return "(hidden)" }

// server is how a DSN is understood.
func (d DSN) server() (*pgx.ConnConfig, error) {
	c, err := pgx.ParseConfig(string(d))
	if err != nil { // its text may hold the DSN
		return nil, errors.New("database.dsn is no address of a PostgreSQL such as postgres://user:password@localhost:5432/solo")
	}
	if c.ConnectTimeout == 0 {
		c.ConnectTimeout = connectPatience
	}
	c.StatementCacheCapacity = 256 // more than there are statements
	for name, value := range map[string]string{"application_name": "solo", "synchronous_commit": "on", "timezone": "UTC", "lock_timeout": lockPatience} {
		if name == "synchronous_commit" || c.RuntimeParams[name] == "" {
			c.RuntimeParams[name] = value
		}
	}
	return c, nil
}

// place names a server and its database without a password.
func place(c *pgx.ConnConfig) string {
	host := net.JoinHostPort(c.Host, strconv.Itoa(int(c.Port)))
	return fmt.Sprintf("PostgreSQL %s at %s", c.Database, host)
}

// dial makes a pool on a server: one connection that writes, or some that cannot.
func (l *link) dial(c *pgx.ConnConfig, reader bool) *sql.DB {
	own, count := c.Copy(), 1
	if reader {
		own.RuntimeParams["default_transaction_read_only"] = "on"
		count = maxReaders
	}
	pool := sql.OpenDB(gate{l, stdlib.GetConnector(*own, stdlib.OptionResetSession(alive))})
	pool.SetMaxOpenConns(count)
	pool.SetMaxIdleConns(count)
	return pool
}

// alive throws a connection away that the server has closed meanwhile, before a statement is lost on it.
func alive(_ context.Context, c *pgx.Conn) error {
	if c.PgConn().CheckConn() != nil { //nolint:staticcheck // a Ping would cost each statement a way to the server and back
		return driver.ErrBadConn
	}
	return nil
}

// openServer opens a PostgreSQL. Where it does not answer and c.Patient is set, the DB is given back without it: all
// fails with ErrDown until it is there.
func openServer(ctx context.Context, c Config) (*DB, error) {
	server, err := c.DSN.server()
	if err != nil {
		return nil, fmt.Errorf("opening the database: %w", err)
	}
	db := &DB{engine: Postgres, path: place(server)}
	db.link = newLink(c.OnState, db.settle)
	db.writer, db.readers = db.link.dial(server, false), db.link.dial(server, true)
	db.read = newQueries(db.readers)
	err = db.settle(ctx)
	if err != nil && !(c.Patient && errors.Is(fault("", err), ErrDown)) {
		return nil, errors.Join(fault("opening the database "+db.path, err), db.Close())
	}
	if err != nil {
		db.link.down(err)
	}
	return db, nil
}

// settle sees that a server that answers is fit, and brings its tables up to date.
func (db *DB) settle(ctx context.Context) error {
	ctx = past(ctx)
	var number int
	if err := db.writer.QueryRowContext(ctx, "SELECT current_setting('server_version_num')::int").Scan(&number); err != nil {
		return err
	}
	if number < oldestServer*10_000 {
		return fmt.Errorf("%w: it is version %d, and Solo needs %d or newer", ErrServer, number/10_000, oldestServer)
	}
	if err := db.up(ctx); err != nil {
		return err
	}
	name := db.link.assumed()
	if name == "" {
		return nil
	}
	id, err := db.user(ctx, name)
	if err == nil && id != 1 {
		err = fmt.Errorf("%w: it knows %q as user %d; start Solo again", ErrServer, name, id)
	}
	return err
}

// serverLock lets one program at a time migrate.
func serverLock() ([]goose.ProviderOption, error) {
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 30), lock.WithUnlockTimeout(1, 5))
	return []goose.ProviderOption{goose.WithSessionLocker(locker)}, err
}

// turn waits until no other program writes: reading and then writing in one transaction is one step, as in SQLite.
func turn(ctx context.Context, open *sql.Tx) error {
	_, err := open.ExecContext(ctx, "SELECT pg_advisory_xact_lock(hashtext('solo.' || current_schema()))")
	return err
}
