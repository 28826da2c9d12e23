package web_test

import (
	"net"
	"testing"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"github.com/solo-assistant/solo/core/channel/web"
)

// /status behind the lock, beside a handler of Fiber that sends the same.
func BenchmarkStatus(b *testing.B) {
	s := full()
	s.LLM.PromptTPS = 1
	b.Run("door", func(b *testing.B) {
		h := openDoor(b, func(c *web.Config) { c.Status = func() web.Status { return s } })
		load(b, h.url+"/status", h.token)
	})
	b.Run("bare", func(b *testing.B) {
		app := fiber.New(fiber.Config{DisableStartupMessage: true})
		app.Get("/status", func(c *fiber.Ctx) error { return c.JSON(s) })
		ln, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			b.Fatal(err)
		}
		done := make(chan error)
		go func() { done <- app.Listener(ln) }()
		load(b, "http://"+ln.Addr().String()+"/status", "")
		if err := app.Shutdown(); err != nil {
			b.Error(err)
		}
		<-done
	})
}

func load(b *testing.B, url, token string) {
	c := &fasthttp.Client{}
	defer c.CloseIdleConnections()
	b.RunParallel(func(pb *testing.PB) {
		req, resp := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
		defer fasthttp.ReleaseRequest(req)
		defer fasthttp.ReleaseResponse(resp)
		req.SetRequestURI(url)
		req.Header.Set("Authorization", "Bearer "+token)
		for pb.Next() {
			if err := c.Do(req, resp); err != nil || resp.StatusCode() != 200 {
				b.Error(err, resp.StatusCode())
				return
			}
		}
	})
}
