package depot

import (
	"errors"
	"fmt"
	"time"
)

// fault is a failure of one try, with what is to be done about it.
type fault struct {
	err   error
	final bool          // this address need not be asked again
	fatal bool          // no address need be asked: it is ours
	after time.Duration // how long the server asks us to wait
	anew  bool          // what is there cannot be gone on with
}

func (f *fault) Error() string { return f.err.Error() }
func (f *fault) Unwrap() error { return f.err }

func final(format string, args ...any) error {
	return &fault{err: fmt.Errorf(format, args...), final: true}
}

func anew(format string, args ...any) error {
	return &fault{err: fmt.Errorf(format, args...), anew: true}
}

func fatal(err error) error { return &fault{err: err, fatal: true} }

// faultOf is what is to be done about any error; what nobody judged may pass.
func faultOf(err error) *fault {
	if f, ok := errors.AsType[*fault](err); ok {
		return &fault{err: err, final: f.final, fatal: f.fatal, after: f.after, anew: f.anew}
	}
	return &fault{err: err}
}

// errStalled ends a try in which nothing comes.
var errStalled = errors.New("nothing came any more")
