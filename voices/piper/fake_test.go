package piper

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/solo-assistant/solo/audio"
)

// TestMain also plays Piper: linked as DIR/piper, the test binary behaves as DIR's name says, such as "mit" or
// "python,chatter". See newFake.
func TestMain(m *testing.M) {
	if base := filepath.Base(os.Args[0]); base == "piper" || base == "python3" {
		os.Exit(fake(strings.Split(filepath.Base(filepath.Dir(os.Args[0])), ","), os.Args[1:]))
	}
	os.Setenv("GORACE", "atexit_sleep_ms=0") // the race detector makes every program that ends wait a second
	goleak.VerifyTestMain(m)
}

// newFake makes a program of that behaviour: the build first, then what is odd about it.
func newFake(t testing.TB, behaviour, name string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), behaviour)
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err == nil {
		err = os.Symlink(self, filepath.Join(dir, name))
	}
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, name)
}

var helps = map[string]string{
	"mit":    "usage: piper [options]\n  -m FILE --model FILE\n  -f FILE --output_file FILE\n  -d DIR --output_dir DIR\n  --output_raw\n  -s NUM --speaker NUM\n  --sentence_silence NUM\n  --json-input\n  --use-cuda\n",
	"gpl":    "usage: piper [options]\n  -m FILE --model FILE\n  -f FILE --output_file FILE\n  -d DIR --output_dir DIR\n  -s NUM --speaker NUM\n  --data_dir DIR\n  --json-input\n",
	"python": "usage: piper [-h] -m MODEL [-f OUTPUT_FILE] [-d OUTPUT_DIR]\n  -m, --model MODEL\n  -d, --output-dir, --output_dir\n  --output-dir-naming {timestamp,text}\n  -s, --speaker SPEAKER\n  --cuda\n  --sentence-silence\n  --data-dir\n",
	"mice":   "Usage:\n  piper [OPTION...]\n\nApplication Options:\n  --display=DISPLAY   X display to use\n",
	"loud":   "usage: --model --speaker " + strings.Repeat("x", 400) + "\n",
}

// speaking is one program at work.
type speaking struct {
	behaviour []string
	args      []string
	n         int // lines so far
}

func (s *speaking) is(what string) bool { return slices.Contains(s.behaviour, what) }

// counted is the number of a behaviour such as "crash3", 0 where there is none.
func (s *speaking) counted(what string) (n int) {
	for _, b := range s.behaviour {
		if digits, ok := strings.CutPrefix(b, what); ok {
			n, _ = strconv.Atoi(digits)
		}
	}
	return n
}

func (s *speaking) arg(name string) string {
	if i := slices.Index(s.args, name); i >= 0 && i+1 < len(s.args) {
		return s.args[i+1]
	}
	return ""
}

func fake(behaviour, args []string) int {
	s := &speaking{behaviour: behaviour, args: args}
	switch {
	case slices.Contains(args, "--help"):
		fmt.Fprint(os.Stderr, helps[behaviour[0]])
		return 0
	case slices.Contains(args, "--version"):
		fmt.Println("1.7.0")
		return 0
	case s.is("broken"):
		fmt.Fprintln(os.Stderr, "terminate called: no such model")
		return 1
	}
	if _, err := os.Stat(s.arg("--model")); err != nil {
		fmt.Fprintln(os.Stderr, "Model file doesn't exist")
		return 1
	}
	if s.is("late") {
		time.Sleep(300 * time.Millisecond)
	}
	if s.is("chatter") {
		for i := range 3000 {
			fmt.Fprintf(os.Stderr, "Schema error %d: already registered in a.wav\n", i)
		}
	}
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		if text := strings.TrimSpace(in.Text()); text != "" || behaviour[0] == "mit" {
			if code := s.line(text); code >= 0 {
				return code
			}
		}
	}
	return 0
}

// line speaks one line; a code of 0 or more ends the program.
func (s *speaking) line(text string) int {
	s.n++
	switch {
	case s.is("hang") || strings.Contains(text, "please hang"):
		time.Sleep(time.Minute)
	case s.counted("crash") == s.n, strings.Contains(text, "please die"):
		fmt.Fprintln(os.Stderr, "Segmentation fault")
		return 139
	case strings.Contains(text, "take your time"):
		time.Sleep(400 * time.Millisecond)
	}
	wav := s.wav(s.sound(text))
	if s.behaviour[0] == "mit" && s.arg("--output_dir") == "" {
		return s.onStdout(wav)
	}
	return s.intoFolder(wav)
}

func (s *speaking) onStdout(wav []byte) int {
	switch {
	case s.is("words"):
		fmt.Print("[info] hello from stdout\n")
	case s.is("nosize"):
		binary.LittleEndian.PutUint32(wav[40:], 0x7ffff000)
	case s.is("half"):
		wav = wav[:len(wav)/2]
	case s.is("junk"):
		wav = []byte(strings.Repeat("junk", 5000))
	case s.is("split"):
		for part := range slices.Chunk(wav[:min(len(wav), 300)], 7) {
			os.Stdout.Write(part)
			time.Sleep(time.Millisecond)
		}
		wav = wav[min(len(wav), 300):]
	}
	os.Stdout.Write(wav)
	if s.is("half") {
		return 1
	}
	if s.is("more") {
		fmt.Print("and some more\n")
	}
	return -1
}

func (s *speaking) intoFolder(wav []byte) int {
	path := filepath.Join(s.arg("--output_dir"), fmt.Sprintf("%d.wav", time.Now().UnixNano()))
	if s.is("early") { // the path is told before the file is whole
		os.WriteFile(path, wav[:100], 0o600)
		fmt.Println(path)
		time.Sleep(30 * time.Millisecond)
	}
	if s.is("nothing") {
		wav = nil
	}
	os.WriteFile(path, wav, 0o600)
	switch {
	case s.is("early"):
	case s.is("elsewhere"):
		fmt.Println("/etc/passwd.wav")
		fmt.Println(path)
	case s.behaviour[0] == "python":
		fmt.Fprintln(os.Stderr, "INFO:__main__:Wrote "+path)
	default:
		fmt.Println(path)
	}
	return -1
}

// sound is flite's where it is there, else tones as long as the text.
func (s *speaking) sound(text string) []int16 {
	stretch := 1.0
	if v := s.arg("--length_scale"); v != "" {
		stretch, _ = strconv.ParseFloat(v, 64)
	}
	if flite, err := exec.LookPath("flite"); err == nil && s.is("flite") {
		cmd := exec.Command(flite, "-voice", "slt", "--setf", fmt.Sprintf("duration_stretch=%.2f", stretch), "-t", text, "-o", "/dev/stdout")
		out, err := cmd.StdoutPipe()
		if err == nil && cmd.Start() == nil {
			clip, _ := audio.ReadWAV(out)
			io.Copy(io.Discard, out)
			if cmd.Wait() == nil {
				return clip.PCM
			}
		}
	}
	pcm := make([]int16, int(float64(len(text))*1000*stretch))
	pitch := 200.0
	if v := s.arg("--speaker"); v != "" {
		n, _ := strconv.Atoi(v)
		pitch += float64(100 * n)
	}
	for i := range pcm {
		pcm[i] = int16(8000 * math.Sin(2*math.Pi*pitch*float64(i)/16000))
	}
	return pcm
}

// wav is sound as the build writes it: the C++ one of piper1-gpl knows no length and writes floats.
func (s *speaking) wav(pcm []int16) []byte {
	size, kind, width := uint32(2*len(pcm)), uint16(1), uint16(2)
	if s.behaviour[0] == "gpl" {
		size, kind, width = 0x7ffff000, 3, 4
	}
	le := binary.LittleEndian
	b := append([]byte("RIFF"), le.AppendUint32(nil, size+36)...)
	b = append(b, "WAVEfmt "...)
	b = le.AppendUint32(b, 16)
	b = le.AppendUint16(b, kind)
	b = le.AppendUint16(b, 1)
	b = le.AppendUint32(b, 16000)
	b = le.AppendUint32(b, 16000*uint32(width))
	b = le.AppendUint16(b, width)
	b = le.AppendUint16(b, 8*width)
	b = append(b, "data"...)
	b = le.AppendUint32(b, size)
	for _, x := range pcm {
		if kind == 3 {
			b = le.AppendUint32(b, math.Float32bits(float32(x)/32768))
		} else {
			b = le.AppendUint16(b, uint16(x))
		}
	}
	return b
}

func newReader(b []byte) *bufio.Reader { return bufio.NewReader(strings.NewReader(string(b))) }
