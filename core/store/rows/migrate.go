package rows

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/pressly/goose/v3"
)

func (db *DB) migrator() (*goose.Provider, error) {
	steps, err := steps(db.engine)
	if err != nil {
		return nil, err
	}
	dialect, options := goose.DialectSQLite3, []goose.ProviderOption(nil)
	if db.engine == Postgres {
		dialect = goose.DialectPostgres
		if options, err = serverLock(); err != nil {
			return nil, err
		}
	}
	return goose.NewProvider(dialect, db.writer, steps, append(options, goose.WithDisableGlobalRegistry(true))...)
}

// up brings the tables to the newest version this build knows. Another program may be doing the same: then the loser
// of the race looks again.
func (db *DB) up(ctx context.Context) error {
	if db.current(ctx) {
		return nil
	}
	m, err := db.migrator()
	if err != nil {
		return err
	}
	for try := 1; ; try++ {
		have, known, err := m.GetVersions(ctx)
		switch {
		case err == nil && have > known:
			return fmt.Errorf("%w: its tables have version %d, this Solo knows up to %d", ErrNewer, have, known)
		case err == nil && have == known:
			return nil
		case err == nil:
			_, err = m.Up(ctx)
		}
		if err == nil {
			return nil
		}
		if try == 5 || ctx.Err() != nil || isDisk(err) {
			return fmt.Errorf("bringing its tables up to date: %w", err)
		}
	}
}

// current tells, by one small query, whether the tables have the newest version: at every start but the first they have.
func (db *DB) current(ctx context.Context) bool {
	var have sql.NullInt64
	err := db.writer.QueryRowContext(ctx, "SELECT max(version_id) FROM goose_db_version WHERE is_applied").Scan(&have)
	return err == nil && have.Int64 > 0 && have.Int64 == newest(db.engine)
}

// MigrateTo brings the tables up or down to a version; 0 is an empty database. What a lower version has no place for
// is lost.
func (db *DB) MigrateTo(ctx context.Context, version int64) error {
	m, err := db.migrator()
	if err != nil {
		return fault("migrating", err)
	}
	have, err := m.GetDBVersion(ctx)
	if err == nil && version < have {
		_, err = m.DownTo(ctx, version)
	} else if err == nil && version > have {
		_, err = m.UpTo(ctx, version)
	}
	if err != nil {
		return fault(fmt.Sprintf("migrating to version %d", version), err)
	}
	return nil
}

// Version gives the version of the tables and the newest that this build knows.
func (db *DB) Version(ctx context.Context) (have, known int64, err error) {
	m, err := db.migrator()
	if err == nil {
		have, known, err = m.GetVersions(ctx)
	}
	if err != nil {
		return 0, 0, fault("reading the version of the tables", err)
	}
	return have, known, nil
}
