package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/solo-assistant/solo/core/channel/web"
)

// bareKind, in the environment, makes this program one of the servers that the web door is compared with.
const (
	bareKind   = "SOLO_BENCH_BARE"
	bareBodies = "SOLO_BENCH_BODIES"
)

// answers are what a bare server sends: the same as Solo did.
type answers struct {
	Status web.Status
	Raw    string // the status as Solo wrote it
	Chat   web.ChatOut
	Text   string
}

// heardText is the answer of /transcribe.
type heardText struct {
	Text string `json:"text"`
}

// serveBare never returns where this process was started as a bare server.
func serveBare() {
	kind := os.Getenv(bareKind)
	if kind == "" {
		return
	}
	err := serveAs(kind, os.Getenv(bareBodies))
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

func serveAs(kind, path string) error {
	var a answers
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, &a)
	}
	if err != nil {
		return fmt.Errorf("read what to answer: %w", err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println("http://" + ln.Addr().String())
	if kind == "fiber" {
		return a.fiber().Listener(ln)
	}
	return http.Serve(ln, a.plain())
}

// fiber serves with Fiber and nothing before it.
func (a answers) fiber() *fiber.App {
	app := fiber.New(fiber.Config{DisableStartupMessage: true, BodyLimit: 64 << 20})
	app.Get("/status", func(c *fiber.Ctx) error { return c.JSON(a.Status) })
	app.Get("/raw", func(c *fiber.Ctx) error {
		c.Set(fiber.HeaderContentType, fiber.MIMEApplicationJSON)
		return c.SendString(a.Raw)
	})
	app.Post("/chat", func(c *fiber.Ctx) error {
		var in web.ChatIn
		if err := c.BodyParser(&in); err != nil {
			return err
		}
		return c.JSON(a.Chat)
	})
	app.Post("/transcribe", func(c *fiber.Ctx) error {
		if len(c.Body()) == 0 {
			return fiber.ErrBadRequest
		}
		return c.JSON(heardText{a.Text})
	})
	return app
}

// plain serves with the standard library.
func (a answers) plain() http.Handler {
	give := func(w http.ResponseWriter, v any) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(v) // who has left hears nothing
	}
	m := http.NewServeMux()
	m.HandleFunc("GET /status", func(w http.ResponseWriter, _ *http.Request) { give(w, a.Status) })
	m.HandleFunc("POST /chat", func(w http.ResponseWriter, r *http.Request) {
		var in web.ChatIn
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		give(w, a.Chat)
	})
	m.HandleFunc("POST /transcribe", func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.ReadAll(r.Body); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		give(w, heardText{a.Text})
	})
	return m
}

// beside starts a bare server as a process of its own, as Solo is one.
func beside(ctx context.Context, kind, bodies string) (url string, end func(), err error) {
	self, err := os.Executable()
	if err != nil {
		return "", nil, fmt.Errorf("find this program: %w", err)
	}
	cmd := exec.CommandContext(ctx, self)
	cmd.Env = append(os.Environ(), bareKind+"="+kind, bareBodies+"="+bodies)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return "", nil, fmt.Errorf("start a bare %s server: %w", kind, err)
	}
	end = func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // it was just killed
	}
	url, err = bufio.NewReader(out).ReadString('\n')
	if err != nil {
		end()
		return "", nil, fmt.Errorf("start a bare %s server: %w", kind, err)
	}
	return strings.TrimSpace(url), end, nil
}
