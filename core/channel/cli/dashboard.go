package cli

import (
	"time"

	"github.com/spf13/cobra"
)

// Link opens the dashboard once.
type Link struct {
	URL string    `json:"url"`
	End time.Time `json:"end"`
}

// Event names the line.
func (Link) Event() string { return "link" }

// Human is the line for people.
func (l Link) Human() string {
	return l.URL + "\nThis link opens the dashboard once, before " + l.End.Local().Format("15:04:05") + "."
}

func (c *command) dashboard() *cobra.Command {
	var stay bool
	cmd := &cobra.Command{
		Use: "dashboard", Short: "Open the dashboard of the running Solo", Args: noArgs,
		Long: "Open the dashboard of the running Solo in the browser. The link that it prints works once and lets the browser in for 30 days.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.solo(func(s Solo, p *printer) error { return s.Dashboard(cmd.Context(), !stay, p.print) })
		},
	}
	cmd.Flags().BoolVar(&stay, "no-open", false, "only print the link")
	return cmd
}
