package cli

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
)

const projectWords = "a project's number, name or path, as solo projects list tells them"

func (c *command) projects() *cobra.Command {
	return group("projects", "Look after what you work towards",
		c.listProjects(), c.projectTree(), c.addProject(), c.setProject(), c.moveProject(),
		c.projectThat("done", "done NAME...", "Mark a project as done", false), c.projectThat("review", "review NAME...", "Note that you looked at a project today", false),
		c.projectThat("remove", "remove NAME...", "Remove a project with all below it; solo projects restore puts it back", true),
		c.importProjects(), c.restoreProjects())
}

func (c *command) listProjects() *cobra.Command {
	o := WorkOrder{About: "projects", Do: "list"}
	cmd := c.working(&o, "list", "List the projects with their numbers", "  solo projects list --status active --json", noArgs,
		func(cmd *cobra.Command, _ []string) error {
			given(cmd, "domain", &o.Domain)
			return isStatus(o.Status)
		})
	cmd.Flags().StringVar(&o.Status, "status", "", "only those that are active, paused, done or dropped")
	cmd.Flags().String("domain", "", "only those of a part of life")
	return cmd
}

func isStatus(s string) error {
	switch s {
	case "", "active", "paused", "done", "dropped":
		return nil
	}
	return usageError{fmt.Errorf("--status is active, paused, done or dropped, not %q", s)}
}

func (c *command) projectTree() *cobra.Command {
	o := WorkOrder{About: "projects", Do: "tree"}
	return c.working(&o, "tree", "Print the tree of projects as text, which solo projects import reads", "  solo projects tree > projects.txt", noArgs,
		func(*cobra.Command, []string) error { return nil })
}

func (c *command) addProject() *cobra.Command {
	o := WorkOrder{About: "projects", Do: "add"}
	cmd := c.working(&o, "add NAME...", "Add a project", `  solo projects add Job Applications --under Career --priority 2`, someArgs("a name"),
		func(cmd *cobra.Command, args []string) error {
			o.Text = strings.Join(args, " ")
			projectFlags(cmd, &o)
			return isStatus(o.Status)
		})
	cmd.Flags().String("under", "", "project that it is a part of")
	addProjectFlags(cmd, &o)
	return cmd
}

func addProjectFlags(cmd *cobra.Command, o *WorkOrder) {
	cmd.Flags().StringVar(&o.Status, "status", "", "active, paused, done or dropped")
	cmd.Flags().IntVar(&o.Priority, "priority", 0, "1 (highest) to 5; 3 where nothing is said")
	cmd.Flags().String("domain", "", "part of life, such as career, health or family")
	cmd.Flags().String("progress", "", "0 to 100 percent, or auto: what its tasks and the projects below it come to")
}

func projectFlags(cmd *cobra.Command, o *WorkOrder) {
	given(cmd, "domain", &o.Domain)
	given(cmd, "progress", &o.Progress)
	if cmd.Flags().Lookup("under") != nil {
		given(cmd, "under", &o.Parent)
	}
}

func (c *command) setProject() *cobra.Command {
	o := WorkOrder{About: "projects", Do: "set"}
	cmd := c.working(&o, "set NAME...", "Change a project", "  solo projects set Career --progress 40\n  solo projects set 12 --status paused", someArgs(projectWords),
		func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().NFlag() == 0 {
				return usageError{fmt.Errorf("nothing to change was given; see %s --help", cmd.CommandPath())}
			}
			o.Which = []string{strings.Join(args, " ")}
			projectFlags(cmd, &o)
			return isStatus(o.Status)
		})
	cmd.Flags().StringVar(&o.Text, "name", "", "its new name")
	addProjectFlags(cmd, &o)
	return cmd
}

func (c *command) moveProject() *cobra.Command {
	o := WorkOrder{About: "projects", Do: "move"}
	cmd := c.working(&o, "move NAME... --under NAME", "Make a project a part of another, or with --under none of no other", "  solo projects move Kitchen --under House", someArgs(projectWords),
		func(cmd *cobra.Command, args []string) error {
			o.Which = []string{strings.Join(args, " ")}
			given(cmd, "under", &o.Parent)
			return nil
		})
	cmd.Flags().String("under", "", "project that it becomes a part of")
	_ = cmd.MarkFlagRequired("under") // the flag exists
	return cmd
}

func (c *command) projectThat(do, use, short string, yes bool) *cobra.Command {
	o := WorkOrder{About: "projects", Do: do}
	cmd := c.working(&o, use, short, "  solo projects "+do+" Career", someArgs(projectWords), joined(&o))
	if yes {
		cmd.Flags().BoolVar(&o.Yes, "yes", false, "also where other projects are below it")
	}
	return cmd
}

func (c *command) importProjects() *cobra.Command {
	o := WorkOrder{About: "projects", Do: "import"}
	return c.working(&o, "import FILE", "Take in a tree of projects from a text, or from - for standard input; nothing is removed",
		"  solo projects import projects.txt\n\nA line is a project, two spaces a level:\n\n  [ACTIVE] Career [40%]\n    [PAUSED] Job Applications [20%]", someArgs("a file, or - for standard input"),
		func(_ *cobra.Command, args []string) (err error) {
			if args[0] == "-" {
				o.Text, err = c.textOr("-", true)
				return err
			}
			st, err := os.Stat(args[0])
			if err == nil && st.Size() > 2<<20 {
				return &Failure{File: args[0], Code: "too_long", Err: errors.New("a text of projects has at most 1 MiB")}
			}
			text, err := os.ReadFile(args[0])
			if err != nil {
				return &Failure{File: args[0], Code: "unreadable", Hint: "check the name of the file", Err: errors.Unwrap(err)}
			}
			o.Text = string(text)
			return nil
		})
}

func (c *command) restoreProjects() *cobra.Command {
	o := WorkOrder{About: "projects", Do: "restore"}
	return c.working(&o, "restore", "Put back projects as solo projects remove --json printed them, from standard input",
		"  solo projects remove Career --yes --json > gone.json\n  solo projects restore < gone.json", noArgs,
		func(*cobra.Command, []string) (err error) {
			o.Text, err = c.textOr("", true)
			return err
		})
}

func (c *command) routines() *cobra.Command {
	add := WorkOrder{About: "routines", Do: "add"}
	adding := c.working(&add, "add NAME...", "Make a routine: what is done when you say its name",
		`  solo routines add movie time --do "mute the microphone and set a timer for two hours" --every "every friday at 8pm"`, someArgs("a name"),
		func(_ *cobra.Command, args []string) error {
			add.Text = strings.Join(args, " ")
			return nil
		})
	adding.Flags().StringArrayVar(&add.Which, "do", nil, "commands, as you would say them; may be given several times")
	adding.Flags().StringVar(&add.Every, "every", "", "when it runs by itself, such as \"every weekday at seven\"")
	_ = adding.MarkFlagRequired("do") // the flag exists
	plan := WorkOrder{About: "routines", Do: "plan"}
	planning := c.working(&plan, "plan NAME... --every TIME", "Let a routine run by itself; --every off no longer", `  solo routines plan movie time --every "every friday at 8pm"`, someArgs("a routine's name"), joined(&plan))
	planning.Flags().StringVar(&plan.Every, "every", "", "when, such as \"every weekday at seven\", or off")
	_ = planning.MarkFlagRequired("every") // the flag exists
	that := func(do, short string) *cobra.Command {
		o := WorkOrder{About: "routines", Do: do}
		return c.working(&o, do+" NAME...", short, "  solo routines "+do+" movie time", someArgs("a routine's name or number"), joined(&o))
	}
	list := WorkOrder{About: "routines", Do: "list"}
	restore := WorkOrder{About: "routines", Do: "restore"}
	return group("routines", "Look after what is done at one word of yours", adding,
		c.working(&list, "list", "List the routines, what they do and when they run by themselves", "  solo routines list --json", noArgs, named(&list)),
		that("run", "Run a routine now"), planning, that("remove", "Remove a routine; solo routines restore puts it back"),
		c.working(&restore, "restore", "Put back a routine as solo routines remove --json printed it, from standard input", "  solo routines remove movie time --json > gone.json\n  solo routines restore < gone.json", noArgs,
			func(*cobra.Command, []string) (err error) {
				restore.Text, err = c.textOr("", true)
				return err
			}))
}

func (c *command) brief() *cobra.Command {
	o := WorkOrder{About: "brief", Do: "give"}
	cmd := c.working(&o, "brief [morning|week|month]", "Give your briefing, or your weekly or monthly review", "  solo brief\n  solo brief week --page\n  solo brief morning --at \"every weekday at 7:30\"", cobra.MaximumNArgs(1),
		func(cmd *cobra.Command, args []string) error {
			o.Which = args
			if cmd.Flags().Changed("at") {
				o.Do = "plan"
			}
			switch strings.Join(args, "") {
			case "", "morning", "week", "month":
				return nil
			}
			return usageError{fmt.Errorf("a briefing is for the morning, the week or the month, not %q", args[0])}
		})
	cmd.Flags().BoolVar(&o.All, "page", false, "as a page in Markdown, with all there is")
	cmd.Flags().StringVar(&o.Every, "at", "", "give it by itself from now on, such as 07:30 or \"every weekday at 7:30\"; off: only when asked")
	return cmd
}
