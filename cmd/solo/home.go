package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// home is where Solo keeps its things.
type home struct {
	config string // config.toml, .env
	data   string // the database, weights, logs, what tells where a running instance is
	cache  string // what can be made again
}

// findHome takes the folder that was asked for, or SOLO_HOME, or the platform's folders.
func findHome(dir string) (home, error) {
	if dir == "" {
		dir = os.Getenv("SOLO_HOME")
	}
	if dir != "" {
		dir, err := filepath.Abs(dir)
		if err != nil {
			return home{}, fmt.Errorf("find the home folder: %w", err)
		}
		return home{config: dir, data: filepath.Join(dir, "data"), cache: filepath.Join(dir, "cache")}, nil
	}
	config, err := os.UserConfigDir()
	if err != nil {
		return home{}, fmt.Errorf("find the folder for settings; give --home: %w", err)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return home{}, fmt.Errorf("find the folder for caches; give --home: %w", err)
	}
	data, err := userData(config)
	if err != nil {
		return home{}, err
	}
	return home{filepath.Join(config, "solo"), filepath.Join(data, "solo"), filepath.Join(cache, "solo")}, nil
}

// userData is the platform's folder for data, which the standard library does not name.
func userData(config string) (string, error) {
	switch runtime.GOOS {
	case "windows":
		if d := os.Getenv("LocalAppData"); d != "" {
			return d, nil
		}
		return config, nil
	case "darwin":
		return config, nil
	}
	if d := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(d) {
		return d, nil
	}
	d, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("find the folder for data; give --home: %w", err)
	}
	return filepath.Join(d, ".local", "share"), nil
}

func (h home) file() string      { return filepath.Join(h.config, "config.toml") }
func (h home) dotEnv() string    { return filepath.Join(h.config, ".env") }
func (h home) database() string  { return filepath.Join(h.data, "solo.db") }
func (h home) log() string       { return filepath.Join(h.data, "logs", "solo.log") }
func (h home) weights() string   { return filepath.Join(h.data, "models") }
func (h home) workspace() string { return filepath.Join(h.data, "workspace") }
