package router

import (
	"context"
	"errors"
	"time"

	"github.com/solo-assistant/solo/models"
)

// Asked says that a request to a model is over, well or not. It holds no words of the user's or the model's.
type Asked struct {
	Work       models.Work // "embedding" for vectors
	Usage      models.Usage
	FirstToken time.Duration // from the request to the first piece of the answer, waiting included; 0 where none came
	Took       time.Duration // the whole, with the time that the reader took
	Waited     time.Duration // of it, in the queue
	FromCache  bool
	Tried      []string // engines that could not answer
	// Err names what went wrong: the text of one of models' errors, "cancelled", "broken off" by the reader, or
	// "failed"; "" for an answer.
	Err string
}

// named are the errors that Asked tells by their own text.
var named = []error{
	models.ErrPrivate, models.ErrAbsent, models.ErrUnreachable, models.ErrNoModel, models.ErrTooLarge, models.ErrTooLong,
	models.ErrKey, models.ErrBusy, models.ErrLate, models.ErrBroken, models.ErrNonsense, models.ErrUnable,
}

func nameOf(ctx context.Context, err error, broken bool) string {
	switch {
	case broken:
		return "broken off"
	case err == nil:
		return ""
	case ctx.Err() != nil:
		return "cancelled"
	}
	for _, e := range named {
		if errors.Is(err, e) {
			return e.Error()
		}
	}
	return "failed"
}
