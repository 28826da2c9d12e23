package machine

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/core/when"
	"github.com/solo-assistant/solo/models/gpu"
)

func sayCPU(p processor) string {
	say := "The processor has " + tool.Count(p.Cores, "core")
	if p.Name != "" {
		say = "The processor is " + article(p.Name) + " with " + tool.Count(p.Cores, "core")
	}
	if p.Busy >= 0 {
		say += fmt.Sprintf(", %.0f percent busy", p.Busy)
	}
	return say + "."
}

// article puts "a" or "an" before a name by its first letter, as it sounds.
func article(name string) string {
	if strings.ContainsRune("AEIOaeio", rune(name[0])) {
		return "an " + name
	}
	return "a " + name
}

func sayMemory(m memory) string {
	if m.Free < 0 {
		return fmt.Sprintf("This machine has %s of memory; how much is free I can't tell.", size(m.Total))
	}
	return fmt.Sprintf("%s of memory are free.", of(m.Free, m.Total))
}

func sayDisks(all []disk) string {
	var parts []string
	for _, d := range all {
		where := "the main disk"
		if d.Path != "/" {
			where = d.Path
		}
		parts = append(parts, of(d.Free, d.Total)+" on "+where)
	}
	return fmt.Sprintf("%s are free.", tool.Upper(tool.Some(parts, 4)))
}

func sayBattery(b battery) string {
	switch b.State {
	case "full":
		return "The battery is full."
	case "charging":
		return fmt.Sprintf("The battery is at %d percent and charging.", b.Percent)
	}
	return fmt.Sprintf("The battery is at %d percent.", b.Percent)
}

func sayCards(all []gpu.Card) string {
	var say []string
	for _, c := range all {
		parts := []string{}
		if c.MemTotal > 0 {
			parts = append(parts, "has "+of(c.MemFree, c.MemTotal)+" free")
		}
		if c.Util >= 0 {
			parts = append(parts, fmt.Sprintf("is %d percent busy", c.Util))
		}
		if c.Temp >= 0 {
			parts = append(parts, fmt.Sprintf("is %d degrees warm", c.Temp))
		}
		name := "The " + c.Name
		if c.Name == "" {
			name = "The graphics card"
		}
		if len(parts) == 0 {
			parts = []string{"tells nothing of itself"}
		}
		say = append(say, name+" "+tool.List(parts)+".")
	}
	return strings.Join(say, " ")
}

// figuresOf leaves out which processes use a card.
func figuresOf(all []gpu.Card) []map[string]any {
	var out []map[string]any
	for _, c := range all {
		out = append(out, map[string]any{"name": c.Name, "total_bytes": c.MemTotal, "free_bytes": c.MemFree, "busy_percent": c.Util, "celsius": c.Temp, "watts": c.Power})
	}
	return out
}

func sayUptime(d time.Duration) string {
	if d < time.Minute {
		return "This machine was started less than a minute ago."
	}
	unit := time.Minute
	if d >= 24*time.Hour {
		unit = time.Hour
	}
	return fmt.Sprintf("This machine has been on for %s.", when.Length(d.Truncate(unit)))
}

func sayNetwork(all []address) string {
	if len(all) == 0 {
		return "This machine has no network."
	}
	var parts []string
	for _, a := range all {
		parts = append(parts, a.Addresses[0]+" on "+a.Interface)
	}
	return fmt.Sprintf("This machine's address is %s.", tool.Some(parts, 3))
}

// absent says of one theme that there is nothing to tell.
func absent(theme string, err error) string {
	switch theme {
	case "battery":
		if errors.Is(err, errUnknown) {
			return "I can't tell how the battery is on this system."
		}
		return "This machine has no battery."
	case "gpu":
		if errors.Is(err, gpu.ErrNone) {
			return "I can't find an NVIDIA graphics card; others I can't read."
		}
		return "I can't read the graphics card."
	case "cpu":
		return "I can't tell how the processor is doing here."
	case "memory":
		return "I can't tell how much memory there is here."
	case "disk":
		return "I can't tell how much room is on the disks here."
	case "uptime":
		return "I can't tell how long this machine has been on."
	case "network":
		return "I can't read this machine's network."
	}
	return ""
}

var units = []string{"bytes", "kilobytes", "megabytes", "gigabytes", "terabytes"}

// size words bytes: "1.5 gigabytes", of 1024 megabytes each as systems count memory.
func size(n int64) string {
	at, v := unitOf(n)
	return number(v) + " " + units[at]
}

// of is "12 of 32 gigabytes", each in its own unit where they differ.
func of(part, whole int64) string {
	p, pv := unitOf(part)
	w, wv := unitOf(whole)
	if p == w || part == 0 {
		return number(pv) + " of " + number(wv) + " " + units[w]
	}
	return size(part) + " of " + size(whole)
}

func unitOf(n int64) (unit int, value float64) {
	v := float64(max(n, 0))
	for unit < len(units)-1 && v >= 1000 {
		v /= 1024
		unit++
	}
	return unit, v
}

// number has one digit behind the point where it is small.
func number(v float64) string {
	if v >= 10 || v == math.Trunc(v) {
		return strconv.FormatFloat(math.Round(v), 'f', 0, 64)
	}
	return strings.TrimSuffix(strconv.FormatFloat(v, 'f', 1, 64), ".0")
}
