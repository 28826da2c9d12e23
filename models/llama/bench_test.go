package llama

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/solo-assistant/solo/models"
)

const tokens = 128

// BenchmarkOverhead compares Solo's Stream with the barest call of the same server in the same run: a POST whose
// stream of events is thrown away. It reports the median reply of both, what Solo adds to one token and to a reply,
// and the processor's time that Solo's side takes for a token, bare reading included.
func BenchmarkOverhead(b *testing.B) {
	d := serve(b, build4k(b, config4k(b)))
	v := d.life()
	r := story("Once upon a time there was a fox")
	r.MaxTokens = tokens
	r.Stop = nil
	body := []byte(`{"model":"` + v.id + `","messages":[{"role":"system","content":"You tell stories."},{"role":"user","content":"Once upon a time there was a fox"}],` +
		`"max_tokens":128,"temperature":0,"stream":true,"stream_options":{"include_usage":true}}`)
	var solo, bare, first, firstBare []time.Duration
	pieces := 0
	var ours, theirs time.Duration
	for b.Loop() {
		for range 2 {
			began, cpu := time.Now(), spent()
			_, at := bareCall(b, v, body)
			bare, firstBare = append(bare, time.Since(began)), append(firstBare, at)
			theirs += spent() - cpu

			began, cpu = time.Now(), spent()
			n, at := soloCall(b, d.Server, r)
			solo, first = append(solo, time.Since(began)), append(first, at)
			ours += spent() - cpu
			pieces += n
		}
	}
	per := float64(pieces) / float64(len(solo))
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	b.ReportMetric(ms(median(solo)), "solo-ms/reply")
	b.ReportMetric(ms(median(bare)), "bare-ms/reply")
	b.ReportMetric(float64(median(solo))/float64(median(bare)), "ratio")
	b.ReportMetric(ms(median(first)), "solo-ms/first")
	b.ReportMetric(ms(median(firstBare)), "bare-ms/first")
	b.ReportMetric(float64((median(solo)-median(bare)).Nanoseconds())/per/1000, "added-us/token")
	b.ReportMetric(float64(ours.Nanoseconds())/float64(pieces)/1000, "cpu-us/token")
	b.ReportMetric(float64((ours-theirs).Nanoseconds())/float64(pieces)/1000, "addedcpu-us/token")
	b.ReportMetric(float64(theirs.Nanoseconds())/float64(pieces)/1000, "barecpu-us/token")
	b.ReportMetric(per, "tokens/reply")
}

func median(d []time.Duration) time.Duration {
	slices.Sort(d)
	return d[len(d)/2]
}

// bareCall reads a reply without understanding it; at is when its first event came.
func bareCall(b *testing.B, v *life, body []byte) (n int64, at time.Duration) {
	began := time.Now()
	req, err := http.NewRequestWithContext(b.Context(), http.MethodPost, v.url("/v1/chat/completions"), bytes.NewReader(body))
	if err != nil {
		b.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+v.key)
	req.Header.Set("Content-Type", "application/json")
	reply, err := plainClient.Do(req)
	if err != nil {
		b.Fatal(err)
	}
	defer reply.Body.Close()
	buffer := make([]byte, 16<<10)
	for {
		got, err := reply.Body.Read(buffer)
		if n += int64(got); at == 0 && got > 0 {
			at = time.Since(began)
		}
		if errors.Is(err, io.EOF) {
			return n, at
		}
		if err != nil || reply.StatusCode != http.StatusOK {
			b.Fatal(reply.Status, err)
		}
	}
}

func soloCall(b *testing.B, s *Server, r models.Request) (n int, at time.Duration) {
	began := time.Now()
	for delta, err := range s.Stream(b.Context(), r) {
		if err != nil {
			b.Fatal(err)
		}
		if at == 0 && delta.Text != "" {
			at = time.Since(began)
		}
		if delta.Usage != nil {
			n = delta.Usage.Generated
		}
	}
	if n == 0 {
		b.Fatal("an empty reply")
	}
	return n, at
}

// BenchmarkRestart is the time from kill -9 to readiness.
func BenchmarkRestart(b *testing.B) {
	if runtime.GOOS != "linux" {
		b.Skip("skipped: made for Linux")
	}
	d := serve(b, build4k(b, config4k(b)))
	var back []time.Duration
	for n := 2; b.Loop(); n++ {
		killed := time.Now()
		d.kill(b)
		back = append(back, d.waitUp(b, n).Sub(killed))
		if len(back) < 20 {
			time.Sleep(2100 * time.Millisecond) // steady again, as between crashes that are not a flapping
		}
	}
	b.ReportMetric(float64(median(back).Microseconds())/1000, "ms/restart")
	b.ReportMetric(float64(back[len(back)-1].Microseconds())/1000, "worst-ms/restart")
}
