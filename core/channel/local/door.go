package local

import (
	"bufio"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"time"

	"github.com/rs/zerolog"
	"github.com/solo-assistant/solo/core/supervise"
)

// maxRequest bounds one request, in bytes.
const maxRequest = 32 << 20

// request is one line from the command line; the answer is any number of lines and then end.
type request struct {
	Token string          `json:"token"`
	Verb  string          `json:"verb"`
	Args  json.RawMessage `json:"args,omitempty"`
}

// answer is one line back: a value, or the end with what went wrong.
type answer struct {
	Value json.RawMessage `json:"value,omitempty"`
	End   bool            `json:"end,omitempty"`
	Error string          `json:"error,omitempty"`
}

// Verb does one thing for the command line. What it gives to tell arrives there as it is told.
type Verb func(ctx context.Context, args json.RawMessage, tell func(value any) error) error

// Door listens for the command line.
type Door struct {
	Claim *Claim
	Verbs map[string]Verb
	Log   zerolog.Logger
}

func (d *Door) String() string { return "local door" }

// Serve listens on a free loopback port and answers until ctx ends.
func (d *Door) Serve(ctx context.Context) error {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("listen for the command line: %w", err)
	}
	defer context.AfterFunc(ctx, func() { _ = ln.Close() })()
	defer ln.Close()
	var secret [32]byte
	_, _ = rand.Read(secret[:]) // never fails
	token := hex.EncodeToString(secret[:])
	if err := d.Claim.Show(Card{PID: os.Getpid(), Addr: ln.Addr().String(), Token: token}); err != nil {
		return err
	}
	supervise.Ready(ctx)
	var wg sync.WaitGroup
	defer wg.Wait()
	for {
		conn, err := ln.Accept()
		if err != nil {
			if ctx.Err() != nil {
				return nil
			}
			return fmt.Errorf("wait for the command line: %w", err)
		}
		wg.Go(func() { d.serve(ctx, conn, token) })
	}
}

func (d *Door) serve(ctx context.Context, conn net.Conn, token string) {
	defer conn.Close()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	_ = conn.SetReadDeadline(time.Now().Add(10 * time.Second))
	var r request
	in := bufio.NewReaderSize(conn, 4096)
	if err := readLine(in, &r); err != nil {
		d.Log.Debug().Err(err).Msg("a visitor of the local door asked nothing")
		return
	}
	_ = conn.SetReadDeadline(time.Time{})
	out := json.NewEncoder(conn)
	if subtle.ConstantTimeCompare([]byte(r.Token), []byte(token)) != 1 {
		d.Log.Warn().Msg("a visitor of the local door had no token")
		_ = out.Encode(answer{End: true, Error: "the token is wrong"})
		return
	}
	go func() { // a caller who leaves ends what it asked for; closing conn ends this
		_, _ = in.ReadByte()
		cancel()
	}()
	_ = out.Encode(d.do(ctx, r, out)) // a caller who has left cannot be told
}

// do runs one verb and returns the closing line.
func (d *Door) do(ctx context.Context, r request, out *json.Encoder) answer {
	verb, ok := d.Verbs[r.Verb]
	if !ok {
		return answer{End: true, Error: fmt.Sprintf("the running Solo does not know %q; is it an older version?", r.Verb)}
	}
	err := verb(ctx, r.Args, func(value any) error {
		text, err := json.Marshal(value)
		if err != nil {
			return err
		}
		return out.Encode(answer{Value: text})
	})
	if err != nil {
		return answer{End: true, Error: err.Error()}
	}
	return answer{End: true}
}

// readLine reads one line of JSON of at most maxRequest bytes.
func readLine(in *bufio.Reader, into any) error {
	var line []byte
	for {
		part, more, err := in.ReadLine()
		if err != nil {
			return err
		}
		if line = append(line, part...); len(line) > maxRequest {
			return errors.New("the line is too long")
		}
		if !more {
			return json.Unmarshal(line, into)
		}
	}
}
