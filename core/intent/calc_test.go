package intent_test

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/solo-assistant/solo/core/intent"
	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/core/tool/calc"
	"github.com/solo-assistant/solo/models"
)

// What is understood of sums and units must be what the tools take.
func TestTheCalculatorTakesEverySumAndUnit(t *testing.T) {
	box := tool.New(tool.Config{})
	if err := box.Add(calc.Tools()...); err != nil {
		t.Fatal(err)
	}
	for _, s := range positives(t) {
		if !strings.HasPrefix(s.name, "calc.") {
			continue
		}
		args := map[string]any{}
		for k, v := range s.slots {
			args[k] = v
			if k == "amount" {
				args[k], _ = strconv.ParseFloat(v, 64)
			}
		}
		raw, err := json.Marshal(args)
		if err != nil {
			t.Fatal(err)
		}
		r, err := box.Call(t.Context(), models.Call{Tool: s.name, Arguments: raw})
		if err != nil || r.Data == nil {
			t.Errorf("%q: %s %s gives %q, %v", s.text, s.name, raw, r.Say, err)
		}
	}
}

func TestTheCalculatorKnowsEveryUnit(t *testing.T) {
	box := tool.New(tool.Config{})
	if err := box.Add(calc.Tools()...); err != nil {
		t.Fatal(err)
	}
	_, units, _ := strings.Cut(intent.English().Markdown(nil), "## Units\n\n")
	for unit := range strings.SplitSeq(strings.TrimSpace(units), ", ") {
		raw, err := json.Marshal(map[string]any{"amount": 1, "from": unit, "to": unit})
		if err != nil {
			t.Fatal(err)
		}
		if r, err := box.Call(t.Context(), models.Call{Tool: "calc.convert", Arguments: raw}); err != nil || r.Data == nil {
			t.Errorf("%s: %q, %v", unit, r.Say, err)
		}
	}
}
