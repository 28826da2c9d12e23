package documents

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/solo-assistant/solo/core/document"
	"github.com/solo-assistant/solo/core/words"
)

// hidden tells whether a part of a path begins with a dot.
func hidden(rel string) bool {
	for part := range strings.SplitSeq(filepath.ToSlash(rel), "/") {
		if len(part) > 1 && part[0] == '.' && part != ".." {
			return true
		}
	}
	return false
}

// keyEndings are of files that hold keys.
var keyEndings = []string{".pem", ".key", ".p12", ".pfx", ".jks", ".keystore", ".kdbx", ".kdb", ".ppk", ".gpg", ".ovpn", ".keychain", ".env"}

// noteEndings are of files in which people and programs write passwords down. A novel may be called what it likes.
var noteEndings = []string{"", ".txt", ".md", ".json", ".yaml", ".yml", ".ini", ".cfg", ".conf", ".toml", ".csv", ".xml", ".properties"}

var secretWords = []string{"token", "tokens", "password", "passwords", "passwd", "passphrase", "credential", "credentials", "secret", "secrets",
	"apikey", "apikeys", "kubeconfig", "htpasswd", "shadow", "wallet"}

var keyName = regexp.MustCompile(`^(id_(rsa|dsa|ecdsa|ed25519)|ssh_host_|authorized_keys|known_hosts|netrc|pgpass|dot ?env)`)

// secret tells by its name whether a file holds keys or passwords.
func secret(path string) bool {
	name := strings.ToLower(filepath.Base(path))
	ending := filepath.Ext(name)
	if slices.Contains(keyEndings, ending) || keyName.MatchString(name) || strings.Contains(name, ".env.") {
		return true
	}
	if !slices.Contains(noteEndings, ending) {
		return false
	}
	said := words.Fold(strings.NewReplacer("_", " ", "-", " ", ".", " ").Replace(strings.TrimSuffix(name, ending)))
	if strings.Contains(strings.Join(said, " "), "api key") {
		return true
	}
	return slices.ContainsFunc(said, func(w string) bool { return slices.Contains(secretWords, w) })
}

var privateKey = regexp.MustCompile(`-----BEGIN [A-Z ]*PRIVATE KEY( BLOCK)?-----`)

// Secret tells by its name whether a file holds keys or passwords. Such a file is read by nobody.
func Secret(path string) bool { return secret(path) }

// HoldsKey tells by its text whether a document is a private key.
func HoldsKey(d document.Document) bool { return holdsKey(d) }

// holdsKey tells by its text whether a document is a private key.
func holdsKey(d document.Document) bool {
	return slices.ContainsFunc(d.Pages, func(p document.Page) bool { return privateKey.MatchString(p.Text) })
}
