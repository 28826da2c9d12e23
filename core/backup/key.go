package backup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"filippo.io/age"
	"github.com/solo-assistant/solo/core/config"
)

// lock is what new backups are encrypted to. made is the file of a key that was made for it.
func (v *Vault) lock() (lock age.Recipient, made string, err error) {
	switch {
	case v.c.Recipient != "":
		list, err := age.ParseRecipients(strings.NewReader(v.c.Recipient))
		if err != nil || len(list) != 1 {
			return nil, "", errors.New("backup.recipient is no recipient of age, which looks like age1...")
		}
		return list[0], "", nil
	case v.c.Passphrase.Reveal() != "":
		lock, err := age.NewScryptRecipient(v.c.Passphrase.Reveal())
		return lock, "", err
	}
	own, err := readKey(v.c.KeyFile)
	if errors.Is(err, fs.ErrNotExist) {
		made = v.c.KeyFile
		own, err = makeKey(v.c.KeyFile)
	}
	if err != nil {
		return nil, "", err
	}
	for _, k := range own {
		if x, ok := k.(*age.X25519Identity); ok {
			return x.Recipient(), made, nil
		}
	}
	return nil, "", fmt.Errorf("%s holds no key of Solo's own: set backup.recipient to what it belongs to", v.c.KeyFile)
}

// makeKey makes a key that only its owner can read, never over another.
func makeKey(path string) ([]age.Identity, error) {
	key, err := age.GenerateX25519Identity()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	_, err = fmt.Fprintf(f, "# The key of Solo's backups. Whoever has it can read them; without it nobody can.\n# public key: %s\n%s\n", key.Recipient(), key)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return nil, err
	}
	return []age.Identity{key}, nil
}

func readKey(path string) ([]age.Identity, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	keys, err := age.ParseIdentities(f)
	if err != nil { // its text may hold a part of the key
		return nil, fmt.Errorf("%s holds no key of age", path)
	}
	return keys, nil
}

// Key opens a backup: a file of keys, or a passphrase. The zero Key is the one that the settings name.
type Key struct {
	File       string
	Passphrase config.Secret
}

// keys are all that may open a backup.
func (v *Vault) keys(k Key) ([]age.Identity, error) {
	if k == (Key{}) {
		k = Key{v.c.KeyFile, v.c.Passphrase}
		if _, err := os.Stat(k.File); errors.Is(err, fs.ErrNotExist) {
			k.File = ""
		}
	}
	var out []age.Identity
	if k.File != "" {
		own, err := readKey(k.File)
		if err != nil {
			return nil, err
		}
		out = own
	}
	if word := k.Passphrase.Reveal(); word != "" {
		id, err := age.NewScryptIdentity(word)
		if err != nil {
			return nil, err
		}
		out = append(out, id)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%w: it is looked for in %s", ErrNoKey, v.c.KeyFile)
	}
	return out, nil
}
