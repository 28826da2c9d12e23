package modelstest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/solo-assistant/solo/models"
)

// dialect is how a protocol words the parts of an answer. Each gives whole frames of its stream.
type dialect interface {
	kind() string // Content-Type of the stream
	start() []string
	text(piece string) []string
	think(piece string) []string
	call(i int, c models.Call) []string
	garbage() string
	huge(n int) string
	fault(words string) []string
	end(finish string, u *models.Usage) []string
	whole(t Turn, finish string, u *models.Usage) string // an answer that is no stream
	page(status int, words string) string                // an error instead of an answer
}

var errStop = errors.New("nothing more is to be sent")

// player sends one turn.
type player struct {
	ctx    context.Context
	srv    *Server
	w      http.ResponseWriter
	r      *Request
	t      Turn
	d      dialect
	sent   int // bytes
	pieces int
	next   time.Time
}

// play answers one chat, and notes how it ended.
func (s *Server) play(w http.ResponseWriter, hr *http.Request, r *Request, t Turn, d dialect) {
	p := &player{ctx: hr.Context(), srv: s, w: w, r: r, t: t, d: d}
	err := p.run()
	s.change(func() {
		r.Over = true
		if err != nil && !errors.Is(err, errStop) {
			r.Gone = time.Now()
		}
	})
}

func (p *player) run() error {
	finish, usage := p.t.Finish, p.usage()
	if finish == "" {
		finish = "stop"
		if len(p.t.Calls) > 0 {
			finish = "tool"
		}
	}
	switch {
	case p.t.Hang < 0:
		return p.hang()
	case p.t.Status != 0:
		return p.refuse()
	case p.r.MaxTokens < 0:
		p.t.Text, p.t.Thinking, p.t.Calls, finish = "", "", nil, "length"
	}
	if !p.r.Stream || p.t.Whole {
		return p.whole(finish, usage)
	}
	return p.stream(finish, usage)
}

// usage counts what the script does not say.
func (p *player) usage() *models.Usage {
	if p.t.NoUsage {
		return nil
	}
	u := p.t.Usage
	if u.Prompt == 0 {
		for _, m := range p.r.Messages {
			u.Prompt += len(m.Text)/4 + 1
		}
	}
	if u.Generated == 0 {
		u.Generated = (len(p.t.Text) + 3) / 4
	}
	return &u
}

func (p *player) refuse() error {
	for name, values := range p.t.Header {
		p.w.Header()[name] = values
	}
	page := p.t.Body
	if !strings.HasPrefix(page, "{") && !strings.HasPrefix(page, "<") {
		page = p.d.page(p.t.Status, page)
	}
	kind := "text/html; charset=utf-8"
	if strings.HasPrefix(page, "{") {
		kind = "application/json"
	}
	p.w.Header().Set("Content-Type", kind)
	p.w.WriteHeader(p.t.Status)
	fmt.Fprint(p.w, page)
	return nil
}

func (p *player) whole(finish string, u *models.Usage) error {
	if err := p.wait(p.t.Delay); err != nil {
		return err
	}
	p.w.Header().Set("Content-Type", "application/json")
	return p.write(p.d.whole(p.t, finish, u))
}

func (p *player) stream(finish string, u *models.Usage) error {
	p.w.Header().Set("Content-Type", p.d.kind())
	p.w.WriteHeader(http.StatusOK)
	if err := p.write(); err != nil { // the status goes at once, as with real servers
		return err
	}
	if p.t.Huge > 0 {
		if err := p.write(p.d.huge(p.t.Huge)); err != nil {
			return err
		}
	}
	if err := p.write(p.d.start()...); err != nil {
		return err
	}
	if err := p.wait(p.t.Delay); err != nil {
		return err
	}
	if err := p.said(); err != nil {
		return err
	}
	if p.t.Fault != "" {
		return p.write(p.d.fault(p.t.Fault)...)
	}
	if p.t.Open {
		return nil
	}
	return p.write(p.d.end(finish, u)...)
}

// said sends the content, piece by piece.
func (p *player) said() error {
	p.next = time.Now()
	for _, s := range Pieces(p.t.Thinking, p.t.Piece) {
		if err := p.piece(p.d.think(s)); err != nil {
			return err
		}
	}
	for _, s := range Pieces(p.t.Text, p.t.Piece) {
		if err := p.piece(p.d.text(s)); err != nil {
			return err
		}
	}
	for i, c := range p.t.Calls {
		if c.Arguments == nil {
			c.Arguments = json.RawMessage("{}")
		}
		if err := p.piece(p.d.call(i, c)); err != nil {
			return err
		}
	}
	return p.troubles()
}

// piece sends frames when their time has come.
func (p *player) piece(frames []string) error {
	if len(frames) == 0 {
		return nil
	}
	if err := p.troubles(); err != nil {
		return err
	}
	if p.t.Pace > 0 {
		if err := p.wait(time.Until(p.next)); err != nil {
			return err
		}
		p.next = p.next.Add(time.Duration(float64(time.Second) / p.t.Pace))
	}
	if err := p.write(frames...); err != nil {
		return err
	}
	p.pieces++
	p.srv.change(func() {
		p.r.Sent++
		if p.r.First.IsZero() {
			p.r.First = time.Now()
		}
	})
	return nil
}

// troubles that count pieces.
func (p *player) troubles() error {
	if p.t.Garbage > 0 && p.pieces == p.t.Garbage {
		p.t.Garbage = 0
		return p.write(p.d.garbage())
	}
	if p.t.Hang > 0 && p.pieces == p.t.Hang {
		return p.hang()
	}
	return nil
}

func (p *player) hang() error {
	select {
	case <-p.ctx.Done():
		return p.ctx.Err()
	case <-p.srv.over:
		return errStop
	}
}

func (p *player) wait(d time.Duration) error {
	if d <= 0 {
		return p.ctx.Err()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-p.ctx.Done():
		return p.ctx.Err()
	case <-p.srv.over:
		return errStop
	}
}

// write sends frames, as far as Break and Cut let it.
func (p *player) write(frames ...string) error {
	for _, f := range frames {
		end := p.t.Break
		if p.t.Cut > 0 {
			end = p.t.Cut
		}
		stop := end > 0 && p.sent+len(f) >= end
		if stop {
			f = f[:end-p.sent]
		}
		n, err := p.w.Write([]byte(f))
		p.sent += n
		if err != nil {
			return err
		}
		if stop {
			p.flush()
			return p.stop()
		}
	}
	p.flush()
	return p.ctx.Err()
}

func (p *player) flush() {
	_ = http.NewResponseController(p.w).Flush() // a connection that is gone is noticed by ctx
}

// stop ends the stream: at once and rudely with Cut, as if it were whole with Break.
func (p *player) stop() error {
	if p.t.Cut == 0 {
		return errStop
	}
	conn, _, err := http.NewResponseController(p.w).Hijack()
	if err != nil {
		return errStop
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0) // reset instead of a good bye; without it the cut is only more polite
	}
	conn.Close()
	return errStop
}

// lawful is what a protocol whose arguments are JSON sends: arguments that are none go as a text.
func lawful(arguments json.RawMessage) json.RawMessage {
	switch {
	case arguments == nil:
		return json.RawMessage("{}")
	case json.Valid(arguments):
		return arguments
	}
	return json.RawMessage(mustJSON(string(arguments)))
}

// Pieces cuts text into pieces of n letters, as a model's tokens would; 0 is 4.
func Pieces(text string, n int) []string {
	if n <= 0 {
		n = 4
	}
	var list []string
	runes := []rune(text)
	for len(runes) > 0 {
		m := min(n, len(runes))
		list = append(list, string(runes[:m]))
		runes = runes[m:]
	}
	return list
}

// callID is the ID of the call number i, from 0.
func callID(i int) string { return fmt.Sprintf("call_%d", i+1) }
