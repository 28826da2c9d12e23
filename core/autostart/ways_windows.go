package autostart

import "context"

func ways(context.Context, func(string) string) ([]way, int, error) { return []way{runKey{}}, 0, nil }
