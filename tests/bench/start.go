package main

import (
	"context"
	"fmt"
)

// starts with models that are built already.
const starts = 5

func measureStart(ctx context.Context, b *bench) (section, error) {
	var seconds []float64
	for i := range starts + 1 {
		s, err := b.run(ctx, b.dir+"/start")
		if err != nil {
			return section{}, err
		}
		s.end()
		seconds = append(seconds, s.started.Seconds())
		say("start: %.2f s", seconds[i])
	}
	first, cached := seconds[0], seconds[1:]
	t := newTable("from the start of `solo run` to its line \"Listening\"", "s")
	t.row("first start, which builds the models", figure(first))
	t.row(fmt.Sprintf("p50 of %d starts with cached models", starts), figure(percentile(cached, 0.5)))
	t.row("longest of them", figure(percentile(cached, 1)))
	return section{
		goals: []goal{atMost("start to listening with cached models, p50", percentile(cached, 0.5), 0.5, "s")},
		text:  t.String(),
	}, nil
}
