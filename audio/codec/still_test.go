package codec

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// An ffmpeg that gives nothing is ended.
func TestAStillFFmpegIsEnded(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "ffmpeg"), []byte("#!/bin/sh\nexec sleep 600\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	before := stillness
	stillness = 100 * time.Millisecond
	defer func() { stillness = before }()
	done := make(chan error, 1)
	go func() {
		_, err := withFFmpeg(bytes.NewReader([]byte("not much")), "mp4")
		done <- err
	}()
	select {
	case err := <-done:
		if err == nil {
			t.Error("no error")
		}
	case <-time.After(20 * time.Second):
		t.Error("it is still waited for")
	}
}
