// Package calc works out sums and converts units.
package calc

import (
	"context"
	_ "embed"
	"errors"
	"fmt"

	"github.com/solo-assistant/solo/core/tool"
	"github.com/solo-assistant/solo/models"
)

//go:embed calc.md
var page string

// Tools makes calc.compute and calc.convert.
func Tools() []tool.Tool {
	return []tool.Tool{
		tool.Of("calc.compute", tool.About(page, "calc.compute"), models.Read, compute),
		tool.Of("calc.convert", tool.About(page, "calc.convert"), models.Read, convert),
	}
}

type computeArgs struct {
	Expression string `json:"expression" jsonschema:"for example 12 * (3 + 4) or 15% of 80" limits:"1..500"`
}

type computed struct {
	Result string `json:"result"` // decimal, or a fraction where that has no end
}

func compute(_ context.Context, a computeArgs) (models.Result, error) {
	v, err := Eval(a.Expression)
	var s sorry
	switch {
	case errors.As(err, &s):
		return models.Result{Say: string(s)}, nil
	case err != nil:
		return models.Result{Say: "I couldn't work that out."}, nil
	}
	return tool.With(tool.Said("That's %s.", sayRounded(v)), computed{plain(v)}), nil
}

type convertArgs struct {
	Amount float64 `json:"amount" jsonschema:"how much of the unit from"`
	From   string  `json:"from" jsonschema:"unit to convert from" limits:"1..60"`
	To     string  `json:"to" jsonschema:"unit to convert to" limits:"1..60"`
}

type converted struct {
	Amount string `json:"amount"`
	Unit   string `json:"unit"`
}

func convert(_ context.Context, a convertArgs) (models.Result, error) {
	from, to, err := pair(a.From, a.To)
	if err != nil {
		return models.Result{Say: err.Error()}, nil
	}
	amount := decimal(a.Amount)
	got, err := from.into(amount, to)
	if err != nil {
		return models.Result{Say: err.Error()}, nil
	}
	say := fmt.Sprintf("%s is %s%s.", amountOf(amount, from), amountOf(got, to), feet(got, to))
	return tool.With(models.Result{Say: tool.Upper(say)}, converted{plain(got), to.many}), nil
}

// sorry is an error whose words are for the user.
type sorry string

func (s sorry) Error() string { return string(s) }
