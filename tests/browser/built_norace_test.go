//go:build linux && !race

package browser

var racing = []string{}
