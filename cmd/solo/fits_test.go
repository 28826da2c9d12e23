//go:build linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The doctor tells what fits a card. The card is one that a stand-in for nvidia-smi tells of.
func TestDoctorTellsWhatFits(t *testing.T) {
	if _, err := os.Stat("/proc/driver/nvidia"); err == nil {
		t.Skip("skipped: this machine has a card of its own")
	}
	for name, tt := range map[string]struct {
		total, free int // MiB
		want, not   []string
	}{
		"24 GB, all free":   {24564, 24000, []string{"qwen3-30b-a3b", "whisper-turbo", "a graphics card of 24 GB"}, []string{"Other programs"}},
		"12 GB, all free":   {12288, 12000, []string{"qwen3-8b-q6", "whisper-turbo-q5", "12 GB"}, []string{"Other programs"}},
		"8 GB, a game runs": {8192, 1500, []string{"qwen3-4b-q8", "Other programs hold 7.0 of the card's 8.6 GB"}, nil},
		"4 GB":              {4096, 4000, []string{"no large graphics card"}, []string{"30b"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			script := fmt.Sprintf("#!/bin/sh\ncase $1 in --query-gpu*) echo '0, NVIDIA Test, GPU-1, %d, %d, %d, 3, 41, 20.5' ;; esac\n", tt.total, tt.total-tt.free, tt.free)
			if err := os.WriteFile(filepath.Join(dir, "nvidia-smi"), []byte(script), 0o700); err != nil { //nolint:gosec // a program must be executable
				t.Fatal(err)
			}
			t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
			a := &app{home: home{data: t.TempDir(), config: t.TempDir()}}
			e := a.examineFit(t.Context())
			for _, w := range tt.want {
				if !e.Found || !strings.Contains(e.Version, w) {
					t.Errorf("no %q in %+v", w, e)
				}
			}
			for _, w := range tt.not {
				if strings.Contains(e.Version, w) {
					t.Errorf("%q in %+v", w, e)
				}
			}
		})
	}
}
