package web

import (
	"net"
	"sync"
	"time"
)

// crowd is a listener that bounds how many are connected, how long any of them may keep an answer waiting, and can see all
// of them out.
type crowd struct {
	net.Listener
	most  int
	write time.Duration // longest wait for one piece of an answer to be taken
	shut  sync.Once

	mu    sync.Mutex
	conns map[*guest]struct{}
}

func newCrowd(ln net.Listener, most int, write time.Duration) *crowd {
	return &crowd{Listener: ln, most: most, write: write, conns: map[*guest]struct{}{}}
}

// Accept waits for the next visitor; one above the limit is sent away at once.
func (c *crowd) Accept() (net.Conn, error) {
	for {
		conn, err := c.Listener.Accept()
		if err != nil {
			return nil, err
		}
		g := &guest{Conn: conn, in: c}
		c.mu.Lock()
		full := len(c.conns) >= c.most
		if !full {
			c.conns[g] = struct{}{}
		}
		c.mu.Unlock()
		if !full {
			return g, nil
		}
		_ = conn.Close()
	}
}

// Close lets no one in any more. It may be called again.
func (c *crowd) Close() (err error) {
	c.shut.Do(func() { err = c.Listener.Close() })
	return err
}

func (c *crowd) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.conns)
}

// empty closes whatever is still connected.
func (c *crowd) empty() {
	c.mu.Lock()
	var all []*guest
	for g := range c.conns {
		all = append(all, g)
	}
	c.mu.Unlock()
	for _, g := range all {
		_ = g.Close()
	}
}

// guest is one connection. A reader that takes nothing ends it, however long its answer as a whole may take.
type guest struct {
	net.Conn
	in *crowd
}

func (g *guest) Write(b []byte) (int, error) {
	if err := g.SetWriteDeadline(time.Now().Add(g.in.write)); err != nil {
		return 0, err
	}
	return g.Conn.Write(b)
}

func (g *guest) Close() error {
	g.in.mu.Lock()
	delete(g.in.conns, g)
	g.in.mu.Unlock()
	return g.Conn.Close()
}
