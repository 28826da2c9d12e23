package bus

import (
	"slices"
	"testing"
)

type thought struct{}

func TestCycle(t *testing.T) {
	for name, tt := range map[string]struct {
		build func(*Bus)
		want  []string
	}{
		"empty": {func(*Bus) {}, nil},
		"a chain": {func(b *Bus) {
			Publisher[heard](b, "ears")
			Subscribe[heard](b, "mind", 1, Block)
			Publisher[said](b, "mind")
			Subscribe[said](b, "voice", 1, Block)
		}, nil},
		"itself": {func(b *Bus) {
			Publisher[heard](b, "mind")
			Subscribe[heard](b, "mind", 1, Block)
		}, []string{"mind", "mind"}},
		"two, reached from a third": {func(b *Bus) {
			Publisher[thought](b, "alarm")
			Subscribe[thought](b, "mind", 1, Block)
			Publisher[said](b, "mind")
			Subscribe[said](b, "voice", 1, Block)
			Publisher[heard](b, "voice")
			Subscribe[heard](b, "mind", 1, Block)
		}, []string{"mind", "voice", "mind"}},
		"one that drops breaks the ring": {func(b *Bus) {
			Publisher[said](b, "mind")
			Subscribe[said](b, "voice", 1, DropOldest)
			Publisher[heard](b, "voice")
			Subscribe[heard](b, "mind", 1, Block)
		}, nil},
		"a closed one breaks the ring": {func(b *Bus) {
			Publisher[said](b, "mind")
			Subscribe[said](b, "voice", 1, Block).Close()
			Publisher[heard](b, "voice")
			Subscribe[heard](b, "mind", 1, Block)
		}, nil},
		"a diamond is no ring": {func(b *Bus) {
			Publisher[heard](b, "a")
			Subscribe[heard](b, "b", 1, Block)
			Subscribe[heard](b, "c", 1, Block)
			Publisher[said](b, "b")
			Publisher[said](b, "c")
			Subscribe[said](b, "d", 1, Block)
		}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			var b Bus
			tt.build(&b)
			if got := b.Cycle(); !slices.Equal(got, tt.want) {
				t.Fatalf("got %q, want %q", got, tt.want)
			}
		})
	}
}
