package calc_test

import (
	"encoding/json"
	"math/big"
	"strings"
	"testing"

	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/core/tool/calc"
	"github.com/solo-assistant/solo/models"
)

func say(t *testing.T, name string, args map[string]any) models.Result {
	t.Helper()
	box := tool.New(tool.Config{})
	if err := box.Add(calc.Tools()...); err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(args)
	if err != nil {
		t.Fatal(err)
	}
	r, err := box.Call(t.Context(), models.Call{Tool: name, Arguments: raw})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestCompute(t *testing.T) {
	for in, want := range map[string]string{
		"12 * (3 + 4)":                  "That's 84.",
		"0.1 + 0.2":                     "That's 0.3.",
		"1.005 * 3":                     "That's 3.015.",
		"7 - 10":                        "That's minus 3.",
		"-5 + 2":                        "That's minus 3.",
		"- 2 ^ 2":                       "That's minus 4.",
		"(-2) ^ 2":                      "That's 4.",
		"2 ^ 3 ^ 2":                     "That's 512.",
		"2 ** 8":                        "That's 256.",
		"2 ^ -2":                        "That's 0.25.",
		"2 * -3":                        "That's minus 6.",
		"10 / 3":                        "That's about 3.33.",
		"-10 / 3":                       "That's about minus 3.33.",
		"10000 / 3":                     "That's about 3333.33.",
		"1 / 7":                         "That's about 0.143.",
		"1 / 8":                         "That's 0.125.",
		"1 / 3000":                      "That's about 0.000333.",
		"8 / 4 / 2":                     "That's 1.",
		"10 - 4 - 3":                    "That's 3.",
		"2 + 3 * 4":                     "That's 14.",
		"15% of 80":                     "That's 12.",
		"15 percent of 80":              "That's 12.",
		"20 percent off 80":             "That's 64.",
		"80 + 15%":                      "That's 92.",
		"80 - 25%":                      "That's 60.",
		"80 * 15%":                      "That's 12.",
		"50%":                           "That's 0.5.",
		"10% + 5%":                      "That's 0.15.",
		"100 + 10% of 50":               "That's 105.",
		"17 % 5":                        "That's 2.",
		"17 mod 5":                      "That's 2.",
		"17 modulo (2 + 3)":             "That's 2.",
		"-7 mod 3":                      "That's 2.",
		"(-7) mod 3":                    "That's 2.",
		"sqrt(16)":                      "That's 4.",
		"sqrt 2":                        "That's about 1.41.",
		"√2.25":                         "That's 1.5.",
		"the square root of 16 + 9":     "That's 13.",
		"square root of (16 + 9)":       "That's 5.",
		"2 sqrt(9)":                     "That's 6.",
		"2(3 + 4)(5)":                   "That's 70.",
		"27 ^ (1/3)":                    "That's 3.",
		"2 ^ 0.5":                       "That's about 1.41.",
		"5 squared + 2 cubed":           "That's 33.",
		"3² + 1":                        "That's 10.",
		"6 times 7":                     "That's 42.",
		"6 x 7":                         "That's 42.",
		"6x7":                           "That's 42.",
		"6 multiplied by 7":             "That's 42.",
		"9 divided by 2":                "That's 4.5.",
		"9 over 2":                      "That's 4.5.",
		"2 to the power of 10":          "That's 1024.",
		"10 minus 12.5 plus 1":          "That's minus 1.5.",
		"half of 9":                     "That's 4.5.",
		"1,234,567 + 1":                 "That's 1234568.",
		"2 × 3 ÷ 4 − 1":                 "That's 0.5.",
		"(1 + 2":                        "That's 3.",
		"7 =":                           "That's 7.",
		".5 + .25":                      "That's 0.75.",
		"0 * 5":                         "That's 0.",
		"0 ^ 0":                         "That's 1.",
		"10 ^ 15":                       "That's 1 quadrillion.",
		"2 ^ 100":                       "That's about 1.27 nonillion.",
		"999999999999 * 999":            "That's 998999999999001.",
		"10 ^ 40":                       "That's 10 to the power of 40.",
		"3 * 10 ^ 40":                   "That's 3 times 10 to the power of 40.",
		"1 / 10 ^ 9":                    "That's 10 to the power of minus 9.",
		"1 / 3 / 10 ^ 9":                "That's about 3.33 times 10 to the power of minus 10.",
		"2 ^ 100000":                    "That number is too big for me.",
		"9 ^ 9 ^ 9 ^ 9":                 "That number is too big for me.",
		"1e999":                         "I couldn't work that out.",
		"5 / 0":                         "I can't divide by zero.",
		"5 mod (2 - 2)":                 "I can't divide by zero.",
		"0 ^ -1":                        "I can't divide by zero.",
		"sqrt(-4)":                      "There's no real root of a negative number.",
		"(-8) ^ 0.5":                    "There's no real root of a negative number.",
		"2 +":                           "I couldn't work that out.",
		"* 2":                           "I couldn't work that out.",
		"2 3":                           "I couldn't work that out.",
		"banana":                        "I couldn't work that out.",
		"2 + )":                         "I couldn't work that out.",
		"()":                            "I couldn't work that out.",
		strings.Repeat("(", 200):        "I couldn't work that out.",
		strings.Repeat("√", 200):        "I couldn't work that out.",
		"2" + strings.Repeat("^1", 200): "I couldn't work that out.",
	} {
		if got := say(t, "calc.compute", map[string]any{"expression": in}).Say; got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestComputedData(t *testing.T) {
	for in, want := range map[string]string{"1/4": `{"result":"0.25"}`, "1/3": `{"result":"1/3"}`, "2^64": `{"result":"18446744073709551616"}`} {
		if got := string(say(t, "calc.compute", map[string]any{"expression": in}).Data); got != want {
			t.Errorf("%s: %s", in, got)
		}
	}
}

func TestConvert(t *testing.T) {
	for _, tt := range []struct {
		amount   float64
		from, to string
		want     string
	}{
		{12, "miles", "kilometers", "12 miles is about 19.3 kilometers."},
		{1, "mile", "km", "1 mile is about 1.61 kilometers."},
		{1, "inch", "cm", "1 inch is 2.54 centimeters."},
		{100, "mi", "km", "100 miles is about 161 kilometers."},
		{26.2, "miles", "kilometres", "26.2 miles is about 42.2 kilometers."},
		{180, "cm", "feet", "180 centimeters is about 5.91 feet, or 5 feet 11 inches."},
		{5, "feet", "inches", "5 feet is 60 inches."},
		{0.5, "yards", "feet", "0.5 yards is 1.5 feet, or 1 foot 6 inches."},
		{1000, "m", "km", "1000 meters is 1 kilometer."},
		{3, "nautical miles", "miles", "3 nautical miles is about 3.45 miles."},
		{150, "pounds", "kg", "150 pounds is about 68 kilograms."},
		{2, "kilos", "lbs", "2 kilograms is about 4.41 pounds."},
		{8, "ounces", "grams", "8 ounces is about 227 grams."},
		{11, "stone", "kilograms", "11 stone is about 69.9 kilograms."},
		{72, "fahrenheit", "celsius", "72 degrees Fahrenheit is about 22.2 degrees Celsius."},
		{100, "degrees celsius", "fahrenheit", "100 degrees Celsius is 212 degrees Fahrenheit."},
		{-40, "C", "F", "Minus 40 degrees Celsius is minus 40 degrees Fahrenheit."},
		{0, "°C", "kelvin", "0 degrees Celsius is 273.15 kelvins."},
		{-300, "celsius", "kelvin", "Nothing can be that cold."},
		{300, "K", "C", "300 kelvins is 26.85 degrees Celsius."},
		{2, "cups", "ml", "2 cups is about 473 milliliters."},
		{8, "ounces", "cups", "8 fluid ounces is 1 cup."},
		{1, "gallon", "liters", "1 gallon is about 3.79 liters."},
		{1, "imperial gallon", "litres", "1 imperial gallon is about 4.55 liters."},
		{1, "uk pint", "us pints", "1 imperial pint is about 1.2 pints."},
		{3, "teaspoons", "tablespoon", "3 teaspoons is 1 tablespoon."},
		{1, "cubic meter", "liters", "1 cubic meter is 1000 liters."},
		{500, "cc", "cubic inches", "500 milliliters is about 30.5 cubic inches."},
		{90, "minutes", "hours", "90 minutes is 1.5 hours."},
		{3, "days", "hours", "3 days is 72 hours."},
		{1, "year", "weeks", "1 year is about 52.1 weeks."},
		{60, "mph", "km/h", "60 miles per hour is about 96.6 kilometers per hour."},
		{60, "miles an hour", "feet per second", "60 miles per hour is 88 feet per second."},
		{100, "kilometres per hour", "meters per second", "100 kilometers per hour is about 27.8 meters per second."},
		{20, "knots", "mph", "20 knots is about 23 miles per hour."},
		{1, "acre", "square feet", "1 acre is 43560 square feet."},
		{2, "hectares", "m2", "2 hectares is 20000 square meters."},
		{50, "m²", "sq ft", "50 square meters is about 538 square feet."},
		{1, "square mile", "acres", "1 square mile is 640 acres."},
		{1, "GB", "MB", "1 gigabyte is 1000 megabytes."},
		{1, "GiB", "MiB", "1 gibibyte is 1024 mebibytes."},
		{100, "Mb", "MB", "100 megabits is 12.5 megabytes."},
		{1, "megabyte", "bits", "1 megabyte is 8000000 bits."},
		{16, "bits", "bytes", "16 bits is 2 bytes."},
		{1, "light year", "km", "1 light year is 9460730472580.8 kilometers."},
		{0.001, "mm", "km", "0.001 millimeters is 10 to the power of minus 9 kilometers."},
		{5, "kilograms", "miles", "I can't turn kilograms into miles."},
		{5, "smoots", "miles", "I don't know the unit smoots."},
		{5, "dollars", "euros", "I don't know today's exchange rates."},
		{-3, "miles", "km", "Minus 3 miles is about minus 4.83 kilometers."},
	} {
		r := say(t, "calc.convert", map[string]any{"amount": tt.amount, "from": tt.from, "to": tt.to})
		if r.Say != tt.want {
			t.Errorf("%v %s to %s: %q, want %q", tt.amount, tt.from, tt.to, r.Say, tt.want)
		}
	}
}

// TestThereAndBack converts between all units of a kind: no name may lead to a wrong one, no factor be lopsided.
func TestThereAndBack(t *testing.T) {
	names := strings.Split("m km cm mm mile yard foot inch|kg g lb oz stone tonne|l ml gallon cup tablespoon imperial-gallon|s min hour day week month year|"+
		"mph km/h m/s knot|acre hectare square-meter|bit byte kB MiB GB|celsius fahrenheit kelvin", "|")
	for _, kind := range names {
		all := strings.Fields(kind)
		for _, a := range all {
			for _, b := range all {
				there := amount(t, big.NewRat(300, 1), a, b)
				if back := amount(t, there, b, a); back.FloatString(3) != "300.000" {
					t.Errorf("300 %s to %s and back is %s", a, b, back.FloatString(6))
				}
			}
		}
	}
}

func amount(t *testing.T, n *big.Rat, from, to string) *big.Rat {
	t.Helper()
	f, _ := n.Float64()
	var got struct{ Amount string }
	if err := json.Unmarshal(say(t, "calc.convert", map[string]any{"amount": f, "from": from, "to": to}).Data, &got); err != nil {
		t.Fatalf("%s to %s: %v", from, to, err)
	}
	r, ok := new(big.Rat).SetString(got.Amount)
	if !ok {
		t.Fatalf("%s to %s gave %q", from, to, got.Amount)
	}
	return r
}

func FuzzEval(f *testing.F) {
	for _, s := range []string{"12 * (3 + 4)", "15% of 80", "2^3^2", "sqrt(2)/0", "-5 % 3", "((", "1.2.3", "half of the x", "9^9^9", "√√²³", "1,000,000.5"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 500 {
			return
		}
		n, err := calc.Eval(s)
		if (n == nil) == (err == nil) {
			t.Errorf("%q gave %v and %v", s, n, err)
		}
		if said := say(t, "calc.compute", map[string]any{"expression": s + "+0"}).Say; !strings.HasSuffix(said, ".") || strings.Contains(said, "  ") {
			t.Errorf("%q is said %q", s, said)
		}
	})
}

func FuzzConvert(f *testing.F) {
	f.Add(1.5, "miles", "km")
	f.Add(-0.0, "square feet", "m2")
	f.Add(1e300, "°C", "furlongs per fortnight")
	f.Fuzz(func(t *testing.T, n float64, from, to string) {
		box := tool.New(tool.Config{})
		if err := box.Add(calc.Tools()...); err != nil {
			t.Fatal(err)
		}
		raw, err := json.Marshal(map[string]any{"amount": n, "from": from, "to": to})
		if err != nil {
			return // no number of JSON
		}
		r, err := box.Call(t.Context(), models.Call{Tool: "calc.convert", Arguments: raw})
		if r.Say == "" || err != nil && len(from) > 0 && len(from) < 15 && len(to) > 0 && len(to) < 15 {
			t.Errorf("%v %q %q: %q, %v", n, from, to, r.Say, err)
		}
	})
}
