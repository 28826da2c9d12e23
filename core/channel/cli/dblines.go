package cli

import (
	"fmt"
	"strings"
	"time"
)

// DBStatus is how the database is.
type DBStatus struct {
	Engine  string           `json:"engine"` // "sqlite" or "postgres"
	Place   string           `json:"place"`
	Bytes   int64            `json:"bytes,omitempty"` // of a file
	Version int64            `json:"version"`         // of the tables
	Known   int64            `json:"known"`           // the newest that this Solo knows
	Rows    map[string]int64 `json:"rows"`            // by table
	Backups int              `json:"backups"`
	Newest  *time.Time       `json:"newest_backup"` // nil for none
	Folder  string           `json:"backup_folder"`
	Key     string           `json:"backup_key,omitempty"` // file of the key
}

func (DBStatus) Event() string { return "db" }
func (s DBStatus) Human() string {
	var rows int64
	for _, n := range s.Rows {
		rows += n
	}
	text := fmt.Sprintf("%s: %s, %d rows", s.Engine, s.Place, rows)
	if s.Bytes > 0 {
		text += fmt.Sprintf(", %.1f MB", float64(s.Bytes)/1e6)
	}
	text += fmt.Sprintf("\nTables of version %d", s.Version)
	if s.Version < s.Known {
		text += fmt.Sprintf("; this Solo wants %d: solo db migrate", s.Known)
	}
	if s.Newest == nil {
		return text + "\nNo backup in " + s.Folder + ": solo db backup makes one"
	}
	text += fmt.Sprintf("\n%d backups in %s, the newest of %s", s.Backups, s.Folder, s.Newest.Local().Format("2 January 2006 15:04"))
	if s.Key != "" {
		text += "\nTheir key is " + s.Key
	}
	return text
}

// DBVersion is where the tables stand after a migration.
type DBVersion struct {
	From int64 `json:"from"`
	To   int64 `json:"to"`
}

func (DBVersion) Event() string { return "db_version" }
func (v DBVersion) Human() string {
	if v.From == v.To {
		return fmt.Sprintf("The tables have version %d already.", v.To)
	}
	return fmt.Sprintf("The tables went from version %d to %d.", v.From, v.To)
}

// DBMoved is a whole copy.
type DBMoved struct {
	From   string           `json:"from"`
	To     string           `json:"to"`
	Rows   map[string]int64 `json:"rows"` // by table
	Total  int64            `json:"total"`
	Millis Millis           `json:"ms"`
	Use    string           `json:"use"` // the setting that makes Solo use it
}

func (DBMoved) Event() string { return "db_moved" }
func (m DBMoved) Human() string {
	return fmt.Sprintf("Copied %d rows of %d tables to %s and read them all back. %s stays as it is. To use the copy, set %s.",
		m.Total, len(m.Rows), m.To, m.From, m.Use)
}

// DBBackup is one backup.
type DBBackup struct {
	Did  string    `json:"did,omitempty"` // "made", "" where it is listed
	Name string    `json:"name"`
	Path string    `json:"path"`
	Made time.Time `json:"made"`
	Size int64     `json:"bytes"`
}

func (DBBackup) Event() string { return "backup" }
func (b DBBackup) Human() string {
	if b.Did != "" {
		return fmt.Sprintf("Made %s, %.1f kB.", b.Path, float64(b.Size)/1e3)
	}
	return fmt.Sprintf("%s  %10.1f kB  %s", b.Made.Local().Format("2006-01-02 15:04"), float64(b.Size)/1e3, b.Name)
}

// DBRestored is a database that was made of a backup, or one that was tried.
type DBRestored struct {
	Name   string    `json:"name"`
	Made   time.Time `json:"made"`
	Place  string    `json:"place,omitempty"` // "" where it was tried
	Rows   int64     `json:"rows"`
	Erased int64     `json:"erased"`
	Aside  string    `json:"aside,omitempty"` // where the database lies that was replaced
}

func (DBRestored) Event() string { return "restored" }
func (r DBRestored) Human() string {
	if r.Place == "" {
		return fmt.Sprintf("%s is sound: %d rows, all as they were on %s.", r.Name, r.Rows, r.Made.Local().Format("2 January 2006 15:04"))
	}
	text := []string{fmt.Sprintf("Restored %d rows of %s into %s.", r.Rows, r.Made.Local().Format("2 January 2006 15:04"), r.Place)}
	if r.Erased > 0 {
		text = append(text, fmt.Sprintf("%d of them you had forgotten since; they are gone again.", r.Erased))
	}
	if r.Aside != "" {
		text = append(text, "What was there is now "+r.Aside+".")
	}
	return strings.Join(text, " ")
}

// DBPruned counts what was too old.
type DBPruned struct {
	Turns    int64 `json:"turns"`
	Promises int64 `json:"promises"`
	Asked    int64 `json:"approvals"`
	Jobs     int64 `json:"jobs"`
}

func (DBPruned) Event() string { return "pruned" }
func (p DBPruned) Human() string {
	return fmt.Sprintf("Removed %d old turns, %d promises that were over, %d approvals, %d jobs.", p.Turns, p.Promises, p.Asked, p.Jobs)
}
