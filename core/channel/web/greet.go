package web

import (
	"context"
	"crypto/tls"
	"net"
	"sync"
	"time"
)

// greeter is a listener that gives only connections whose TLS handshake is done. Visitors who shake hands slowly delay no
// one else: each has so much time, and so many may be at it; one too many is sent away.
type greeter struct {
	net.Listener
	conf   *tls.Config
	within time.Duration
	at     slots
	wg     sync.WaitGroup
	stop   context.CancelFunc

	in   chan net.Conn
	done chan struct{} // closed when the listener beneath has ended
	err  error         // why; to be read when done is closed
}

// greetings is how many may shake hands at the same time.
const greetings = 128

// newGreeter begins to accept; Close ends it.
func newGreeter(ln net.Listener, conf *tls.Config, within time.Duration) *greeter {
	ctx, stop := context.WithCancel(context.Background())
	g := &greeter{Listener: ln, conf: conf, within: within, at: make(slots, greetings), stop: stop,
		in: make(chan net.Conn), done: make(chan struct{})}
	g.wg.Go(func() { g.meet(ctx) })
	return g
}

// meet lets visitors shake hands until the listener beneath ends.
func (g *greeter) meet(ctx context.Context) {
	defer close(g.done)
	for {
		conn, err := g.Listener.Accept()
		if err != nil {
			g.err = err
			return
		}
		if !g.at.take() {
			_ = conn.Close()
			continue
		}
		g.wg.Go(func() { g.greet(ctx, conn) })
	}
}

func (g *greeter) greet(ctx context.Context, conn net.Conn) {
	safe := tls.Server(conn, g.conf)
	err := g.shake(ctx, safe)
	g.at.give()
	if err == nil {
		select {
		case g.in <- safe:
			return
		case <-ctx.Done():
		}
	}
	_ = conn.Close() // below TLS, whose farewell could wait
}

func (g *greeter) shake(ctx context.Context, conn *tls.Conn) error {
	ctx, cancel := context.WithTimeout(ctx, g.within)
	defer cancel()
	return conn.HandshakeContext(ctx)
}

// Accept gives the next visitor who has shaken hands.
func (g *greeter) Accept() (net.Conn, error) {
	select {
	case conn := <-g.in:
		return conn, nil
	case <-g.done:
		return nil, g.err
	}
}

// Close ends the listener beneath and every handshake, and waits for them. It may be called again.
func (g *greeter) Close() error {
	err := g.Listener.Close()
	g.stop()
	g.wg.Wait()
	return err
}
