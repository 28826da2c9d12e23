package keys

import "errors"

// What keeps a key from being watched. Each is wrapped in one sentence for people.
var (
	ErrTaken   = errors.New("another program holds the key")
	ErrAbsent  = errors.New("there is no keyboard to watch")
	ErrUnable  = errors.New("this system has no way to watch the key")
	ErrGone    = errors.New("the keyboard went away")
	ErrRefused = errors.New("the key was refused") // by the user: do not ask again
)

// Trouble is one sentence for people about a kind of trouble.
type Trouble struct {
	Kind error // one of the above
	Say  string
	Err  error // what the system said, nil for nothing
}

func (t *Trouble) Error() string { return t.Say }

func (t *Trouble) Unwrap() []error {
	if t.Err == nil {
		return []error{t.Kind}
	}
	return []error{t.Kind, t.Err}
}
