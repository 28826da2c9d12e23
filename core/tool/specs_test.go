package tool_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/solo-assistant/solo/core/consent"
	"github.com/solo-assistant/solo/core/library"
	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/core/tool/alarms"
	"github.com/solo-assistant/solo/core/tool/approvals"
	"github.com/solo-assistant/solo/core/tool/apps"
	"github.com/solo-assistant/solo/core/tool/calc"
	"github.com/solo-assistant/solo/core/tool/clock"
	"github.com/solo-assistant/solo/core/tool/documents"
	"github.com/solo-assistant/solo/core/tool/help"
	"github.com/solo-assistant/solo/core/tool/jobs"
	"github.com/solo-assistant/solo/core/tool/machine"
	"github.com/solo-assistant/solo/core/tool/memory"
	"github.com/solo-assistant/solo/core/tool/microphone"
	"github.com/solo-assistant/solo/core/tool/profile"
	"github.com/solo-assistant/solo/core/tool/reminders"
	"github.com/solo-assistant/solo/core/tool/scripts"
	"github.com/solo-assistant/solo/core/tool/speech"
	"github.com/solo-assistant/solo/core/tool/system"
	"github.com/solo-assistant/solo/core/tool/talk"
	"github.com/solo-assistant/solo/core/tool/tasks"
	"github.com/solo-assistant/solo/core/tool/think"
	"github.com/solo-assistant/solo/core/tool/timers"
	"github.com/solo-assistant/solo/core/tool/undo"
	"github.com/solo-assistant/solo/core/tool/volume"
	"github.com/solo-assistant/solo/core/tool/wake"
	"github.com/solo-assistant/solo/models"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// themes are Solo's tools by their folders, standing on nothing.
func themes() map[string][]tool.Tool {
	return map[string][]tool.Tool{
		"alarms": alarms.Tools(alarms.Config{}), "approvals": approvals.Tools(approvals.Config{}), "apps": apps.Tools(apps.Config{}),
		"calc": calc.Tools(), "clock": clock.Tools(clock.Config{}), "documents": documents.Tools(documents.Config{Library: (*library.Library)(nil)}), "help": help.Tools(),
		"jobs": jobs.Tools(nil), "machine": machine.Tools(machine.Config{}), "memory": memory.Tools(memory.Config{}),
		"microphone": microphone.Tools(microphone.Config{}), "profile": profile.Tools(nil), "reminders": reminders.Tools(reminders.Config{}),
		"scripts": scripts.Tools(scripts.Config{}), "speech": speech.Tools(speech.Config{}), "system": system.Tools(nil),
		"talk": talk.Tools(talk.Config{}), "tasks": tasks.Tools(tasks.Config{}), "think": think.Tools(think.Config{}),
		"timers": timers.Tools(timers.Config{}), "undo": undo.Tools(nil), "volume": volume.Tools(volume.Config{}), "wake": wake.Tools(nil),
	}
}

// named are the themes that are not called like their folder.
var named = map[string]string{"approvals": "consent"}

// TestSpecs keeps what models, policy and docs are told of each tool. After a wanted change: go test ./core/tool -update
func TestSpecs(t *testing.T) {
	b := tool.New(tool.Config{})
	all := themes()
	var names []string
	for name := range all {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if err := b.Add(all[name]...); err != nil {
			t.Fatal(err)
		}
	}
	got, err := json.MarshalIndent(b.Specs(), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden := filepath.Join("testdata", "specs.json")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(golden, append(got, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(bytes.TrimSpace(want), got) {
		t.Errorf("specs differ from %s; look at the change with go test ./core/tool -update and git diff", golden)
	}
}

// TestPages: each tool has its own section in its theme's page, each section its tool, and its arguments are described.
func TestPages(t *testing.T) {
	for folder, tools := range themes() {
		theme := cmp.Or(named[folder], folder)
		page, err := os.ReadFile(filepath.Join(folder, folder+".md"))
		if err != nil {
			t.Fatal(err)
		}
		var have []string
		for _, x := range tools {
			s := x.Spec()
			have = append(have, s.Name)
			if !strings.HasPrefix(s.Name, theme+".") || s.Description == "" || s.Description != tool.About(string(page), s.Name) {
				t.Errorf("%s is described as %q", s.Name, s.Description)
			}
			switch s.Class {
			case models.Read, models.Write:
			case models.Outward, models.Dangerous:
				if s.Ask == "" && s.Name != consent.SendTool { // whose question is a disclosure
					t.Errorf("%s is %s, and has no words to ask for approval", s.Name, s.Class)
				}
			default:
				t.Errorf("%s is of class %q", s.Name, s.Class)
			}
		}
		for _, m := range regexp.MustCompile(`(?m)^## (\S+)$`).FindAllStringSubmatch(string(page), -1) {
			if !slices.Contains(have, m[1]) {
				t.Errorf("%s.md tells of %s, which is no tool", folder, m[1])
			}
		}
	}
}

func TestArgumentsAreDescribed(t *testing.T) {
	for _, tools := range themes() {
		b := tool.New(tool.Config{})
		if err := b.Add(tools...); err != nil {
			t.Fatal(err)
		}
		for _, s := range b.Specs() {
			var schema struct {
				Type       string
				Properties map[string]struct{ Description string }
			}
			if err := json.Unmarshal(s.Schema, &schema); err != nil || schema.Type != "object" {
				t.Errorf("%s: schema of type %q, error %v", s.Name, schema.Type, err)
			}
			for name, p := range schema.Properties {
				if p.Description == "" {
					t.Errorf("%s: argument %s has no description", s.Name, name)
				}
			}
		}
	}
}
