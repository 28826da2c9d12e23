// Command bench measures Solo as its user meets it, from the built program, and writes docs/benchmarks.md.
//
//	go run ./tests/bench -solo bin/solo [-parts "turns wake"]
//
// What it needs beside the program: ../shared/data with recordings, flite and espeak-ng to make orders, and
// PulseAudio for the parts on devices. A part that cannot be measured says so in the report and the rest goes on.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/solo-assistant/solo/tests/corpus"
)

// part is one section of the report.
type part struct {
	name, title string
	measure     func(context.Context, *bench) (section, error)
}

// parts in the order of the report.
var parts = []part{
	{"turns", "Turns from a WAV, in real time", measureTurns},
	{"pulse", "Turns through PulseAudio", measurePulse},
	{"pauses", "Orders with a pause of 400 ms in the middle", measurePauses},
	{"over", "Orders spoken over an answer", measureOver},
	{"brain", "Thinking with a language model", measureBrain},
	{"web", "The web door", measureWeb},
	{"resources", "Processor and memory", measureResources},
	{"start", "From start to listening", measureStart},
	{"coffee", "Coffee orders", measureCoffee},
	{"wake", "Wake word", measureWake},
	{"memory", "A hundred thousand memories", measureMemory},
	{"micro", "Small parts", measureMicro},
}

// bench is what the parts share.
type bench struct {
	solo  string // the program
	data  string // recordings, "" where there are none
	keep  string // where what is made is kept, "" for a temporary folder
	most  int    // turns of each kind, 0 for all
	dir   string // all that is made goes here
	sound *pulse // lent by the first part that asks
}

func main() {
	serveBare()
	solo := flag.String("solo", "bin/solo", "the program to measure")
	out := flag.String("out", "docs/benchmarks.md", "the report")
	names := flag.String("parts", "", "parts to measure, of: "+strings.Join(partNames(), " ")+"; empty: all")
	keep := flag.String("keep", "", "folder for the recordings made and all that solo printed; empty: a temporary one")
	turns := flag.Int("turns", 0, "at most so many turns of each kind, for a quick look; 0: all")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, *solo, *out, &bench{keep: *keep, most: *turns}, strings.Fields(*names)); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func partNames() []string {
	var names []string
	for _, p := range parts {
		names = append(names, p.name)
	}
	return names
}

// run measures the chosen parts and writes the report after each, so that a run that is broken off leaves what it found.
func run(ctx context.Context, solo, out string, b *bench, chosen []string) error {
	for _, name := range chosen {
		if !slices.Contains(partNames(), name) {
			return fmt.Errorf("no part %q; there are %s", name, strings.Join(partNames(), ", "))
		}
	}
	solo, err := filepath.Abs(solo)
	if err != nil {
		return fmt.Errorf("find the program: %w", err)
	}
	var done func()
	b.dir, done, err = folder(b.keep)
	if err != nil {
		return fmt.Errorf("make a folder for what is synthesized: %w", err)
	}
	defer done()
	b.solo, b.data = solo, corpus.Path()
	defer b.close()
	r, err := readReport(out)
	if err != nil {
		return err
	}
	failed := 0
	for _, p := range parts {
		if len(chosen) > 0 && !slices.Contains(chosen, p.name) {
			continue
		}
		s, err := b.measure(ctx, p)
		if ctx.Err() != nil {
			return fmt.Errorf("broken off; %s has what was measured until then", out)
		}
		if err != nil {
			failed++
			say("%s: %v", p.name, err)
		}
		r.sections[p.name] = s
		if err := r.write(ctx, out); err != nil {
			return err
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d of the parts could not be measured; %s says why", failed, out)
	}
	return nil
}

// folder is where everything goes that is made: one to keep, or a temporary one.
func folder(keep string) (dir string, done func(), err error) {
	if keep == "" {
		dir, err = os.MkdirTemp("", "solo-bench-")
		return dir, func() { _ = os.RemoveAll(dir) }, err
	}
	if keep, err = filepath.Abs(keep); err == nil {
		err = os.MkdirAll(keep, 0o755)
	}
	if err == nil { // a new one each time: homes of an earlier run have timers that ring
		dir, err = os.MkdirTemp(keep, "run-")
	}
	return dir, func() {}, err
}

// measure runs one part. The section that it gives is never without words, whatever fails.
func (b *bench) measure(ctx context.Context, p part) (section, error) {
	say("%s: %s", p.name, p.title)
	began, load := time.Now(), loadAverage()
	s, err := p.measure(ctx, b)
	if err != nil {
		s.text += fmt.Sprintf("\n**Not measured, or not wholly:** %v.\n", err)
		b.close() // the next part shall find a sound server that is well
	}
	s.stamp = fmt.Sprintf("%s, commit %s, %s; load average %s at the start and %s at the end",
		began.UTC().Format("2006-01-02 15:04 UTC"), commit(ctx), took(time.Since(began)), load, loadAverage())
	say("%s: done in %s", p.name, took(time.Since(began)))
	return s, err
}

func (b *bench) close() {
	if b.sound != nil {
		b.sound.close()
		b.sound = nil
	}
}

// recordings is the folder of recordings, an error where there is none.
func (b *bench) recordings() (string, error) {
	if b.data == "" {
		return "", fmt.Errorf("there is no ../shared/data")
	}
	return b.data, nil
}

// say prints progress.
func say(format string, args ...any) {
	fmt.Fprintf(os.Stderr, time.Now().Format("15:04:05 ")+format+"\n", args...)
}

func took(d time.Duration) string { return fmt.Sprintf("%.0f s", d.Seconds()) }
