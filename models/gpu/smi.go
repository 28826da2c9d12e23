package gpu

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

const patience = 10 * time.Second // nvidia-smi wakes sleeping cards first

// What is asked of nvidia-smi; see `nvidia-smi --help-query-gpu`.
const (
	cardFields    = "index,name,uuid,memory.total,memory.used,memory.free,utilization.gpu,temperature.gpu,power.draw"
	processFields = "gpu_uuid,pid,used_gpu_memory"
)

var errNoSMI = errors.New("there is no nvidia-smi")

// bySMI asks the driver's program. What uses the cards is left out where only that cannot be read.
func bySMI(ctx context.Context, path string) ([]Card, error) {
	out, err := smi(ctx, path, "--query-gpu="+cardFields)
	if err != nil {
		return nil, err
	}
	cards, err := parseCards(out)
	if err != nil {
		return nil, err
	}
	if out, err := smi(ctx, path, "--query-compute-apps="+processFields); err == nil {
		addProcesses(cards, out)
	}
	return cards, nil
}

func smi(ctx context.Context, path, query string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, query, "--format=csv,noheader,nounits")
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	said := strings.TrimSpace(string(out))
	switch {
	case err == nil:
		return said, nil
	case errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist):
		return "", errNoSMI
	case ctx.Err() != nil:
		return "", fmt.Errorf("asking nvidia-smi: %w", ctx.Err())
	case strings.Contains(said, "No devices were found"):
		return "", fmt.Errorf("%w: %s", ErrNone, said)
	}
	first, _, _ := strings.Cut(said, "\n")
	return "", fmt.Errorf("asking nvidia-smi: %w: %.200s", err, first)
}

func parseCards(out string) ([]Card, error) {
	if strings.Contains(out, "No devices were found") {
		return nil, fmt.Errorf("%w: %s", ErrNone, out)
	}
	rows, err := table(out, 9)
	if err != nil {
		return nil, err
	}
	var cards []Card
	for _, r := range rows {
		index, err := strconv.Atoi(r[0])
		if err != nil || index < 0 {
			return nil, fmt.Errorf("nvidia-smi counts a card as %q", r[0])
		}
		cards = append(cards, Card{Index: index, Name: r[1], UUID: r[2], MemTotal: mebibytes(r[3]), MemUsed: mebibytes(r[4]),
			MemFree: mebibytes(r[5]), Util: int(number(r[6])), Temp: int(number(r[7])), Power: number(r[8]), Processes: map[int]int64{}})
	}
	return cards, nil
}

func addProcesses(cards []Card, out string) {
	rows, err := table(out, 3)
	if err != nil {
		return
	}
	for _, r := range rows {
		for i := range cards {
			if pid, err := strconv.Atoi(r[1]); err == nil && cards[i].UUID == r[0] {
				cards[i].Processes[pid] = mebibytes(r[2])
			}
		}
	}
}

// table reads lines of so many fields, separated by a comma and blanks.
func table(out string, fields int) ([][]string, error) {
	in := csv.NewReader(strings.NewReader(out))
	in.FieldsPerRecord, in.LazyQuotes, in.TrimLeadingSpace = fields, true, true
	rows, err := in.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("nvidia-smi said %.80q: %w", out, err)
	}
	for _, r := range rows {
		for i := range r {
			r[i] = strings.TrimSpace(r[i])
		}
	}
	return rows, nil
}

// number is -1 for "[N/A]" and the like.
func number(s string) float64 {
	n, err := strconv.ParseFloat(s, 64)
	if err != nil || !(n >= 0 && n <= 1e9) { // nor NaN
		return -1
	}
	return n
}

func mebibytes(s string) int64 { return int64(max(0, number(s)) * (1 << 20)) }
