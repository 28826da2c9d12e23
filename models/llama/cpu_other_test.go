//go:build !unix

package llama

import "time"

func spent() time.Duration { return 0 }
