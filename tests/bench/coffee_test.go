package main

import (
	"maps"
	"strings"
	"testing"
)

const smallMenu = "context:\n  expressions:\n    orderDrink:\n      - \"brew $coffeeDrink:coffeeDrink\"\n  slots:\n    coffeeDrink:\n      - \"coffee\"\n      - \"Iced Coffee\"\n    milkAmount:\n      - \"milk\"\n      - \"some milk\"\n    size:\n      - \"medium\"\n      - \"large\"\n    roast:\n      - \"medium roast\"\n"

func TestCoffeeSlots(t *testing.T) {
	m := readMenu(smallMenu)
	for text, want := range map[string]map[string]string{
		"brew an iced coffee with some milk": {"coffeeDrink": "iced coffee", "milkAmount": "some milk"},
		"brew a medium roast large coffee":   {"coffeeDrink": "coffee", "size": "large", "roast": "medium roast"},
		"brew a medium roast coffee":         {"coffeeDrink": "coffee", "roast": "medium roast"},
		"brew a coffee":                      {"coffeeDrink": "coffee"},
		"brew a coffeepot with milkshakes":   {},
	} {
		if got := m.slots(text); !maps.Equal(got, want) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestJudgeCoffee(t *testing.T) {
	labels := map[string]drink{
		"a.flac": {"orderDrink", map[string]string{"coffeeDrink": "coffee", "milkAmount": " milk"}},
		"b.flac": {"orderDrink", map[string]string{"coffeeDrink": "iced coffee"}},
	}
	s := judgeCoffee(readMenu(smallMenu), labels, []line{
		{Event: "transcript", File: "x/a.flac", Text: "brew a coffee with milk", Length: 2, Elapsed: 100},
		{Event: "transcript", File: "x/b.flac", Text: "brew a coffee", Length: 2, Elapsed: 100},
	}, 2)
	if s.goals[0].value != "1 of 2" || s.goals[0].met {
		t.Errorf("%+v", s.goals)
	}
	for _, want := range []string{"| brew a coffee | coffeeDrink coffee | coffeeDrink iced coffee |", "factor 0.05"} {
		if !strings.Contains(s.text, want) {
			t.Errorf("%q is not in\n%s", want, s.text)
		}
	}
}
