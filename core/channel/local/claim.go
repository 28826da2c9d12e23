// Package local is the door between a running Solo and the command line beside it: one instance a
// home folder, found by a lock file, spoken to over loopback with a token that only the owner can read.
package local

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Card is how a running instance can be reached.
type Card struct {
	PID   int    `json:"pid"`
	Addr  string `json:"addr"`  // loopback host:port
	Token string `json:"token"` // 256 bits, hexadecimal
}

// TakenError says that another instance runs in this home folder.
type TakenError struct {
	Home string
	PID  int // 0 where it could not be read
}

func (e *TakenError) Error() string {
	return fmt.Sprintf("Solo already runs in %s (process %d); stop that one first, or give another --home", e.Home, e.PID)
}

// Claim is the right to run in a home folder. It ends with Release or with the process.
type Claim struct {
	dir  string
	lock *os.File
}

// Take claims home; a *TakenError where another process holds it.
func Take(home string) (*Claim, error) {
	dir := filepath.Join(home, "run")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the folder of the running instance: %w", err)
	}
	f, err := os.OpenFile(filepath.Join(dir, "solo.lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the lock of the running instance: %w", err)
	}
	if err := lockFile(f); err != nil {
		_ = f.Close() // the lock was not ours
		card, _ := read(dir)
		return nil, &TakenError{Home: home, PID: card.PID}
	}
	return &Claim{dir: dir, lock: f}, nil
}

// Show writes the card that lets the command line find this instance.
func (c *Claim) Show(card Card) error {
	text, err := json.Marshal(card)
	if err != nil {
		return fmt.Errorf("write the card of the running instance: %w", err)
	}
	next := filepath.Join(c.dir, "solo.json.new")
	if err := os.WriteFile(next, text, 0o600); err != nil {
		return fmt.Errorf("write the card of the running instance: %w", err)
	}
	return os.Rename(next, cardPath(c.dir))
}

// Release gives the home folder free.
func (c *Claim) Release() error {
	gone := os.Remove(cardPath(c.dir))
	if errors.Is(gone, os.ErrNotExist) {
		gone = nil
	}
	return errors.Join(gone, c.lock.Close())
}

func cardPath(dir string) string { return filepath.Join(dir, "solo.json") }

func read(dir string) (Card, error) {
	f, err := os.Open(cardPath(dir))
	if err != nil {
		return Card{}, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, 4096))
	if err != nil {
		return Card{}, err
	}
	var c Card
	return c, json.Unmarshal(text, &c)
}
