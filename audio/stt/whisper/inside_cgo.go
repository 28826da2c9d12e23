//go:build whisper && cgo

package whisper

/*
// The binding names the libraries too; static ones need them again behind it, in this order.
#cgo LDFLAGS: -lwhisper -lggml -lggml-cpu -lggml-base -lm -lstdc++
#cgo linux LDFLAGS: -fopenmp
#include <stdlib.h>
#include <string.h>
#include <ggml-backend.h>
#include <whisper.h>

static struct whisper_context * solo_load(const char * path, bool gpu, int device) {
	struct whisper_context_params p = whisper_context_default_params();
	p.use_gpu = gpu;
	p.gpu_device = device;
	return whisper_init_from_file_with_params(path, p);
}

static bool solo_abort(void * flag) { return __atomic_load_n((int *)flag, __ATOMIC_RELAXED) != 0; }
static void solo_stop(int * flag) { __atomic_store_n(flag, 1, __ATOMIC_RELAXED); }

static void solo_params(struct whisper_full_params * p, const char * prompt, const char * language, float no_speech, int * flag) {
	p->print_progress = p->print_realtime = p->print_special = p->print_timestamps = false;
	p->no_context = true;
	p->suppress_nst = true;
	p->token_timestamps = true;
	p->temperature = 0;
	p->no_speech_thold = no_speech;
	p->initial_prompt = prompt;
	p->language = language;
	p->detect_language = false;
	p->abort_callback = solo_abort;
	p->abort_callback_user_data = flag;
}

static void solo_quiet(enum ggml_log_level level, const char * text, void * data) { (void)level; (void)text; (void)data; }
static void solo_silence(void) { whisper_log_set(solo_quiet, NULL); }
*/
import "C"

import (
	"context"
	"fmt"
	"math"
	"strings"
	"sync"
	"time"
	"unsafe"

	binding "github.com/ggerganov/whisper.cpp/bindings/go"

	"github.com/solo-assistant/solo/audio"
)

const builtIn = true

// backends are loaded once: Debian has those of the processor as plugins, and without them the library ends the program.
var loadBackends = sync.OnceFunc(func() {
	C.solo_silence()
	C.ggml_backend_load_all()
})

// full is held while a model reads: the binding keeps callbacks in maps that all models share.
var full sync.Mutex

// loaded is a model in memory.
type loaded struct{ ctx *binding.Context }

func loadModel(path string, gpu bool, device int) (*loaded, error) {
	loadBackends()
	name := C.CString(path)
	defer C.free(unsafe.Pointer(name))
	ctx := C.solo_load(name, C.bool(gpu), C.int(device))
	if ctx == nil {
		return nil, fmt.Errorf("whisper.cpp cannot load %s: it is damaged, or there is too little memory; solo models verify tells", path)
	}
	return &loaded{(*binding.Context)(unsafe.Pointer(ctx))}, nil
}

func (m *loaded) free() { m.ctx.Whisper_free() }

// read decodes some sound; it ends soon after ctx.
func (m *loaded) read(ctx context.Context, c Config, pcm []int16, prompt string) (reading, error) {
	strategy := binding.SAMPLING_GREEDY
	if c.Beam > 1 {
		strategy = binding.SAMPLING_BEAM_SEARCH
	}
	p := m.ctx.Whisper_full_default_params(strategy)
	p.SetThreads(c.threads())
	p.SetTranslate(c.Translate)
	p.SetAudioCtx(span(len(pcm)))
	if c.Beam > 1 {
		p.SetBeamSize(c.Beam)
	}
	flag := (*C.int)(C.calloc(1, C.size_t(unsafe.Sizeof(C.int(0)))))
	defer C.free(unsafe.Pointer(flag))
	words, language := C.CString(prompt), C.CString(m.tongue(c))
	defer C.free(unsafe.Pointer(words))
	defer C.free(unsafe.Pointer(language))
	C.solo_params((*C.struct_whisper_full_params)(unsafe.Pointer(&p)), words, language, C.float(c.NoSpeech), flag)
	full.Lock()
	defer full.Unlock()
	stopped := make(chan struct{})
	stop := context.AfterFunc(ctx, func() { C.solo_stop(flag); close(stopped) })
	err := m.ctx.Whisper_full(p, floats(pcm), nil, nil, nil)
	if !stop() {
		<-stopped // before the flag is freed
	}
	if err != nil {
		return reading{}, fmt.Errorf("whisper.cpp could not decode: %w", err)
	}
	return m.result(audio.Time(int64(len(pcm)), audio.Rate)), nil
}

// tongue is the language to be heard; a model of English alone knows no other.
func (m *loaded) tongue(c Config) string {
	if m.ctx.Whisper_is_multilingual() == 0 {
		return "en"
	}
	return c.Language
}

// result are the segments of the last decoding.
func (m *loaded) result(long time.Duration) reading {
	ctx := (*C.struct_whisper_context)(unsafe.Pointer(m.ctx))
	r := reading{language: C.GoString(C.whisper_lang_str_full(C.whisper_full_lang_id(ctx)))}
	for i := range m.ctx.Whisper_full_n_segments() {
		s := segment{
			text:  strings.TrimSpace(tidy(m.ctx.Whisper_full_get_segment_text(i))),
			start: at(float64(m.ctx.Whisper_full_get_segment_t0(i))/100, long), end: at(float64(m.ctx.Whisper_full_get_segment_t1(i))/100, long),
			silent: chance(float64(C.whisper_full_get_segment_no_speech_prob(ctx, C.int(i)))),
		}
		sum, n := 0.0, 0
		for k := range m.ctx.Whisper_full_n_tokens(i) {
			if m.ctx.Whisper_full_get_token_id(i, k) >= m.ctx.Whisper_token_eot() {
				continue // a mark
			}
			d := m.ctx.Whisper_full_get_token_data(i, k)
			s.token(tidy(m.ctx.Whisper_full_get_token_text(i, k)), at(float64(d.T0())/100, long), at(float64(d.T1())/100, long))
			sum, n = sum+math.Log(max(float64(m.ctx.Whisper_full_get_token_p(i, k)), 1e-9)), n+1
		}
		if n > 0 {
			s.sure = chance(math.Exp(sum / float64(n)))
		}
		if s.text != "" {
			r.segments = append(r.segments, s)
		}
	}
	return r
}

// floats are samples as the model takes them, -1 to 1, at least a tenth of a second of them: it refuses fewer.
func floats(pcm []int16) []float32 {
	out := make([]float32, max(len(pcm), audio.Rate/10))
	for i, v := range pcm {
		out[i] = float32(v) / 32768
	}
	return out
}
