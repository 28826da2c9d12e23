package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// Keeper looks after the database and its backups.
type Keeper interface {
	Database(ctx context.Context, o DB, tell Tell) error
}

// DB is what to do about the database.
type DB struct {
	Do      string // "status", "check", "migrate", "rollback", "prune", "move", "backup", "backups", "verify" or "restore"
	Version int64  // of migrate and rollback, -1 for the newest or the one before
	To      string // of move and restore: a DSN, or a file
	Name    string // of a backup; "" is the newest
	Key     string // file of the key that opens it, "" for the one of the settings
	Into    string // folder to restore into
	Replace bool   // restore in the place of the database that is used
	Bare    bool   // roll back without a backup
}

func (c *command) db() *cobra.Command {
	cmd := &cobra.Command{
		Use: "db", Short: "Look after the database: its tables, its backups, its engine", Args: noArgs,
		Long: "Look after the database: its tables, its backups, its engine. Solo keeps its rows in a file of SQLite, or in the PostgreSQL that database.dsn names.",
		Example: `  solo db status
  solo db backup
  solo db move --to postgres://solo:secret@localhost/solo`,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(
		c.dbDo(DB{Do: "status"}, "status", "Tell where the rows are, how many, and of when the newest backup is"),
		c.dbDo(DB{Do: "check"}, "check", "Read the whole database and tell whether it is sound"),
		c.dbDo(DB{Do: "prune"}, "prune", "Remove what is older than the settings of keep say"),
		c.dbMigrate(), c.dbRollback(), c.dbMove())
	cmd.AddCommand(c.backups("backup", "backups", "verify", "restore")...)
	return cmd
}

// backup is another way to the same commands.
func (c *command) backup() *cobra.Command {
	cmd := &cobra.Command{
		Use: "backup", Short: "Make, list, try and restore backups", Args: noArgs,
		Long:    "Make, list, try and restore backups. Solo makes one every day by itself and keeps it for 30 days; see the settings of backup.",
		Example: "  solo backup now\n  solo backup restore --into ~/solo-of-yesterday",
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(c.backups("now", "list", "verify", "restore")...)
	return cmd
}

func (c *command) doDB(cmd *cobra.Command, o DB) error {
	if o.To == "-" { // so that no list of processes shows a password
		line, err := bufio.NewReader(c.in).ReadString('\n')
		if o.To = strings.TrimSpace(line); o.To == "" {
			return usageError{errors.Join(errors.New("--to - reads where to from the standard input, which gave nothing"), err)}
		}
	}
	return c.solo(func(s Solo, p *printer) error { return s.Database(cmd.Context(), o, p.print) })
}

func (c *command) dbDo(o DB, use, short string) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short, Args: noArgs, Example: "  solo db " + use + " --json",
		RunE: func(cmd *cobra.Command, _ []string) error { return c.doDB(cmd, o) },
	}
}

func (c *command) dbMigrate() *cobra.Command {
	o := DB{Do: "migrate"}
	cmd := &cobra.Command{
		Use: "migrate", Short: "Bring the tables up to date, or to a version", Args: noArgs,
		Long:    "Bring the tables up to date, or to a version. Solo does it by itself when it starts.",
		Example: "  solo db migrate",
		RunE:    func(cmd *cobra.Command, _ []string) error { return c.doDB(cmd, o) },
	}
	cmd.Flags().Int64Var(&o.Version, "version", -1, "version to go up to; -1 is the newest")
	return cmd
}

func (c *command) dbRollback() *cobra.Command {
	o := DB{Do: "rollback"}
	cmd := &cobra.Command{
		Use: "rollback", Short: "Take the tables back to the version before, for an older Solo", Args: noArgs,
		Long:    "Take the tables back to the version before, for an older Solo. What that has no place for is lost, so a backup is made first.",
		Example: "  solo db rollback --version 2",
		RunE:    func(cmd *cobra.Command, _ []string) error { return c.doDB(cmd, o) },
	}
	cmd.Flags().Int64Var(&o.Version, "version", -1, "version to go back to; -1 is the one before")
	cmd.Flags().BoolVar(&o.Bare, "no-backup", false, "make no backup first")
	return cmd
}

func (c *command) dbMove() *cobra.Command {
	o := DB{Do: "move"}
	cmd := &cobra.Command{
		Use: "move --to DSN|FILE", Short: "Copy all rows to another database, and compare them", Args: noArgs,
		Long: "Copy all rows to an empty database, of SQLite or PostgreSQL, and compare them row by row. " +
			"The one that is used now stays as it is; a setting makes Solo use the other.",
		Example: "  solo db move --to postgres://solo:secret@localhost/solo\n  echo \"$DSN\" | solo db move --to -\n  solo db move --to ~/solo.db",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.To == "" {
				return usageError{fmt.Errorf("%s needs --to: a DSN of PostgreSQL, a file, or - to read it from the standard input", cmd.CommandPath())}
			}
			return c.doDB(cmd, o)
		},
	}
	cmd.Flags().StringVar(&o.To, "to", "", "DSN of an empty PostgreSQL, a new file, or - for the standard input")
	return cmd
}

// backups are the commands about them, by the names that they are to have.
func (c *command) backups(now, list, verify, restore string) []*cobra.Command {
	make := &cobra.Command{
		Use: now, Short: "Make a backup now", Args: noArgs, Example: "  solo backup now",
		Long: "Make a backup now, also while Solo runs. It is encrypted; the first one makes the key and tells where it is.",
		RunE: func(cmd *cobra.Command, _ []string) error { return c.doDB(cmd, DB{Do: "backup"}) },
	}
	all := &cobra.Command{
		Use: list, Short: "List the backups, the newest first", Args: noArgs, Example: "  solo backup list --json",
		RunE: func(cmd *cobra.Command, _ []string) error { return c.doDB(cmd, DB{Do: "backups"}) },
	}
	v := DB{Do: "verify"}
	try := c.named(&v, &cobra.Command{
		Use: verify + " [BACKUP]", Short: "Restore a backup beside, compare every row, and remove it again", Example: "  solo backup verify\n  solo backup verify 2026-05-01 --key ~/solo.key",
	})
	r := DB{Do: "restore"}
	back := c.named(&r, &cobra.Command{
		Use: restore + " [BACKUP] --into FOLDER|--replace|--to DSN", Short: "Make a database of a backup",
		Long: "Make a database of a backup: of the newest, or of one that is named by the beginning of its time. What you had forgotten since stays forgotten. " +
			"Rows that are there already are never written over: --replace puts them aside.",
		Example: "  solo backup restore --into ~/solo-of-yesterday\n  solo backup restore 2026-05-01 --replace",
	})
	back.Flags().StringVar(&r.Into, "into", "", "a fresh folder that gets a solo.db")
	back.Flags().BoolVar(&r.Replace, "replace", false, "in the place of the file that Solo uses, which is put aside")
	back.Flags().StringVar(&r.To, "to", "", "DSN of an empty PostgreSQL, or - for the standard input")
	run := back.RunE
	back.RunE = func(cmd *cobra.Command, args []string) error {
		ways := 0
		for _, way := range []bool{r.Into != "", r.Replace, r.To != ""} {
			if way {
				ways++
			}
		}
		if ways != 1 {
			return usageError{fmt.Errorf("%s needs one of --into FOLDER, --replace and --to DSN", cmd.CommandPath())}
		}
		return run(cmd, args)
	}
	return []*cobra.Command{make, all, try, back}
}

// named gives a command a backup's name and a key.
func (c *command) named(o *DB, cmd *cobra.Command) *cobra.Command {
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) > 1 {
			return usageError{fmt.Errorf("%s takes one backup, but got %q", cmd.CommandPath(), args[1])}
		}
		return nil
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 1 {
			o.Name = args[0]
		}
		return c.doDB(cmd, *o)
	}
	cmd.Flags().StringVar(&o.Key, "key", "", "file of the key that opens it, where it is not Solo's own")
	return cmd
}
