package models

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// Digest names exactly these messages, so that an agreement to send them fits no others.
func Digest(m []Message) string {
	text, err := json.Marshal(m)
	if err != nil {
		return "" // messages hold only text
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
