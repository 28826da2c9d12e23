//go:build unix && !darwin

package depot

func otherMemory() int64 { return 0 }
