package config

import (
	"flag"
	"os"
	"regexp"
	"testing"
)

var update = flag.Bool("update", false, "renew the golden files")

func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil || got != string(want) {
		t.Errorf("%s is stale (run go test -update): %v\n%s", path, err, got)
	}
}

// With every comment sign removed the examples load, and say what the defaults say.
func TestExamples(t *testing.T) {
	type example struct {
		Name   string
		Voice  int        `toml:"voice" default:"3" min:"1"`
		Listen listenConf `toml:"listen"`
		HA     struct {
			Token Secret `toml:"token" doc:"long-lived access token"`
			Note  string `toml:"note" default:"a \"b\" #c"`
		} `toml:"ha"`
		Last bool `toml:"last"`
	}
	asTOML := Example(&example{})
	asEnv := ExampleEnv(&example{}, map[string]string{"HA_TOKEN": "ha.token"})
	golden(t, "testdata/example.toml", asTOML)
	golden(t, "testdata/example.env", asEnv)

	for _, text := range []string{asTOML, asEnv} { // as they are, they set nothing
		for _, s := range []Sources{{File: write(t, "c.toml", asTOML)}, {DotEnv: write(t, ".env", asEnv)}} {
			r, err := Load(&example{}, s)
			if err != nil {
				t.Fatal(err, text)
			}
			for _, v := range r {
				if v.From != "default" {
					t.Errorf("%+v", v)
				}
			}
		}
	}
	want, err := Load(&example{}, Sources{})
	if err != nil {
		t.Fatal(err)
	}
	open := regexp.MustCompile(`(?m)^#(\w)`)
	for _, s := range []Sources{
		{File: write(t, "c.toml", open.ReplaceAllString(asTOML, "$1"))},
		{DotEnv: write(t, ".env", open.ReplaceAllString(asEnv, "$1"))},
	} {
		got, err := Load(&example{}, s)
		if err != nil {
			t.Fatal(err)
		}
		for i := range want {
			if got[i].Value != want[i].Value {
				t.Errorf("%s: %s in the example, %s by default", want[i].Key, got[i].Value, want[i].Value)
			}
			if s.File != "" && got[i].From == "default" {
				t.Errorf("%s is not in the example", want[i].Key)
			}
		}
	}
}
