package memory

import (
	"context"
	"fmt"
	"strings"
)

const maxKey = 64

// Set keeps a preference of the user, such as "name", "zone", "voice", "volume" or "muted". source says where it came
// from, for example "voice". Errors: ErrKey, ErrTooLong, or the rows' own.
func (m *Memory) Set(ctx context.Context, key, value, source string) error {
	if !named(key) {
		return fmt.Errorf("%w: %.80q", ErrKey, key)
	}
	if len(value)+len(source) > MaxText {
		return ErrTooLong
	}
	if err := m.c.Rows.SetPreference(ctx, key, value, source, m.c.Now()); err != nil {
		return fmt.Errorf("keeping the preference %q: %w", key, err)
	}
	return nil
}

// Get gives a preference, false where it was never set.
func (m *Memory) Get(ctx context.Context, key string) (string, bool, error) {
	value, ok, err := m.c.Rows.Preference(ctx, key)
	if err != nil {
		return "", false, fmt.Errorf("reading the preference %q: %w", key, err)
	}
	return value, ok, nil
}

func named(key string) bool {
	return key != "" && len(key) <= maxKey && strings.Trim(key, "abcdefghijklmnopqrstuvwxyz0123456789_.-") == ""
}
