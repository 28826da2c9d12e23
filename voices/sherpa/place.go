package sherpa

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// place is a voice's folder, looked into.
type place struct {
	name, dir, model string
	kokoro           bool
	rate, speakers   int
	lang             string
}

// wanted is what the library ends the program for the lack of, by the kind of voice.
var wanted = map[bool][]string{
	false: {"sample_rate", "n_speakers", "comment", "language"},
	true:  {"sample_rate", "n_speakers", "version", "has_espeak", "style_dim"},
}

// look finds out what voice a folder holds, and what is wrong with it.
func look(dir string) (place, error) {
	p := place{name: filepath.Base(dir), dir: dir}
	fail := func(format string, args ...any) (place, error) {
		return place{}, fmt.Errorf("the voice %s %s", p.name, fmt.Sprintf(format, args...))
	}
	models, _ := filepath.Glob(filepath.Join(escaped(dir), "*.onnx")) // the pattern is well formed
	if len(models) != 1 {
		return fail("has %d models (.onnx), want one", len(models))
	}
	p.model = models[0]
	if _, err := os.Stat(filepath.Join(dir, "voices.bin")); err == nil {
		p.kokoro = true
	}
	for _, file := range []string{"phontab", "phonindex", "phondata", "intonations"} {
		if _, err := os.Stat(filepath.Join(dir, "espeak-ng-data", file)); err != nil {
			return fail("lacks espeak-ng-data/%s; unpack the whole archive", file)
		}
	}
	if err := tokens(filepath.Join(dir, "tokens.txt")); err != nil {
		return fail("has a broken tokens.txt: %v", err)
	}
	meta, err := metadata(p.model)
	if err != nil {
		return fail("has a broken model: %v", err)
	}
	for _, key := range wanted[p.kokoro] {
		if _, ok := meta[key]; !ok {
			return fail("is not made for sherpa-onnx: its model does not say its %s; take the voice from sherpa-onnx's releases", key)
		}
	}
	p.rate, p.speakers = atoi(meta["sample_rate"]), atoi(meta["n_speakers"])
	if p.rate < 8000 || p.rate > 48000 || p.speakers < 1 || p.speakers > 10000 {
		return fail("says that it has %s speakers at %s Hz", meta["n_speakers"], meta["sample_rate"])
	}
	p.lang = language(p.name, meta)
	return p, nil
}

func atoi(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return -1
	}
	return n
}

// language is a voice's, such as "en-US", by its name where the model says it in a word.
func language(name string, meta map[string]string) string {
	for part := range strings.SplitSeq(name, "-") {
		if l, country, ok := strings.Cut(part, "_"); ok && len(l) == 2 && len(country) == 2 && !strings.ContainsAny(part, "0123456789") {
			return l + "-" + country
		}
	}
	if v, _, _ := strings.Cut(meta["voice"], "-"); len(v) == 2 {
		return v
	}
	return "en"
}

// tokens looks at each line: a token, a space, its number.
func tokens(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	n := 0
	for s := bufio.NewScanner(io.LimitReader(f, 4<<20)); s.Scan(); n++ {
		fields := strings.Fields(s.Text())
		if len(fields) == 0 || len(fields) > 2 || atoi(fields[len(fields)-1]) < 0 {
			return fmt.Errorf("line %d is %.40q", n+1, s.Text())
		}
	}
	if n == 0 {
		return errors.New("it is empty")
	}
	return nil
}

// metadata are the words that an ONNX file has about itself (ModelProto.metadata_props, field 14). The weights, which may
// be hundreds of megabytes, are skipped.
func metadata(path string) (map[string]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	r, out := bufio.NewReader(f), map[string]string{}
	read := int64(0)
	number := func() (uint64, error) {
		v, err := binary.ReadUvarint(r)
		read += int64(len(binary.AppendUvarint(nil, v)))
		return v, err
	}
	for graph := false; ; {
		key, err := number()
		if errors.Is(err, io.EOF) {
			if !graph {
				return nil, errors.New("there is no graph in it")
			}
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		graph = graph || key>>3 == 7
		switch key & 7 {
		case 0:
			if _, err := number(); err != nil {
				return nil, err
			}
		case 2:
			n, err := number()
			if err != nil || n > uint64(info.Size()-read) {
				return nil, errors.New("it breaks off, or is no ONNX file")
			}
			read += int64(n)
			if key>>3 != 14 || n > 64<<10 {
				if _, err := r.Discard(int(n)); err != nil {
					return nil, err
				}
				continue
			}
			b := make([]byte, n)
			if _, err := io.ReadFull(r, b); err != nil {
				return nil, err
			}
			if k, v, ok := entry(b); ok {
				out[k] = v
			}
		default:
			return nil, errors.New("it is no ONNX file")
		}
	}
}

// entry is a StringStringEntryProto: key 1, value 2.
func entry(b []byte) (key, value string, ok bool) {
	for len(b) > 0 {
		tag, n := binary.Uvarint(b)
		if n <= 0 || tag&7 != 2 {
			return "", "", false
		}
		size, m := binary.Uvarint(b[n:])
		if m <= 0 || size > uint64(len(b)-n-m) {
			return "", "", false
		}
		text := string(b[n+m : n+m+int(size)])
		switch tag >> 3 {
		case 1:
			key = text
		case 2:
			value = text
		}
		b = slices.Clone(b[n+m+int(size):])
	}
	return key, value, key != ""
}
