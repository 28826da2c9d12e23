package local

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"time"
)

// ErrNobody says that no instance runs in the home folder.
var ErrNobody = errors.New("no running Solo was found")

// Call asks the instance that runs in home; told is given each value of its answer. ErrNobody where
// none runs, so that the caller can do the work itself.
func Call(ctx context.Context, home, verb string, args any, told func(json.RawMessage) error) error {
	card, err := read(filepath.Join(home, "run"))
	if err != nil {
		return ErrNobody
	}
	conn, err := (&net.Dialer{Timeout: time.Second}).DialContext(ctx, "tcp", card.Addr)
	if err != nil {
		return ErrNobody // the card of one that was killed
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	text, err := json.Marshal(args)
	if err != nil {
		return fmt.Errorf("ask the running Solo: %w", err)
	}
	if err := json.NewEncoder(conn).Encode(request{Token: card.Token, Verb: verb, Args: text}); err != nil {
		return fmt.Errorf("ask the running Solo: %w", err)
	}
	return listen(ctx, bufio.NewReader(conn), told)
}

func listen(ctx context.Context, in *bufio.Reader, told func(json.RawMessage) error) error {
	for {
		var a answer
		if err := readLine(in, &a); err != nil {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			return fmt.Errorf("the running Solo left without an answer: %w", err)
		}
		switch {
		case a.Error != "":
			return errors.New(a.Error)
		case a.End:
			return nil
		}
		if err := told(a.Value); err != nil {
			return err
		}
	}
}
