package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"
)

// Starter has Solo started when its user logs in.
type Starter interface {
	// Autostart does one of "on", "off" and "status", and tells how things are then.
	Autostart(ctx context.Context, do string, tell Tell) error
}

// Autostart is whether and how Solo is started at login.
type Autostart struct {
	On      bool   `json:"on"`
	How     string `json:"how"`     // "systemd user unit", "desktop autostart file", "LaunchAgent", "registry"
	Where   string `json:"where"`   // the file or the key
	Command string `json:"command"` // "" for none
	Trouble string `json:"trouble"` // "" for none
}

// Event names the line.
func (Autostart) Event() string { return "autostart" }

// Human is the line for people.
func (a Autostart) Human() string {
	text := "Solo is not started when you log in."
	if a.On {
		text = "Solo is started when you log in."
	}
	if a.Command != "" {
		text += fmt.Sprintf("\n  %s: %s\n  %s", a.How, a.Where, a.Command)
	}
	if a.Trouble != "" {
		text += "\n  But " + a.Trouble + "."
	}
	return text
}

func (c *command) autostart() *cobra.Command {
	cmd := &cobra.Command{
		Use: "autostart", Short: "Have Solo started when you log in", Args: noArgs,
		Long: "Have Solo started when you log in: by the registry on Windows, by your own systemd or the desktop on Linux, by a LaunchAgent on macOS. " +
			"It is an entry of yours alone and needs no right of an administrator. The folder of --home is kept in it.",
		Example: "  solo autostart on\n  solo autostart status --json",
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	for do, short := range map[string]string{"on": "Start Solo when you log in", "off": "Do not start Solo when you log in", "status": "Tell whether Solo is started when you log in"} {
		cmd.AddCommand(&cobra.Command{
			Use: do, Short: short, Args: noArgs, Example: "  solo autostart " + do,
			RunE: func(cmd *cobra.Command, _ []string) error {
				return c.solo(func(s Solo, p *printer) error { return s.Autostart(cmd.Context(), do, p.print) })
			},
		})
	}
	return cmd
}
