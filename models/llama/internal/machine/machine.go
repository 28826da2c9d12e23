// Package machine tells how many cores and how much memory this computer has for a model.
package machine

import "runtime"

// Cores is how many physical cores may be used: two threads of one core share its arithmetic, so a model gains
// nothing from the second. Where the system does not tell, half of the threads where there are several.
func Cores() int {
	threads := min(runtime.NumCPU(), runtime.GOMAXPROCS(0)) // with the limits of a container
	if n := cores(); n > 0 {
		return max(1, min(n, threads))
	}
	return max(1, threads/2)
}

// Memory is how many bytes of memory the computer, or the container, has; 0 where the system does not tell.
func Memory() int64 { return memory() }
