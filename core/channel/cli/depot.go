package cli

import (
	"context"

	"github.com/spf13/cobra"
)

// Depot is what the commands ask of the models that Solo keeps.
type Depot interface {
	// Shelf tells what is kept, or with all also what could be had.
	Shelf(ctx context.Context, all bool, tell Tell) error
	// PullModels fetches models and tells how far they are.
	PullModels(ctx context.Context, o Pull, tell Tell) error
	// VerifyModels checks the files of models again, of all where no names are given.
	VerifyModels(ctx context.Context, names []string, tell Tell) error
	RemoveModels(ctx context.Context, names []string, yes bool, tell Tell) error
	// PruneModels removes what nobody needs.
	PruneModels(ctx context.Context, yes bool, tell Tell) error
	Setup(ctx context.Context, o Setup, tell Tell) error
}

// Pull is what to fetch.
type Pull struct {
	Names  []string
	Anyway bool // although there is too little memory to use it
	Renew  bool // although it is another file than the one that was pinned
}

// Setup is how to choose and fetch a set of models.
type Setup struct {
	Yes      bool
	Dry      bool   // only propose
	Card     int    // propose for a graphics card of so many GB, -1 for none, 0 for the one that is there
	Language string // "en"
}

func (c *command) listModels() *cobra.Command {
	var all bool
	cmd := c.telling("list", "List the language models that Solo can ask, and the models that it keeps", func(ctx context.Context, s Solo, tell Tell) error {
		if err := s.Shelf(ctx, all, tell); err != nil || all {
			return err
		}
		return s.Models(ctx, tell)
	})
	cmd.Flags().BoolVar(&all, "catalogue", false, "list what solo models pull can fetch instead")
	return cmd
}

func (c *command) pullModels() *cobra.Command {
	var o Pull
	cmd := &cobra.Command{
		Use: "pull NAME...", Short: "Download models or programs of the catalogue, or a model by Ollama", Args: someArgs("a name of solo models list --catalogue, or of Ollama's library"),
		Long: "Download models or programs of the catalogue. What broke off is gone on with, and what came is checked. " +
			"A name of Ollama's library, such as qwen3:4b, is left to Ollama.",
		Example: "  solo models pull qwen3-4b whisper-base.en\n  solo models pull qwen3:4b",
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Names = args
			return c.solo(func(s Solo, p *printer) error { return s.PullModels(cmd.Context(), o, p.print) })
		},
	}
	cmd.Flags().BoolVar(&o.Anyway, "anyway", false, "also where this machine has too little memory to use it")
	cmd.Flags().BoolVar(&o.Renew, "renew", false, "fetch again, and take what is another file than the one that came first")
	return cmd
}

func (c *command) verifyModels() *cobra.Command {
	return &cobra.Command{
		Use: "verify [NAME...]", Short: "Check the files of the models that Solo keeps",
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.solo(func(s Solo, p *printer) error { return s.VerifyModels(cmd.Context(), args, p.print) })
		},
	}
}

func (c *command) removeModels() *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use: "rm NAME...", Short: "Remove models that Solo keeps", Args: someArgs("a model, as solo models list names it"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.solo(func(s Solo, p *printer) error { return s.RemoveModels(cmd.Context(), args, yes, p.print) })
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return cmd
}

func (c *command) pruneModels() *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use: "prune", Short: "Remove parts of downloads that broke off, and models that the catalogue has no longer", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.solo(func(s Solo, p *printer) error { return s.PruneModels(cmd.Context(), yes, p.print) })
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return cmd
}

func (c *command) setup() *cobra.Command {
	var o Setup
	cmd := &cobra.Command{
		Use: "setup", Short: "Propose the models that fit this machine, and download them if you say yes", Args: noArgs,
		Long: "Propose the models and programs that fit this machine, with their sizes and licences, ask once, and download them. " +
			"Where no person can be asked, nothing is downloaded without --yes.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.solo(func(s Solo, p *printer) error { return s.Setup(cmd.Context(), o, p.print) })
		},
	}
	f := cmd.Flags()
	f.BoolVar(&o.Yes, "yes", false, "download without asking")
	f.BoolVar(&o.Dry, "dry-run", false, "only propose")
	f.IntVar(&o.Card, "card", 0, "propose for a graphics card of so many GB; -1 for none")
	f.StringVar(&o.Language, "language", "en", "language to hear and speak, such as de")
	return cmd
}
