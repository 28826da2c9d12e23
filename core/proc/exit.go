package proc

import (
	"errors"
	"strings"
)

// ErrLimit is in the error of a command that Run ended because it took too long.
var ErrLimit = errors.New("took too long")

// Exit says how a child program ended when it should not have.
type Exit struct {
	Name  string
	Err   error    // an *exec.ExitError, what the health gate said, exec.ErrNotFound, ...; nil for status 0
	Words []string // its last lines
}

func (e *Exit) Error() string {
	why := "ended by itself"
	if e.Err != nil {
		why = e.Err.Error()
	}
	if len(e.Words) == 0 {
		return e.Name + ": " + why
	}
	return e.Name + ": " + why + "; its last words: " + strings.Join(e.Words, " / ")
}

func (e *Exit) Unwrap() error { return e.Err }
