// Package listentest makes the sound that tests of hearing need: recordings, synthesized speech, and
// mixes of both with noise at a known level.
package listentest

import (
	"bytes"
	"errors"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/jfreymuth/oggvorbis"
	"github.com/mewkiz/flac"
	"github.com/solo-assistant/solo/audio"
)

// Load reads a WAV, FLAC or Ogg/Vorbis file as Mono16k samples.
func Load(t testing.TB, path string) []int16 {
	t.Helper()
	read := loadWAV
	switch filepath.Ext(path) {
	case ".flac":
		read = loadFLAC
	case ".ogg":
		read = loadVorbis
	}
	clip, err := read(path)
	if err != nil {
		t.Fatalf("loading %s: %v", path, err)
	}
	return clip.Mono16k().PCM
}

// Files are those of dir that match pattern, in the order of their names.
func Files(t testing.TB, dir, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil || len(files) == 0 {
		t.Fatalf("no %s in %s (%v)", pattern, dir, err)
	}
	slices.Sort(files)
	return files
}

func loadWAV(path string) (audio.Clip, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return audio.Clip{}, err
	}
	return audio.ReadWAV(bytes.NewReader(b))
}

func loadFLAC(path string) (audio.Clip, error) {
	s, err := flac.ParseFile(path)
	if err != nil {
		return audio.Clip{}, err
	}
	defer s.Close()
	clip := audio.Clip{Format: audio.Format{Rate: int(s.Info.SampleRate), Channels: int(s.Info.NChannels)}}
	shift := int(s.Info.BitsPerSample) - 16
	for {
		f, err := s.ParseNext()
		if errors.Is(err, io.EOF) {
			return clip, nil
		}
		if err != nil {
			return clip, err
		}
		for i := range f.Subframes[0].NSamples {
			for _, sub := range f.Subframes {
				clip.PCM = append(clip.PCM, int16(sub.Samples[i]>>max(shift, 0)))
			}
		}
	}
}

func loadVorbis(path string) (audio.Clip, error) {
	f, err := os.Open(path)
	if err != nil {
		return audio.Clip{}, err
	}
	defer f.Close()
	samples, format, err := oggvorbis.ReadAll(f)
	if err != nil {
		return audio.Clip{}, err
	}
	clip := audio.Clip{Format: audio.Format{Rate: format.SampleRate, Channels: format.Channels}}
	for _, s := range samples {
		clip.PCM = append(clip.PCM, int16(32767*min(max(s, -1), 1)))
	}
	return clip, nil
}

var said sync.Map // "voice\x00text" -> []int16

// Say is text in one of flite's voices (slt, rms, awb, kal16), without the silence around it.
// A test is skipped where flite is not installed.
func Say(t testing.TB, voice, text string) []int16 {
	t.Helper()
	if pcm, ok := said.Load(voice + "\x00" + text); ok {
		return pcm.([]int16)
	}
	if _, err := exec.LookPath("flite"); err != nil {
		t.Skip("skipped: flite is not installed; apt install flite")
	}
	file := filepath.Join(t.TempDir(), "said.wav")
	if out, err := exec.Command("flite", "-voice", voice, "-t", text, "-o", file).CombinedOutput(); err != nil {
		t.Fatalf("flite: %v: %s", err, out)
	}
	pcm := Trim(Load(t, file))
	said.Store(voice+"\x00"+text, pcm)
	return pcm
}

// Phones is text in one of flite's voices, untrimmed, with the seconds at which the first phone called last
// ends and at which the sound behind it begins, pauses left out.
func Phones(t testing.TB, voice, text, last string) (pcm []int16, end, begin float64) {
	t.Helper()
	if _, err := exec.LookPath("flite"); err != nil {
		t.Skip("skipped: flite is not installed; apt install flite")
	}
	file := filepath.Join(t.TempDir(), "said.wav")
	out, err := exec.Command("flite", "-voice", voice, "-psdur", "-t", text, "-o", file).CombinedOutput()
	if err != nil {
		t.Fatalf("flite: %v: %s", err, out)
	}
	for _, p := range strings.Fields(string(out)) { // such as "jh:0.313", the second is its end
		phone, at, _ := strings.Cut(p, ":")
		sec, err := strconv.ParseFloat(at, 64)
		switch {
		case err != nil:
			t.Fatalf("flite told %q", p)
		case end == 0 && phone == last:
			end, begin = sec, sec
		case end > 0 && phone == "pau" && begin == end:
			begin = sec
		case end > 0:
			return Load(t, file), end, begin
		}
	}
	t.Fatalf("flite told no sound behind %q: %s", last, out)
	return nil, 0, 0
}

// Trim cuts the ends where 5 ms are more than 45 dB below the loudest.
func Trim(pcm []int16) []int16 {
	const step = audio.Rate / 200
	top := audio.Silence
	for i := 0; i+step <= len(pcm); i += step {
		top = max(top, audio.Level(pcm[i:i+step]))
	}
	first, last := len(pcm), 0
	for i := 0; i+step <= len(pcm); i += step {
		if audio.Level(pcm[i:i+step]) > max(top-45, -75) {
			first, last = min(first, i), i+step
		}
	}
	if last <= first {
		return nil
	}
	return pcm[first:last]
}

// Quiet is n milliseconds of digital silence.
func Quiet(ms int) []int16 { return make([]int16, ms*audio.Rate/1000) }

// Join puts pieces one after the other.
func Join(pieces ...[]int16) []int16 { return slices.Concat(pieces...) }

// Active is the level of the speech in pcm, in dBFS: the RMS of those 20 ms frames that are at most
// 25 dB below the loudest. Silence around or inside the speech does not lower it.
func Active(pcm []int16) float64 {
	var levels []float64
	top := audio.Silence
	for i := 0; i+audio.FrameLen <= len(pcm); i += audio.FrameLen {
		levels = append(levels, audio.Level(pcm[i:i+audio.FrameLen]))
		top = max(top, levels[len(levels)-1])
	}
	var sum, n float64
	for _, l := range levels {
		if l > top-25 {
			sum += math.Pow(10, l/10)
			n++
		}
	}
	if n == 0 {
		return audio.Silence
	}
	return 10 * math.Log10(sum/n)
}

// Mix adds noise to all of pcm, so that Active(speech) is snr dB above the noise's RMS. The noise begins
// at sample from of its recording and goes around.
func Mix(pcm, speech, noise []int16, snr float64, from int) []int16 {
	gain := math.Pow(10, (Active(speech)-snr-audio.Level(noise))/20)
	out := make([]int16, len(pcm))
	for i, s := range pcm {
		v := float64(s) + gain*float64(noise[(from+i)%len(noise)])
		out[i] = int16(math.Round(min(max(v, -32768), 32767)))
	}
	return out
}

// Scale changes the level of pcm by db.
func Scale(pcm []int16, db float64) []int16 {
	gain := math.Pow(10, db/20)
	out := make([]int16, len(pcm))
	for i, s := range pcm {
		out[i] = int16(math.Round(min(max(gain*float64(s), -32768), 32767)))
	}
	return out
}
