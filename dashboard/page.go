// Package dashboard is the page that shows Solo at work.
//
// The page is written in TypeScript under src and built by `make page` into dist/page, which is embedded. A program that
// was built without it shows unbuilt/index.html, which says how to build it.
package dashboard

import (
	"embed"
	"io/fs"
)

const index = "index.html"

// dist holds the built page, or only the file that keeps git from taking it.
//
//go:embed all:dist unbuilt
var files embed.FS

// Page is the page's files: index.html and what it loads from assets/.
func Page() fs.FS { return pageOf(files) }

// Built tells whether this program carries the page itself.
func Built() bool { return has(files, "dist/page") }

func pageOf(all fs.FS) fs.FS {
	dir := "unbuilt"
	if has(all, "dist/page") {
		dir = "dist/page"
	}
	page, err := fs.Sub(all, dir)
	if err != nil {
		panic(err) // neither name is one that Sub refuses
	}
	return page
}

func has(all fs.FS, dir string) bool {
	_, err := fs.Stat(all, dir+"/"+index)
	return err == nil
}
