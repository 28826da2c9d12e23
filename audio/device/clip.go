package device

import (
	"io"

	"github.com/solo-assistant/solo/audio"
)

// Clip makes a stream of a clip, whatever its format.
func Clip(c audio.Clip) Samples { return &clipReader{rest: c.Mono16k().PCM} }

type clipReader struct{ rest []int16 }

func (c *clipReader) Read(pcm []int16) (int, error) {
	if len(c.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(pcm, c.rest)
	c.rest = c.rest[n:]
	return n, nil
}
