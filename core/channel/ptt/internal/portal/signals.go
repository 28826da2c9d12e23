package portal

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"

	"github.com/godbus/dbus/v5"
	"github.com/solo-assistant/solo/core/channel/ptt/internal/keys"
)

type options = map[string]dbus.Variant

// token names a request or a session so that nobody else's is meant.
func (t *talk) token() string {
	t.asked++
	return fmt.Sprintf("solo%d_%s", t.asked, strings.ToLower(rand.Text()))
}

// errGone says that the portal or the bus ended.
var errGone = errors.New("the portal went away")

// ask calls a method of the portal and waits for its Response, which comes as a signal.
func (t *talk) ask(ctx context.Context, method string, args func(options) []any) (options, error) {
	token := t.token()
	var handle dbus.ObjectPath
	call := t.portal.CallWithContext(ctx, shortcuts+"."+method, 0, args(options{"handle_token": dbus.MakeVariant(token)})...)
	if err := call.Store(&handle); err != nil {
		return nil, err
	}
	for {
		sig, err := t.next(ctx)
		if err != nil {
			return nil, err
		}
		if sig.Name != request+".Response" || sig.Path != handle {
			continue
		}
		var code uint32
		var results options
		if err := dbus.Store(sig.Body, &code, &results); err != nil {
			return nil, fmt.Errorf("read the portal's answer to %s: %w", method, err)
		}
		switch code {
		case 0:
			return results, nil
		case 1:
			return nil, &keys.Trouble{Kind: keys.ErrRefused, Say: "the desktop's question about Solo's key was answered with no; restart Solo to be asked again"}
		}
		return nil, fmt.Errorf("the portal ended %s with code %d", method, code)
	}
}

// next is the next signal of the portal itself; errGone when the portal or the bus ends.
func (t *talk) next(ctx context.Context) (*dbus.Signal, error) {
	for {
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case sig, ok := <-t.signals:
			switch {
			case !ok:
				return nil, errGone
			case sig.Sender == "org.freedesktop.DBus" && sig.Name == "org.freedesktop.DBus.NameOwnerChanged":
				if t.owner != "" && len(sig.Body) == 3 && sig.Body[0] == service && sig.Body[1] == t.owner {
					return nil, errGone
				}
			case sig.Sender == t.owner:
				return sig, nil
			}
		}
	}
}

// listen tells of keys until ctx ends or the session does.
func (t *talk) listen(ctx context.Context, told func(keys.Event)) error {
	down := make([]bool, len(t.want))
	for {
		sig, err := t.next(ctx)
		if err != nil {
			return explain(err)
		}
		switch sig.Name {
		case session + ".Closed":
			if sig.Path == t.session {
				return &keys.Trouble{Kind: keys.ErrGone, Say: "the desktop took Solo's key back"}
			}
		case shortcuts + ".Activated", shortcuts + ".Deactivated":
			if i := t.meant(sig); i >= 0 && down[i] != (sig.Name == shortcuts+".Activated") {
				down[i] = !down[i]
				told(keys.Event{Which: i, Down: down[i]})
			}
		}
	}
}

// meant finds the wish that a signal of (session, id, time, options) is about; -1 for none.
func (t *talk) meant(sig *dbus.Signal) int {
	if len(sig.Body) < 2 || sig.Body[0] != t.session {
		return -1
	}
	for i, w := range t.want {
		if sig.Body[1] == w.Name {
			return i
		}
	}
	return -1
}

// explain makes one sentence of what went wrong.
func explain(err error) error {
	var told *keys.Trouble
	var said dbus.Error
	switch {
	case errors.As(err, &told):
		return told
	case errors.Is(err, errGone), errors.Is(err, dbus.ErrClosed):
		return &keys.Trouble{Kind: keys.ErrGone, Err: err, Say: "the desktop portal went away, and Solo's key with it"}
	case errors.As(err, &said):
		return &keys.Trouble{Kind: keys.ErrUnable, Err: err, Say: sentence(said)}
	}
	return &keys.Trouble{Kind: keys.ErrAbsent, Err: err, Say: fmt.Sprintf("the desktop portal gave no key: %v", err)}
}

func sentence(said dbus.Error) string {
	switch said.Name {
	case "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner":
		return "no desktop portal runs in this session, so no global key can be had; install xdg-desktop-portal"
	case "org.freedesktop.DBus.Error.UnknownMethod", "org.freedesktop.DBus.Error.UnknownInterface":
		return "this desktop's portal gives no global keys (GNOME 48, KDE Plasma and Hyprland do)"
	}
	return "the desktop portal gave no key: " + said.Error()
}
