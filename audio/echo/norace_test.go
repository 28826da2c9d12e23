//go:build !race

package echo

const raced = false
