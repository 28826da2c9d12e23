package web

import (
	"bytes"
	"context"
	"crypto/md5"
	"errors"
	"fmt"
	"net/http"
	"os/exec"
	"strconv"
	"time"

	"github.com/mewkiz/flac"
	"github.com/mewkiz/flac/frame"
	"github.com/mewkiz/flac/meta"

	"github.com/solo-assistant/solo/audio"
	"github.com/solo-assistant/solo/core/proc"
)

// sounds are the forms of speech that the OpenAI API names, with their media types.
var sounds = map[string]string{"wav": "audio/wav", "pcm": "audio/pcm", "flac": "audio/flac", "mp3": "audio/mpeg", "opus": "audio/ogg", "aac": "audio/aac"}

// packer is a program that packs sound: raw 16-bit samples of one channel in, a file out.
type packer struct {
	program string
	args    func(rate int) []string
}

// byFFmpeg reads nothing but its own input, and writes nothing but its own output.
func byFFmpeg(form ...string) packer {
	return packer{"ffmpeg", func(rate int) []string {
		args := []string{"-v", "error", "-nostdin", "-protocol_whitelist", "pipe", "-f", "s16le", "-ac", "1", "-ar", strconv.Itoa(rate), "-i", "pipe:0", "-map_metadata", "-1"}
		return append(append(args, form...), "pipe:1")
	}}
}

// packers are the programs for each form, the best first. The forms that are not here are made without any.
var packers = map[string][]packer{
	"mp3": {byFFmpeg("-c:a", "libmp3lame", "-b:a", "64k", "-f", "mp3"), {"lame", func(rate int) []string {
		return []string{"--quiet", "-r", "-s", fmt.Sprint(float64(rate) / 1000), "--bitwidth", "16", "--signed", "--little-endian", "-m", "m", "-b", "64", "-", "-"}
	}}},
	"opus": {byFFmpeg("-c:a", "libopus", "-b:a", "32k", "-f", "ogg")},
	"aac":  {byFFmpeg("-c:a", "aac", "-b:a", "64k", "-f", "adts")},
}

// packWithin is the longest that a program may take.
const packWithin = time.Minute

// errNoPacker says that the program for a form is missing, or cannot make it.
var errNoPacker = errors.New("nothing here makes this form of sound")

// packedAs writes a clip in a form. Where nobody asked for one it is MP3, as with the OpenAI API, or WAV where nothing makes
// that.
func packedAs(ctx context.Context, c audio.Clip, form string) (sound []byte, kind string, err error) {
	if c.Format.Rate == 0 { // nothing was said
		c = audio.Clip{Format: audio.Mono16k}
	}
	one := audio.Clip{Format: audio.Format{Rate: c.Format.Rate, Channels: 1}, PCM: mono(c)}
	switch form {
	case "":
		sound, err = pack(ctx, one, "mp3")
		if form = "mp3"; errors.Is(err, errNoPacker) {
			sound, err, form = wav(one), nil, "wav"
		}
	case "wav":
		sound = wav(one)
	case "pcm":
		sound = little(audio.Resample(one.PCM, one.Format.Rate, pcmRate))
	case "flac":
		sound, err = lossless(one)
	default:
		sound, err = pack(ctx, one, form)
	}
	if errors.Is(err, errNoPacker) {
		return nil, "", fault(http.StatusUnsupportedMediaType, "no_encoder", installs(form), "Solo cannot make %s here.", form)
	}
	return sound, sounds[form], err
}

func installs(form string) string {
	hint := "install ffmpeg, or ask for wav, flac or pcm"
	if form == "mp3" {
		hint = "install ffmpeg or lame, or ask for wav, flac or pcm"
	}
	return hint
}

// pack has a program make a form. Of several the first that can is taken.
func pack(ctx context.Context, c audio.Clip, form string) ([]byte, error) {
	why := errNoPacker
	for _, p := range packers[form] {
		path, err := exec.LookPath(p.program)
		if err != nil {
			continue
		}
		out, err := proc.Run(ctx, proc.Command{Path: path, Args: p.args(c.Format.Rate), Stdin: string(little(c.PCM)), Limit: packWithin})
		if err == nil {
			return out, nil
		}
		if ctx.Err() != nil {
			return nil, lateOr(ctx, err)
		}
		why = fmt.Errorf("%w: %w", errNoPacker, err) // an ffmpeg without this encoder
	}
	return nil, why
}

// flacBlock is how many samples a frame of FLAC holds; only the last may hold fewer.
const flacBlock = 4096

// lossless writes FLAC.
func lossless(c audio.Clip) ([]byte, error) {
	info := &meta.StreamInfo{BlockSizeMin: flacBlock, BlockSizeMax: flacBlock, SampleRate: uint32(c.Format.Rate), NChannels: 1, BitsPerSample: 16,
		NSamples: uint64(len(c.PCM)), MD5sum: md5.Sum(little(c.PCM))}
	var b bytes.Buffer
	enc, err := flac.NewEncoder(&b, info)
	if err != nil {
		return nil, fmt.Errorf("write FLAC: %w", err)
	}
	for pcm := c.PCM; len(pcm) > 0; {
		n := min(len(pcm), flacBlock)
		if err := enc.WriteFrame(flacFrame(pcm[:n], c.Format.Rate)); err != nil {
			return nil, fmt.Errorf("write FLAC: %w", err)
		}
		pcm = pcm[n:]
	}
	if err := enc.Close(); err != nil {
		return nil, fmt.Errorf("write FLAC: %w", err)
	}
	return b.Bytes(), nil
}

func flacFrame(pcm []int16, rate int) *frame.Frame {
	samples := make([]int32, len(pcm))
	for i, s := range pcm {
		samples[i] = int32(s)
	}
	return &frame.Frame{
		Header: frame.Header{HasFixedBlockSize: true, BlockSize: uint16(len(pcm)), SampleRate: uint32(rate), Channels: frame.ChannelsMono, BitsPerSample: 16},
		// The encoder finds the prediction for what is marked as verbatim.
		Subframes: []*frame.Subframe{{SubHeader: frame.SubHeader{Pred: frame.PredVerbatim}, Samples: samples, NSamples: len(samples)}},
	}
}
