package consent

import "context"

// Fault says why an approval is of no use.
type Fault struct{ what, say string }

func (f *Fault) Error() string { return f.what }

// Say is the same in a sentence for the user.
func (f *Fault) Say() string { return f.say }

// Errors of approvals. Each is a *Fault.
var (
	ErrUnknown error = &Fault{"no such approval", "I don't know what that was about."}
	ErrOpen    error = &Fault{"the user has not answered yet", "I'm still waiting for your yes or no."}
	ErrExpired error = &Fault{"the approval is too old", "That was too long ago. Please ask me again."}
	ErrRefused error = &Fault{"the user refused", "You said no to that."}
	ErrGranted error = &Fault{"the approval is granted already", "You said yes to that already."}
	ErrSpent   error = &Fault{"the approval was used already", "That was done already."}
	ErrOther   error = &Fault{"the approval is for something else", "You agreed to something else."}
	ErrNotUser error = &Fault{"only the user can approve", "Only you can approve that."}
	ErrMany    error = &Fault{"too many approvals are open", "I've asked you about too many things already. Please answer those first."}
	ErrTwice   error = &Fault{"an argument is given twice", "Sorry, I didn't get all of that."}
)

// why says why an approval did not move on from where a step wanted it.
func (b *Book) why(ctx context.Context, id string, wanted State) error {
	a, err := b.c.Rows.Approval(ctx, id)
	if err != nil {
		return err
	}
	switch a.State {
	case Refused:
		return ErrRefused
	case Spent:
		return ErrSpent
	}
	if !b.c.Now().Before(a.Until) {
		return ErrExpired
	}
	if a.State == Open {
		return ErrOpen
	}
	if wanted == Open {
		return ErrGranted
	}
	return ErrUnknown
}
