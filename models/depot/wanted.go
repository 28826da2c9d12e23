package depot

import "fmt"

// Known is how a file's hash is known.
type Known string

// The ways of knowing.
const (
	Verified Known = "verified" // computed from the file by who wrote the catalogue
	Stated   Known = "stated"   // written down by others
	Pinned   Known = "pinned"   // what came the first time
)

// wanted is the hash that a file must have; sum is "" where nobody knows.
type wanted struct {
	sum   string
	known Known
	by    string
}

// who ends a sentence about a hash that did not fit.
func (w wanted) who() string {
	switch w.known {
	case Stated:
		return fmt.Sprintf(", which is stated by %s", w.by)
	case Pinned:
		return ", which was pinned when it was fetched first"
	}
	return ""
}

// wants is what is known of a file. What a catalogue knows by the file itself stands above all; renew passes over the rest.
func (b *book) wants(m Model, f File, renew bool) wanted {
	if f.SHA256 != "" {
		return wanted{f.SHA256, Verified, "the catalogue"}
	}
	if renew {
		return wanted{}
	}
	if p, ok := b.Pins[m.id(f)]; ok {
		return wanted{p.SHA256, Pinned, ""}
	}
	if f.Stated != "" {
		return wanted{f.Stated, Stated, f.StatedBy}
	}
	return wanted{}
}
