package web

import (
	"bytes"
	"context"
	"encoding/binary"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/solo-assistant/solo/audio"
)

// V1Speech asks for speech.
type V1Speech struct {
	Model  string  `json:"model,omitempty"`
	Input  string  `json:"input" jsonschema:"what is said, up to 4096 letters"`
	Voice  string  `json:"voice,omitempty"`
	Format string  `json:"response_format,omitempty" jsonschema:"wav, flac, pcm (16 bit, 24 kHz, mono), and with ffmpeg mp3, opus or aac; mp3 where none is named, or wav where that cannot be made"`
	Speed  float64 `json:"speed,omitempty" jsonschema:"0.5 to 3; 1 is the voice's own pace"`
}

const (
	longestSpeech = 4096  // letters
	pcmRate       = 24000 // Hz, as the OpenAI API says
)

func (d *Door) speechRoutes() []route {
	return []route{{method: http.MethodPost, path: "/v1/audio/speech", does: "says a text, as the OpenAI API does", in: reflect.TypeFor[V1Speech](), gives: slices.Sorted(maps.Values(sounds)), handle: d.v1Speech}}
}

func (d *Door) v1Speech(c *fiber.Ctx) error {
	if err := unless(d.c.Voice != nil, "voice"); err != nil {
		return err
	}
	in, err := read[V1Speech](c, false)
	if err != nil {
		return err
	}
	switch {
	case strings.TrimSpace(in.Input) == "" || len([]rune(in.Input)) > longestSpeech:
		return invalid("input must be 1 to %d letters.", longestSpeech)
	case in.Format != "" && sounds[in.Format] == "":
		return invalid("response_format must be mp3, opus, aac, flac, wav or pcm.")
	case in.Speed != 0 && (in.Speed < 0.5 || in.Speed > 3):
		return invalid("speed must be 0.5 to 3.")
	}
	if err := d.begin(); err != nil {
		return err
	}
	defer d.asks.give()
	ctx, cancel := context.WithTimeout(c.UserContext(), d.c.Patience)
	defer cancel()
	if in.Speed == 0 {
		in.Speed = 1
	}
	clip, err := d.c.Voice.Speak(ctx, in.Input, in.Voice, in.Speed)
	if err != nil {
		return lateOr(ctx, err)
	}
	sound, kind, err := packedAs(ctx, clip, in.Format)
	if err != nil {
		return err
	}
	c.Set(fiber.HeaderContentType, kind)
	return c.Send(sound)
}

// mono takes the mean of the channels.
func mono(c audio.Clip) []int16 {
	if c.Format.Channels <= 1 {
		return c.PCM
	}
	out := make([]int16, len(c.PCM)/c.Format.Channels)
	for i := range out {
		sum := 0
		for k := range c.Format.Channels {
			sum += int(c.PCM[i*c.Format.Channels+k])
		}
		out[i] = int16(sum / c.Format.Channels)
	}
	return out
}

func little(pcm []int16) []byte {
	out := make([]byte, 0, 2*len(pcm))
	for _, s := range pcm {
		out = binary.LittleEndian.AppendUint16(out, uint16(s))
	}
	return out
}

// wav writes a clip as a WAV file of 16-bit samples.
func wav(c audio.Clip) []byte {
	data := little(c.PCM)
	channels := max(c.Format.Channels, 1)
	var b bytes.Buffer
	b.WriteString("RIFF")
	_ = binary.Write(&b, binary.LittleEndian, uint32(36+len(data))) // a Buffer takes everything
	b.WriteString("WAVEfmt ")
	_ = binary.Write(&b, binary.LittleEndian, struct {
		Size           uint32
		Kind, Channels uint16
		Rate, PerSec   uint32
		Block, Bits    uint16
	}{16, 1, uint16(channels), uint32(c.Format.Rate), uint32(c.Format.Rate * channels * 2), uint16(channels * 2), 16})
	b.WriteString("data")
	_ = binary.Write(&b, binary.LittleEndian, uint32(len(data)))
	b.Write(data)
	return b.Bytes()
}
