package web

import (
	"sync/atomic"
	"time"

	"github.com/gofiber/fiber/v2"
)

// counts are what the door knows of its own work.
type counts struct {
	by   [6]atomic.Uint64 // requests by the first digit of their status
	took atomic.Int64     // ns, all requests together
}

func (n *counts) middleware(c *fiber.Ctx) error {
	began := time.Now()
	err := c.Next()
	status := c.Response().StatusCode()
	if err != nil {
		status = faultOf(err).Status
	}
	if class := status / 100; class >= 1 && class < len(n.by) {
		n.by[class].Add(1)
	}
	n.took.Add(int64(time.Since(began)))
	return err
}
