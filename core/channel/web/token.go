package web

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/rs/zerolog"

	"github.com/solo-assistant/solo/core/config"
)

// tokenLen is the length of a token in hexadecimal digits: 256 bits.
const tokenLen = 64

// loadToken reads the token kept in a file, or makes one. A file that others could read has told its token: a new one
// takes its place.
func loadToken(path string, log zerolog.Logger) (config.Secret, error) {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return makeToken(path)
	case err != nil:
		return config.Secret{}, fmt.Errorf("look for the token of the web door: %w", err)
	case !info.Mode().IsRegular():
		return config.Secret{}, fmt.Errorf("the token of the web door: %s is no plain file; remove it", path)
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		log.Warn().Str("file", path).Msg("others could read the token of the web door: a new one was made")
		return makeToken(path)
	}
	token, err := readToken(path)
	if err != nil {
		return config.Secret{}, err
	}
	if token == "" {
		log.Warn().Str("file", path).Msg("the token of the web door was damaged: a new one was made")
		return makeToken(path)
	}
	return config.NewSecret(token), nil
}

// readToken gives "" where the file holds no token.
func readToken(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("open the token of the web door: %w", err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, 1024))
	if err != nil {
		return "", fmt.Errorf("read the token of the web door: %w", err)
	}
	token := strings.TrimSpace(string(text))
	if _, err := hex.DecodeString(token); err != nil || len(token) != tokenLen {
		return "", nil
	}
	return token, nil
}

// makeToken keeps a new token beside the place and then moves it there, so that no half of one is ever read.
func makeToken(path string) (config.Secret, error) {
	token := random(tokenLen / 2)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return config.Secret{}, fmt.Errorf("make the folder of the web door's token: %w", err)
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".token-*") // readable by its owner alone
	if err != nil {
		return config.Secret{}, fmt.Errorf("make the token of the web door: %w", err)
	}
	_, err = f.WriteString(token + "\n")
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return config.Secret{}, fmt.Errorf("keep the token of the web door: %w", errors.Join(err, os.Remove(f.Name())))
	}
	return config.NewSecret(token), nil
}

// random gives n random bytes in hexadecimal.
func random(n int) string {
	b := make([]byte, n)
	_, _ = rand.Read(b) // never fails
	return hex.EncodeToString(b)
}
