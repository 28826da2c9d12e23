// Command solo is the assistant: it composes the parts, names the engines, and hands the rest to them.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/solo-assistant/solo/core/channel/cli"
)

// version is set by the build.
var version = "dev"

func main() { onMainThread(program) }

func program() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(50) // what lives is 10 MB: collecting twice as often costs little and saves as much again
	}
	if code, asked := tries(os.Args[1:]); asked {
		os.Exit(code)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := cli.Main(ctx, os.Args[1:], about(), open, os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

func about() cli.Version {
	return cli.Version{
		Version: version, Go: runtime.Version(), System: runtime.GOOS + "/" + runtime.GOARCH,
		Built: strings.Join(builtWith(), " "),
	}
}

// open reads the settings and makes the program that the commands ask.
func open(g cli.Globals) (cli.Solo, error) {
	h, err := findHome(g.Home)
	if err != nil {
		return nil, err
	}
	s, report, err := loadSettings(h, g.Set)
	if err != nil {
		return nil, &cli.Failure{Code: "settings", Hint: "mend it and try again", Exit: cli.ExitUsage, Err: err}
	}
	return &app{home: h, settings: s, report: report}, nil
}
