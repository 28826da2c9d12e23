package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/rs/zerolog"
	"gopkg.in/natefinch/lumberjack.v2"
)

// logConfig says what is logged and how.
type logConfig struct {
	Level   string `toml:"level" default:"info" allowed:"debug|info|warn|error" doc:"debug also logs what the microphone heard"`
	Format  string `toml:"format" default:"json" allowed:"json|console" doc:"of the log file"`
	Console bool   `toml:"console" default:"false" doc:"also on the terminal"`
	MaxMB   int    `toml:"max_mb" default:"10" min:"1" max:"1000" doc:"size at which the file is rotated; five old ones are kept"`
}

// newLog opens the rotated log file; close it when all is done.
func newLog(path string, c logConfig) (zerolog.Logger, io.Closer, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return zerolog.Nop(), nil, fmt.Errorf("make the folder of the log: %w", err)
	}
	level, err := zerolog.ParseLevel(c.Level)
	if err != nil {
		return zerolog.Nop(), nil, fmt.Errorf("log.level: %w", err)
	}
	file := &lumberjack.Logger{Filename: path, MaxSize: c.MaxMB, MaxBackups: 5}
	var w io.Writer = file
	if c.Format == "console" {
		w = zerolog.ConsoleWriter{Out: file, NoColor: true, TimeFormat: time.RFC3339}
	}
	if c.Console {
		w = io.MultiWriter(w, zerolog.ConsoleWriter{Out: os.Stderr, TimeFormat: time.TimeOnly})
	}
	return zerolog.New(w).Level(level).With().Timestamp().Logger(), file, nil
}

// tail copies the log to w, and with follow goes on with what is added, through rotations, until ctx ends.
func tail(ctx context.Context, path string, follow bool, w io.Writer) error {
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) && !follow {
		return fmt.Errorf("there is no log yet at %s; start Solo with: solo run", path)
	}
	for {
		if f != nil {
			if _, err := io.Copy(w, f); err != nil {
				return fmt.Errorf("read the log: %w", err)
			}
		}
		if !follow {
			return f.Close()
		}
		select {
		case <-time.After(200 * time.Millisecond):
		case <-ctx.Done():
			if f != nil {
				return f.Close()
			}
			return nil
		}
		f = reopened(f, path)
	}
}

// reopened is the file at path where it is no longer the one that is open.
func reopened(f *os.File, path string) *os.File {
	next, err := os.Stat(path)
	if err != nil {
		return f
	}
	if f != nil {
		if now, err := f.Stat(); err == nil && os.SameFile(now, next) && now.Size() >= position(f) {
			return f
		}
		_ = f.Close() // it was only read
	}
	g, err := os.Open(path)
	if err != nil {
		return nil
	}
	return g
}

func position(f *os.File) int64 {
	n, err := f.Seek(0, io.SeekCurrent)
	if err != nil {
		return 0
	}
	return n
}
