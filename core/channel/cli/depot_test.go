package cli

import (
	"bytes"
	"context"
	"flag"
	"os"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "renew the golden files")

// What people and programs read of models and downloads.
func TestDepotLines(t *testing.T) {
	var out bytes.Buffer
	for _, form := range []*printer{{out: &out, errs: &out}, {out: &out, errs: &out, json: true}} {
		for _, l := range []Line{
			Stocked{Name: "qwen3-4b", Task: "llm", About: "follows orders", Licence: "Apache-2.0", Bytes: 2_497_280_736, State: "absent", Known: "unverified", Fits: true},
			Stocked{Name: "qwen3-30b-a3b", Task: "llm", About: "large", Licence: "Apache-2.0", Bytes: 18_560_000_000, Approximate: true, Memory: 20_200_000_000, State: "absent", Known: "unverified"},
			Stocked{Name: "silero-vad", Task: "vad", About: "Silero VAD", Licence: "MIT", Bytes: 1_239_748, Kept: 1_239_748, State: "here", Known: "verified", Fits: true},
			Stocked{Name: "piper", Task: "tool", Licence: "MIT", Kept: 60_000_000, State: "damaged", Known: "pinned", Fits: true, Gone: true},
			Fetching{Model: "ears", File: "a/ears.bin", State: "asking", Total: 147_964_211, Left: Seconds(-time.Second)},
			Fetching{Model: "ears", File: "a/ears.bin", State: "coming", Total: 147_964_211, Left: Seconds(-time.Second)},
			Fetching{Model: "ears", File: "a/ears.bin", State: "coming", Done: 51_787_473, Total: 147_964_211, Speed: 3_100_000, Left: Seconds(31_020 * time.Millisecond)},
			Fetching{Model: "big", File: "big.gguf", State: "coming", Done: 6_000_000_000, Total: 18_560_000_000, Speed: 11_400_000, Left: Seconds(1102 * time.Second)},
			Fetching{Model: "big", File: "big.gguf", State: "coming", Done: 1, Total: 18_560_000_000, Speed: 900, Left: Seconds(5000 * time.Hour)},
			Fetching{Model: "ears", File: "ears.bin", State: "waiting", Done: 5, Total: 10, Left: Seconds(-time.Second), Note: "the server answers 429 Too Many Requests; the next try in 45s"},
			Fetching{Model: "ears", State: "waiting", Left: Seconds(-time.Second), Note: "another Solo is at it"},
			Fetching{Model: "ears", File: "ears.bin", State: "checking", Left: Seconds(-time.Second)},
			Fetching{Model: "tool", File: "x.zip", State: "unpacking", Left: Seconds(-time.Second)},
			Fetching{Model: "ears", State: "done", Done: 10, Total: 10},
			Fetched{Model: "ears", Bytes: 10, Paths: []string{"/home/me/ears.bin"}},
			Fetched{Model: "ears", Bytes: 96_000_000, Saved: 51_787_473, Paths: []string{"/a", "/b"}, Notes: []string{"ears.bin is unverified"}},
			Fetched{Model: "ears", Already: true, Paths: []string{"/a"}},
			Checked{Model: "ears", Path: "/a", Known: "verified"},
			Checked{Model: "ears", Path: "/a", Known: "pinned", Trouble: "it is not there"},
			Removed{What: "model", Name: "ears", Bytes: 147_964_211},
			Removed{What: "part", Name: "ears--ears.bin.part", Bytes: 4_000, Done: true},
			Proposed{For: "a graphics card of 8 GB", Folder: "/data/models", Missing: 5_340_000_000, Free: 56_860_000_000, Lacks: []string{"no build of piper for plan9/amd64"}, Models: []Stocked{
				{Name: "qwen3-4b-q8", Task: "llm", About: "in eight bits", Licence: "Apache-2.0", Bytes: 4_280_405_216, State: "absent", Known: "unverified", Fits: true},
				{Name: "llama-server-cuda", Task: "tool", About: "llama-server", Licence: "MIT", Terms: "holds NVIDIA's libraries", Bytes: 763_293_937, State: "here", Known: "stated", Fits: true}}},
		} {
			form.print(l)
		}
	}
	const path = "testdata/depot.golden"
	if *update {
		if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(out.Bytes(), want) {
		t.Errorf("%s is stale (go test -update): %v\n%s", path, err, out.String())
	}
}

// keeper is a Solo of which only the depot is asked.
type keeper struct {
	Solo
	did string
}

func (k *keeper) Shelf(_ context.Context, all bool, _ Tell) error {
	k.did += strings.Repeat("all ", map[bool]int{true: 1}[all]) + "shelf "
	return nil
}
func (k *keeper) Models(context.Context, Tell) error { k.did += "models "; return nil }
func (k *keeper) PullModels(_ context.Context, o Pull, _ Tell) error {
	k.did += strings.Join(o.Names, "+") + strings.Repeat(" anyway", map[bool]int{true: 1}[o.Anyway]) + strings.Repeat(" renew", map[bool]int{true: 1}[o.Renew])
	return nil
}
func (k *keeper) VerifyModels(_ context.Context, names []string, _ Tell) error {
	k.did += "verify " + strings.Join(names, "+")
	return nil
}
func (k *keeper) RemoveModels(_ context.Context, names []string, yes bool, _ Tell) error {
	k.did += "rm " + strings.Join(names, "+") + strings.Repeat(" yes", map[bool]int{true: 1}[yes])
	return nil
}
func (k *keeper) PruneModels(_ context.Context, yes bool, _ Tell) error {
	k.did += "prune" + strings.Repeat(" yes", map[bool]int{true: 1}[yes])
	return nil
}
func (k *keeper) Setup(_ context.Context, o Setup, _ Tell) error {
	k.did += "setup " + o.Language + strings.Repeat(" yes", map[bool]int{true: 1}[o.Yes]) + strings.Repeat(" dry", map[bool]int{true: 1}[o.Dry]) + strings.Repeat(" card", max(0, o.Card))
	return nil
}

func TestDepotCommands(t *testing.T) {
	for line, want := range map[string]struct {
		did  string
		code int
	}{
		"models list":                         {"shelf models", 0},
		"models list --catalogue":             {"all shelf", 0},
		"models pull a b --anyway":            {"a+b anyway", 0},
		"models pull --renew a":               {"a renew", 0},
		"models pull":                         {"", ExitUsage},
		"models verify":                       {"verify", 0},
		"models verify a b":                   {"verify a+b", 0},
		"models rm a":                         {"rm a", 0},
		"models rm --yes a b":                 {"rm a+b yes", 0},
		"models rm":                           {"", ExitUsage},
		"models prune":                        {"prune", 0},
		"models prune --yes":                  {"prune yes", 0},
		"models prune a":                      {"", ExitUsage},
		"setup":                               {"setup en", 0},
		"setup --dry-run --card 2":            {"setup en dry card card", 0},
		"setup --yes --card -1 --language de": {"setup de yes", 0},
		"setup now":                           {"", ExitUsage},
		"setup --card many":                   {"", ExitUsage},
	} {
		k := &keeper{}
		var out bytes.Buffer
		code := Main(t.Context(), strings.Fields(line), Version{}, func(Globals) (Solo, error) { return k, nil }, strings.NewReader(""), &out, &out)
		if code != want.code || strings.TrimSpace(k.did) != want.did {
			t.Errorf("%s: exit %d, did %q (%s)", line, code, k.did, out.String())
		}
	}
}
