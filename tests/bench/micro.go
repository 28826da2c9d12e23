package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
)

// small are the packages whose own benchmarks are run.
var small = []string{"bus", "audio", "core/when", "core/intent", "core/tool", "core/agent", "models/router", "models/openai",
	"audio/listen", "audio/wake/porcupine", "audio/vad/webrtc", "audio/vad/silero", "voices/flite"}

// mark of a Go benchmark.
type speed struct {
	pkg, name string
	ns        float64 // a run
	allocs    string  // a run, "" where it was not counted
	extra     string  // other figures, such as MB/s
}

func measureMicro(ctx context.Context, b *bench) (section, error) {
	args := []string{"test", "-tags", "sphinx", "-run", "^$", "-bench", ".", "-benchtime", "200ms", "-p", "1", "-timeout", "5m"}
	for _, p := range small {
		args = append(args, "./"+p)
	}
	out, err := exec.CommandContext(ctx, goTool(), args...).CombinedOutput()
	speeds := readSpeeds(string(out))
	if err != nil {
		err = fmt.Errorf("go test -bench: %w: %s", err, firstFailure(out))
	}
	if len(speeds) == 0 && err == nil {
		err = errors.New("go test -bench printed no figures")
	}
	return section{text: speedTables(speeds)}, err
}

func firstFailure(out []byte) string {
	for in := bufio.NewScanner(bytes.NewReader(out)); in.Scan(); {
		if strings.HasPrefix(in.Text(), "FAIL") || strings.Contains(in.Text(), "panic:") || strings.HasPrefix(in.Text(), "#") {
			return in.Text()
		}
	}
	return ""
}

// readSpeeds reads what go test -bench prints.
func readSpeeds(text string) []speed {
	var all []speed
	pkg := ""
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) == 2 && f[0] == "pkg:" {
			pkg = strings.TrimPrefix(f[1], "github.com/solo-assistant/solo/")
		}
		if len(f) < 4 || !strings.HasPrefix(f[0], "Benchmark") {
			continue
		}
		s := speed{pkg: pkg, name: strings.TrimPrefix(f[0], "Benchmark")}
		if i := strings.LastIndexByte(s.name, '-'); i > 0 {
			s.name = s.name[:i] // the number of processors
		}
		for i := 2; i+1 < len(f); i += 2 {
			switch f[i+1] {
			case "ns/op":
				s.ns, _ = strconv.ParseFloat(f[i], 64)
			case "allocs/op":
				s.allocs = f[i]
			case "B/op":
			default:
				s.extra = strings.TrimPrefix(s.extra+", "+f[i]+" "+f[i+1], ", ")
			}
		}
		all = append(all, s)
	}
	return all
}

// speedTables shows all packages, and the bus beside what it is compared with.
func speedTables(all []speed) string {
	var b strings.Builder
	if t := busTable(all); t != "" {
		b.WriteString("The bus beside plain channels and a public event bus (github.com/kelindar/event), in the same run:\n\n" + t + "\n")
	}
	t := newTable("package", "benchmark", "ns/op", "allocations", "")
	measured := map[string]bool{}
	for _, s := range all {
		measured[s.pkg] = true
		if _, _, compared := rival(s); !compared {
			t.row(s.pkg, s.name, figure(s.ns), s.allocs, s.extra)
		}
	}
	for _, p := range small {
		if !measured[p] {
			t.row(p, "has no benchmark", "", "", "")
		}
	}
	b.WriteString(t.String())
	return b.String()
}

// rival says what a benchmark of the bus measures, and of whom.
func rival(s speed) (what, who string, ok bool) {
	if s.pkg != "bus" {
		return "", "", false
	}
	parts := strings.Split(s.name, "/")
	for i, p := range parts {
		if p == "bus" || p == "channels" || p == "kelindar" {
			return strings.Join(append(append([]string(nil), parts[:i]...), parts[i+1:]...), " "), p, true
		}
	}
	return "", "", false
}

func busTable(all []speed) string {
	by, order := map[string]map[string]float64{}, []string(nil)
	for _, s := range all {
		what, who, ok := rival(s)
		if !ok {
			continue
		}
		if by[what] == nil {
			by[what] = map[string]float64{}
			order = append(order, what)
		}
		by[what][who] = s.ns
	}
	if len(order) == 0 {
		return ""
	}
	t := newTable("", "bus, ns/op", "channels", "kelindar/event", "bus to channels", "bus to kelindar")
	for _, what := range order {
		v := by[what]
		t.row(what, figure(v["bus"]), figure(v["channels"]), figure(v["kelindar"]), ratio(v["bus"], v["channels"]), ratio(v["bus"], v["kelindar"]))
	}
	return t.String()
}

func ratio(a, b float64) string {
	if a == 0 || b == 0 {
		return "-"
	}
	return fmt.Sprintf("%.3g times", a/b)
}
