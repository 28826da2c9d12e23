//go:build onnx && cgo

package smartturn

import (
	"errors"
	"fmt"
	"sync"

	ort "github.com/yalue/onnxruntime_go"
)

const builtIn = true

// environment is onnxruntime's, one for the whole program.
var environment struct {
	sync.Mutex
	begun bool
}

func begin(library string) error {
	environment.Lock()
	defer environment.Unlock()
	if environment.begun {
		return nil
	}
	ort.SetSharedLibraryPath(library)
	if err := ort.InitializeEnvironment(); err != nil {
		return fmt.Errorf("%w: %s does not work: %w", ErrAbsent, library, err)
	}
	environment.begun = true
	return nil
}

// session is a network in onnxruntime.
type session struct {
	s *ort.DynamicAdvancedSession
}

func open(library, model string, threads int) (network, error) {
	if err := begin(library); err != nil {
		return nil, err
	}
	in, out, err := ort.GetInputOutputInfo(model)
	if err != nil {
		return nil, fmt.Errorf("%s is no model, or is damaged: %w", model, err)
	}
	if err := fits(in, out); err != nil {
		return nil, fmt.Errorf("%s is another model: %w", model, err)
	}
	o, err := ort.NewSessionOptions()
	if err != nil {
		return nil, err
	}
	defer o.Destroy()
	if err := errors.Join(o.SetIntraOpNumThreads(threads), o.SetInterOpNumThreads(1)); err != nil {
		return nil, err
	}
	s, err := ort.NewDynamicAdvancedSession(model, []string{in[0].Name}, []string{out[0].Name}, o)
	if err != nil {
		return nil, err
	}
	return &session{s: s}, nil
}

// fits says what is wrong with a model's ends.
func fits(in, out []ort.InputOutputInfo) error {
	if len(in) != 1 || len(out) < 1 {
		return fmt.Errorf("it has %d inputs and %d outputs", len(in), len(out))
	}
	d := in[0].Dimensions
	if len(d) != 3 || d[1] > 0 && d[1] != bands || d[2] > 0 && d[2] != frames || in[0].DataType != ort.TensorElementDataTypeFloat {
		return fmt.Errorf("it takes %v, not a spectrogram of %d bands and %d frames", d, bands, frames)
	}
	return nil
}

func (s *session) run(mel []float32) (float32, error) {
	in, err := ort.NewTensor(ort.NewShape(1, bands, frames), mel)
	if err != nil {
		return 0, err
	}
	defer in.Destroy()
	out := []ort.Value{nil}
	if err := s.s.Run([]ort.Value{in}, out); err != nil {
		return 0, err
	}
	defer out[0].Destroy()
	t, ok := out[0].(*ort.Tensor[float32])
	if !ok || len(t.GetData()) != 1 {
		return 0, fmt.Errorf("it gave %v, not one number", out[0].GetShape())
	}
	return t.GetData()[0], nil
}

func (s *session) close() error { return s.s.Destroy() }
