//go:build linux

package browser

import (
	"os"
	"path/filepath"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// keep keeps a screenshot of what the window shows, where SOLO_SCREENSHOTS names a folder.
func (b *tab) keep(name string) {
	b.t.Helper()
	b.shoot(name, chromedp.CaptureScreenshot())
}

// keepWhole keeps a screenshot of the whole page, what is below the window too.
func (b *tab) keepWhole(name string) {
	b.t.Helper()
	b.shoot(name, chromedp.FullScreenshot(100))
}

func (b *tab) shoot(name string, picture chromedp.Action[[]byte]) {
	b.t.Helper()
	dir := os.Getenv("SOLO_SCREENSHOTS")
	if dir == "" {
		return
	}
	png, err := chromedp.Run(b.ctx, picture)
	if err == nil {
		err = os.MkdirAll(dir, 0o755)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name+".png"), png, 0o644)
	}
	if err != nil {
		b.t.Errorf("keeping a screenshot: %v", err)
	}
}

// theme makes the browser's user prefer dark or light.
func (b *tab) theme(scheme string) {
	b.t.Helper()
	b.must1(chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"}}}))
}

// size is the window's, in CSS pixels.
func (b *tab) size(width, height int64) {
	b.t.Helper()
	b.must(chromedp.Do(b.ctx, chromedp.EmulateViewport(width, height)))
}
