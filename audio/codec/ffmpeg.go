package codec

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/solo-assistant/solo/audio"
)

// ffmpegDecoder reads what ffmpeg writes.
type ffmpegDecoder struct {
	cmd    *exec.Cmd
	stop   context.CancelFunc
	out    *bufio.Reader
	said   *lastWords
	copied string // a file of our own, "" for none
	raw    []byte
	buf    []int16
	waited bool
}

// withFFmpeg decodes r, a container of the given kind, by ffmpeg. The kind is given, so that
// a hostile file can not pass for a playlist that opens other files.
func withFFmpeg(r io.ReadSeeker, container string) (opened, error) {
	path, err := exec.LookPath("ffmpeg")
	if err != nil {
		return opened{}, ErrNoFFmpeg
	}
	d := &ffmpegDecoder{said: &lastWords{}, raw: make([]byte, 16384)}
	name, err := d.onDisk(r)
	if err != nil {
		return opened{}, err
	}
	if err := d.start(path, name, container); err != nil {
		return opened{}, errors.Join(err, d.close())
	}
	if err := d.within(func() error { _, err := d.out.Peek(2); return err }); err != nil { // an empty answer means that it could not
		err = d.ended(err)
		if errors.Is(err, io.EOF) {
			err = errors.New("it holds no sound")
		}
		return opened{}, errors.Join(err, d.close())
	}
	return opened{decoder: d, format: audio.Mono16k, close: d.close}, nil
}

// onDisk is the name of a file with the content of r: MP4 is read to and fro, which a pipe can not.
func (d *ffmpegDecoder) onDisk(r io.ReadSeeker) (string, error) {
	if f, ok := r.(*os.File); ok {
		return f.Name(), nil
	}
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return "", fmt.Errorf("reading sound file: %w", err)
	}
	f, err := os.CreateTemp("", "solo-sound-*")
	if err != nil {
		return "", fmt.Errorf("copying sound file for ffmpeg: %w", err)
	}
	d.copied = f.Name()
	_, err = io.Copy(f, r)
	if err = errors.Join(err, f.Close()); err != nil {
		return "", errors.Join(fmt.Errorf("copying sound file for ffmpeg: %w", err), os.Remove(d.copied))
	}
	return d.copied, nil
}

func (d *ffmpegDecoder) start(path, name, container string) error {
	ctx, stop := context.WithCancel(context.Background()) // ended by close
	d.stop = stop
	d.cmd = exec.CommandContext(ctx, path, "-v", "error", "-nostdin", "-protocol_whitelist", "file,pipe",
		"-f", container, "-i", "file:"+name, "-vn", "-sn", "-f", "s16le", "-ac", "1", "-ar", fmt.Sprint(audio.Rate), "pipe:1")
	d.cmd.Stderr = d.said
	out, err := d.cmd.StdoutPipe()
	if err != nil {
		return fmt.Errorf("starting ffmpeg: %w", err)
	}
	d.out = bufio.NewReaderSize(out, 1<<15)
	if err := d.cmd.Start(); err != nil {
		d.waited = true
		return fmt.Errorf("starting ffmpeg: %w", err)
	}
	return nil
}

// stillness is how long ffmpeg may give nothing: a hostile file may keep it busy for ever.
var stillness = 30 * time.Second

// within reads, and ends ffmpeg where it gives nothing for too long.
func (d *ffmpegDecoder) within(read func() error) error {
	t := time.AfterFunc(stillness, d.stop)
	defer t.Stop()
	return read()
}

func (d *ffmpegDecoder) next() ([]int16, error) {
	n := 0
	err := d.within(func() (err error) { n, err = io.ReadFull(d.out, d.raw); return err })
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	d.buf = d.buf[:0]
	for b := d.raw[:n&^1]; len(b) > 0; b = b[2:] {
		d.buf = append(d.buf, int16(binary.LittleEndian.Uint16(b)))
	}
	if err != nil {
		err = d.ended(err)
	}
	return d.buf, err
}

// ended asks ffmpeg how it went.
func (d *ffmpegDecoder) ended(err error) error {
	if !errors.Is(err, io.EOF) {
		return fmt.Errorf("reading from ffmpeg: %w", err)
	}
	d.waited = true
	if err := d.cmd.Wait(); err != nil || d.said.line() != "" {
		return fmt.Errorf("ffmpeg: %s", cmp.Or(d.said.line(), "it failed"))
	}
	return io.EOF
}

func (d *ffmpegDecoder) close() error {
	if d.stop != nil {
		d.stop()
		if !d.waited {
			d.waited = true
			_ = d.cmd.Wait() // it was just killed
		}
	}
	if d.copied == "" {
		return nil
	}
	return os.Remove(d.copied)
}

// lastWords keeps the end of what a program said.
type lastWords struct{ buf bytes.Buffer }

func (l *lastWords) Write(b []byte) (int, error) {
	l.buf.Write(b)
	if over := l.buf.Len() - 2048; over > 0 {
		l.buf.Next(over)
	}
	return len(b), nil
}

func (l *lastWords) line() string {
	lines := strings.Split(strings.TrimSpace(l.buf.String()), "\n")
	return lines[len(lines)-1]
}
