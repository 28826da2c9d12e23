//go:build linux && !sphinx

package browser

var hearing = []string{}
