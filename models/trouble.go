package models

import "errors"

// Errors of engines. An engine wraps one of them, so that a door can tell what to do.
var (
	ErrAbsent      = errors.New("the engine is not installed")
	ErrUnreachable = errors.New("the engine does not answer")
	ErrNoModel     = errors.New("there is no such model")
	ErrTooLarge    = errors.New("the model does not fit into memory")
	ErrTooLong     = errors.New("the conversation is longer than the model's context")
	ErrKey         = errors.New("the engine refused the key")
	ErrBusy        = errors.New("the engine is busy")
	ErrLate        = errors.New("the model took too long")
	ErrBroken      = errors.New("the answer broke off")
	ErrNonsense    = errors.New("the model answered nonsense")
	ErrPrivate     = errors.New("the request would leave this machine")
	ErrUnable      = errors.New("the engine cannot do that")
)

// excuses are what the user hears of each error.
var excuses = []struct {
	err error
	say string
}{
	{ErrAbsent, "The program that runs my language model is not installed. The doctor command tells how to get it."},
	{ErrUnreachable, "My language model does not answer at the moment. Please try again shortly."},
	{ErrNoModel, "I can't find the language model that is set up. The models command lists those I have."},
	{ErrTooLarge, "That language model is too large for this machine's memory."},
	{ErrTooLong, "That is too long for my language model."},
	{ErrKey, "The language model's provider refused my key."},
	{ErrBusy, "My language model is busy. Please try again in a moment."},
	{ErrLate, "My language model took too long."},
	{ErrBroken, "My language model broke off in the middle."},
	{ErrNonsense, "My language model gave an answer that I can't use."},
	{ErrPrivate, "I won't do that, because it would send your words away from this machine."},
	{ErrUnable, "My language model can't do that."},
}

// Excuse words an error of an engine for the user, in one sentence.
func Excuse(err error) string {
	for _, e := range excuses {
		if errors.Is(err, e.err) {
			return e.say
		}
	}
	return "Something went wrong with my language model."
}
