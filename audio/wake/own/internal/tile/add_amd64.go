//go:build amd64 && !purego

package tile

import "golang.org/x/sys/cpu"

var fast = cpu.X86.HasAVX2 && cpu.X86.HasFMA

// add is Sums.Add for rows of n numbers.
//
//go:noescape
func add(s *Sums, x0, x1, x2, x3, w *float32, n int)
