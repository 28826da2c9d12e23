//go:build !unix

package main

import "time"

// spent is known on Unix only.
func spent() time.Duration { return 0 }
