package cli

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Stocked is a model of the catalogue, or one that lies in the depot.
type Stocked struct {
	Name        string   `json:"name"`
	Task        string   `json:"task"`
	About       string   `json:"about"`
	Licence     string   `json:"licence"`
	Terms       string   `json:"terms,omitempty"`
	Languages   []string `json:"languages,omitempty"`
	Bytes       int64    `json:"bytes"` // to download
	Approximate bool     `json:"approximate,omitempty"`
	Memory      int64    `json:"memory_bytes,omitempty"` // while in use, estimated
	State       string   `json:"state"`                  // "here", "part", "damaged" or "absent"
	Kept        int64    `json:"kept_bytes,omitempty"`   // on the disk
	Known       string   `json:"known"`                  // "verified", "stated", "pinned", or "unverified" before it was fetched
	Fits        bool     `json:"fits"`                   // there is memory for it
	Gone        bool     `json:"gone,omitempty"`         // the catalogue has it no longer
}

// how a model's hash is known, for people.
var how = map[string]string{"verified": "verified", "stated": "hash as others state it", "pinned": "hash as it came", "unverified": "unverified"}

func (Stocked) Event() string { return "stocked" }
func (s Stocked) Human() string {
	var notes []string
	switch s.State {
	case "here":
		notes = append(notes, "here", how[s.Known])
	case "part":
		notes = append(notes, "partly here", how[s.Known])
	case "damaged":
		notes = append(notes, "DAMAGED: pull it again")
	default:
		notes = append(notes, how[s.Known])
	}
	if !s.Fits {
		notes = append(notes, "too large for this machine")
	}
	if s.Gone {
		notes = append(notes, "no longer in the catalogue")
	}
	notes = slices.DeleteFunc(notes, func(n string) bool { return n == "" })
	line := fmt.Sprintf("%-22s %-5s %10s  %-12s %s", s.Name, s.Task, sized(max(s.Bytes, s.Kept), s.Approximate), s.Licence, s.About)
	if len(notes) > 0 {
		line += " [" + strings.Join(notes, "; ") + "]"
	}
	return strings.TrimRight(line, " ")
}

// Fetching is how far a download is.
type Fetching struct {
	Model string  `json:"model"`
	File  string  `json:"file,omitempty"`
	State string  `json:"state"` // "asking", "coming", "waiting", "checking", "unpacking", "done"
	Done  int64   `json:"done"`  // bytes
	Total int64   `json:"total"`
	Speed float64 `json:"bytes_per_s,omitempty"`
	Left  Seconds `json:"left_s"` // -1 where it is not known
	Note  string  `json:"note,omitempty"`
}

func (Fetching) Event() string { return "fetching" }
func (f Fetching) Human() string {
	name := f.Model
	if f.File != "" {
		name += " " + f.File[strings.LastIndexByte(f.File, '/')+1:]
	}
	switch f.State {
	case "waiting":
		return name + ": waits: " + f.Note
	case "checking":
		return name + ": checks what is there"
	case "unpacking":
		return name + ": unpacks"
	case "coming":
		return name + ": " + f.share()
	}
	return ""
}

// share is "35 %, 51.8 of 148.0 MB, 3.1 MB/s, 31 s left".
func (f Fetching) share() string {
	if f.Total <= 0 {
		return sized(f.Done, false)
	}
	unit, word := 1e6, "MB"
	if f.Total >= 1e9 {
		unit, word = 1e9, "GB"
	}
	text := fmt.Sprintf("%d %%, %.2f of %.2f %s", 100*min(f.Done, f.Total)/f.Total, float64(f.Done)/unit, float64(f.Total)/unit, word)
	if f.Speed > 0 {
		text += ", " + sized(int64(f.Speed), false) + "/s"
	}
	if f.Left >= 0 {
		text += ", " + lasting(time.Duration(f.Left)) + " left"
	}
	return text
}

// lasting is a time without what nobody wants to know: "12 s", "4 min", "3 h 20 min".
func lasting(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%d s", int(d.Round(time.Second)/time.Second))
	case d < time.Hour:
		return fmt.Sprintf("%d min", int(d.Round(time.Minute)/time.Minute))
	}
	d = d.Round(time.Minute)
	return fmt.Sprintf("%d h %d min", int(d/time.Hour), int(d%time.Hour/time.Minute))
}

// sized is a number of bytes for people.
func sized(n int64, approximate bool) string {
	text := fmt.Sprintf("%d B", n)
	switch {
	case n >= 1e9:
		text = fmt.Sprintf("%.2f GB", float64(n)/1e9)
	case n >= 1e5:
		text = fmt.Sprintf("%.1f MB", float64(n)/1e6)
	case n >= 1e3:
		text = fmt.Sprintf("%.1f kB", float64(n)/1e3)
	}
	if approximate {
		return "~" + text
	}
	return text
}

// Fetched is a model that is in its place.
type Fetched struct {
	Model   string   `json:"model"`
	Already bool     `json:"already"`
	Bytes   int64    `json:"bytes"`                 // that came
	Saved   int64    `json:"saved_bytes,omitempty"` // that were there from an earlier try
	Paths   []string `json:"paths"`
	Notes   []string `json:"notes,omitempty"`
}

func (Fetched) Event() string { return "fetched" }
func (f Fetched) Human() string {
	text := fmt.Sprintf("%s: is there: %s", f.Model, strings.Join(f.Paths, ", "))
	if f.Already {
		text = fmt.Sprintf("%s: was there already: %s", f.Model, strings.Join(f.Paths, ", "))
	}
	if f.Saved > 0 {
		text += fmt.Sprintf(" (%s of an earlier try did not have to come again)", sized(f.Saved, false))
	}
	for _, n := range f.Notes {
		text += "\n  note: " + n
	}
	return text
}

// Checked is what verify says of a file.
type Checked struct {
	Model   string `json:"model"`
	Path    string `json:"path"`
	Known   string `json:"known"`
	Trouble string `json:"trouble,omitempty"`
}

func (Checked) Event() string { return "checked" }
func (c Checked) Human() string {
	if c.Trouble != "" {
		return fmt.Sprintf("WRONG  %s: %s: %s", c.Model, c.Path, c.Trouble)
	}
	return fmt.Sprintf("ok     %s: %s (%s)", c.Model, c.Path, how[c.Known])
}

// Removed is something that was, or would be, removed.
type Removed struct {
	What  string `json:"what"` // "model", "part" or "leftover"
	Name  string `json:"name"`
	Bytes int64  `json:"bytes"`
	Done  bool   `json:"done"`
}

func (Removed) Event() string { return "removed" }
func (r Removed) Human() string {
	if !r.Done {
		return fmt.Sprintf("would remove the %s %s: %s", r.What, r.Name, sized(r.Bytes, false))
	}
	return fmt.Sprintf("removed the %s %s: %s are free", r.What, r.Name, sized(r.Bytes, false))
}

// Proposed is the set that setup proposes.
type Proposed struct {
	For     string    `json:"for"`
	Models  []Stocked `json:"models"`
	Lacks   []string  `json:"lacks,omitempty"`
	Missing int64     `json:"missing_bytes"` // to download
	Free    int64     `json:"free_bytes"`    // on the disk
	Folder  string    `json:"folder"`
}

func (Proposed) Event() string { return "proposal" }
func (p Proposed) Human() string {
	lines := []string{"For " + p.For + ":"}
	for _, m := range p.Models {
		lines = append(lines, "  "+m.Human())
		if m.Terms != "" {
			lines = append(lines, "      "+m.Terms)
		}
	}
	for _, l := range p.Lacks {
		lines = append(lines, "  - "+l)
	}
	if p.Missing > 0 {
		lines = append(lines, fmt.Sprintf("%s to download into %s, where %s are free.", sized(p.Missing, true), p.Folder, sized(p.Free, false)))
	}
	return strings.Join(lines, "\n")
}
