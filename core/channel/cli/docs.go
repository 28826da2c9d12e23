package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// Library is what the commands ask of the user's documents.
type Library interface {
	// AddDocuments keeps files and folders searchable and tells how far it is.
	AddDocuments(ctx context.Context, paths []string, tell Tell) error
	ListDocuments(ctx context.Context, tell Tell) error
	// RemoveDocuments takes documents or folders out, by name or path.
	RemoveDocuments(ctx context.Context, names []string, tell Tell) error
	SearchDocuments(ctx context.Context, o DocumentSearch, tell Tell) error
	LibraryStatus(ctx context.Context, tell Tell) error
}

// DocumentSearch is what to look for in the documents.
type DocumentSearch struct {
	Text string
	Most int // passages
}

func (c *command) docs() *cobra.Command {
	cmd := &cobra.Command{
		Use: "docs", Short: "Keep your documents searchable", Args: noArgs,
		Long: "Keep your documents searchable: PDF, Word, OpenDocument, EPUB, web pages, Markdown and plain text. " +
			"Folders are watched from then on; what changes is read again, and what is deleted is forgotten.",
		Example: "  solo docs add ~/contracts\n  solo docs search notice period of the flat",
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(
		&cobra.Command{
			Use: "add PATH...", Short: "Read files, or watch folders, and wait until all of it is read", Args: someArgs("a file or a folder"),
			Example: "  solo docs add lease.pdf\n  solo docs add ~/contracts ~/manuals",
			RunE: func(cmd *cobra.Command, args []string) error {
				return c.solo(func(s Solo, p *printer) error { return s.AddDocuments(cmd.Context(), args, p.print) })
			},
		},
		c.telling("list", "List the documents, and what could not be read and why", func(ctx context.Context, s Solo, tell Tell) error { return s.ListDocuments(ctx, tell) }),
		&cobra.Command{
			Use: "remove NAME...", Short: "Forget documents or folders; your files stay where they are", Args: someArgs("a document as solo docs list names it, or a path"),
			Long: "Forget documents or folders: their text, passages and index go. Your files stay where they are; copies that were handed " +
				"to Solo, by the dashboard, go as well.",
			Example: "  solo docs remove lease.pdf\n  solo docs remove ~/contracts",
			RunE: func(cmd *cobra.Command, args []string) error {
				return c.solo(func(s Solo, p *printer) error { return s.RemoveDocuments(cmd.Context(), args, p.print) })
			},
		},
		c.searchDocs(),
		c.telling("status", "Tell how many documents there are, and how far reading them is", func(ctx context.Context, s Solo, tell Tell) error { return s.LibraryStatus(ctx, tell) }),
	)
	return cmd
}

func (c *command) searchDocs() *cobra.Command {
	var o DocumentSearch
	cmd := &cobra.Command{
		Use: "search TEXT...", Short: "Find passages in the documents", Args: someArgs("what to look for"),
		Example: "  solo docs search notice period\n  solo docs search --json -k 20 who repairs the boiler",
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.Text = strings.Join(args, " "); o.Most < 1 || o.Most > 1000 {
				return usageError{fmt.Errorf("-k must be 1 to 1000, but is %d", o.Most)}
			}
			return c.solo(func(s Solo, p *printer) error { return s.SearchDocuments(cmd.Context(), o, p.print) })
		},
	}
	cmd.Flags().IntVarP(&o.Most, "most", "k", 10, "passages at most")
	return cmd
}

// Document is one document of the library.
type Document struct {
	Document string    `json:"document"` // seen from its folder
	Path     string    `json:"path"`
	State    string    `json:"state"` // "waiting", "reading", "read", "broken", or "removed"
	Progress float64   `json:"progress,omitempty"`
	Why      string    `json:"why,omitempty"` // it is broken
	Title    string    `json:"title,omitempty"`
	Kind     string    `json:"kind,omitempty"`
	Pages    int       `json:"pages,omitempty"`
	Passages int       `json:"passages,omitempty"`
	Partial  bool      `json:"partial,omitempty"` // it is longer than what is read of any
	Bytes    int64     `json:"bytes"`
	Changed  time.Time `json:"changed"`
	Same     []string  `json:"same,omitempty"` // other names of the same content
}

func (Document) Event() string { return "document" }
func (d Document) Human() string {
	switch d.State {
	case "waiting":
		return d.Document + ": waits to be read"
	case "reading":
		if d.Progress > 0 {
			return fmt.Sprintf("%s: reading %.0f %%", d.Document, 100*d.Progress)
		}
		return d.Document + ": reading"
	case "broken":
		return d.Document + ": NOT READ: " + d.Why
	case "removed":
		return d.Document + ": removed"
	}
	line := fmt.Sprintf("%s: read, %s, %s", d.Document, d.Kind, counted(d.Pages, "page"))
	if d.Partial {
		line += ", its end left out"
	}
	if len(d.Same) > 0 {
		line += ", the same as " + strings.Join(d.Same, ", ")
	}
	return line
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// Passage is a part of a document that was found.
type Passage struct {
	Document string   `json:"document"`
	Page     int      `json:"page"`
	Heading  string   `json:"heading"`
	Text     string   `json:"text"`
	Score    float64  `json:"score"`
	Path     string   `json:"path"`
	Begins   int      `json:"begins"` // characters of the page
	Ends     int      `json:"ends"`
	Same     []string `json:"same,omitempty"` // other names of the same content
}

func (Passage) Event() string { return "passage" }
func (p Passage) Human() string {
	head := fmt.Sprintf("%s, page %d", p.Document, p.Page)
	if p.Heading != "" {
		head += ", " + p.Heading
	}
	return head + "\n    " + strings.ReplaceAll(p.Text, "\n", "\n    ") + "\n"
}

// LibraryState is how the library is.
type LibraryState struct {
	Documents int             `json:"documents"`
	Waiting   int             `json:"waiting"`
	Broken    int             `json:"broken"`
	Passages  int             `json:"passages"`
	Reading   []string        `json:"reading"`
	Folders   []LibraryFolder `json:"folders"`
	Model     string          `json:"model"` // that makes vectors, "" for none
	Vectors   int             `json:"vectors"`
}

// LibraryFolder is a folder, or a file, whose documents are kept.
type LibraryFolder struct {
	Path    string `json:"path"`
	Given   bool   `json:"given"` // by solo docs add
	Missing bool   `json:"missing,omitempty"`
	Over    bool   `json:"over,omitempty"` // it holds more files than are looked at
}

func (LibraryState) Event() string { return "library" }
func (s LibraryState) Human() string {
	lines := []string{fmt.Sprintf("%s in %s", counted(s.Documents, "document"), counted(s.Passages, "passage"))}
	if s.Waiting > 0 || len(s.Reading) > 0 {
		lines = append(lines, fmt.Sprintf("%s to be read, now %s", counted(s.Waiting+len(s.Reading), "document"), strings.Join(s.Reading, ", ")))
	}
	if s.Broken > 0 {
		lines = append(lines, fmt.Sprintf("%s could not be read; solo docs list tells why", counted(s.Broken, "document")))
	}
	if s.Model != "" {
		lines = append(lines, fmt.Sprintf("found by words and by meaning: %d passages have vectors of %s", s.Vectors, s.Model))
	} else {
		lines = append(lines, "found by words alone, since there is no model for embeddings")
	}
	for _, f := range s.Folders {
		line := f.Path
		if f.Missing {
			line += " (not there now; its documents stay as they were)"
		}
		if f.Over {
			line += " (more files than library.files; the rest is left out)"
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}
