package rows

import (
	"context"
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// states are PostgreSQL's codes by their beginnings (Appendix A of its manual), the longer ones first.
var states = []struct {
	code string
	kind error
}{
	{"53100", ErrFull}, {"25006", ErrRights}, {"42501", ErrRights}, {"55P03", ErrBusy}, {"40P01", ErrBusy},
	{"XX001", ErrCorrupt}, {"XX002", ErrCorrupt}, {"57P0", ErrDown}, {"53300", ErrDown}, {"28", ErrRefused}, {"3D", ErrRefused}, {"08", ErrDown},
}

// serverKind is kindOf for what a PostgreSQL says, or the way to it.
func serverKind(err error) error {
	var said *pgconn.PgError
	if errors.As(err, &said) {
		for _, s := range states {
			if strings.HasPrefix(said.Code, s.code) {
				return s.kind
			}
		}
		return nil
	}
	var away *pgconn.ConnectError
	var lost net.Error
	switch {
	case errors.As(err, &away):
		return ErrDown
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded): // which says that it is a net.Error
		return nil
	case errors.As(err, &lost), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF), errors.Is(err, net.ErrClosed), errors.Is(err, driver.ErrBadConn):
		return ErrDown
	}
	return nil
}
