//go:build !windows

package autostart

import (
	"context"
	"runtime"
)

func ways(ctx context.Context, env func(string) string) ([]way, int, error) {
	switch runtime.GOOS {
	case "linux", "darwin", "freebsd", "openbsd", "netbsd":
		return filesFor(ctx, runtime.GOOS, env)
	}
	return nil, 0, ErrUnsupported
}
