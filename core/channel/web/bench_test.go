package web_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"testing"
)

// BenchmarkStatus asks over one connection that stays open.
func BenchmarkStatus(b *testing.B) {
	h := stocked(b)
	conn, err := net.Dial("tcp", h.addr)
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Close()
	ask, in := "GET /status HTTP/1.1\r\nHost: "+h.addr+"\r\nAuthorization: Bearer "+h.token+"\r\n\r\n", bufio.NewReader(conn)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := io.WriteString(conn, ask); err != nil {
			b.Fatal(err)
		}
		resp, err := http.ReadResponse(in, nil)
		if err != nil || resp.StatusCode != 200 {
			b.Fatal(resp, err)
		}
		if _, err := io.Copy(io.Discard, resp.Body); err != nil {
			b.Fatal(err)
		}
	}
}
