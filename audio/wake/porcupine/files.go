//go:build cgo && ((amd64 && (linux || windows || darwin)) || (linux && (arm || arm64) && porcupine_pi))

package porcupine

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/solo-assistant/solo/audio/wake/porcupine/internal/unpack"
)

const modelFile = "porcupine_params.pv"

// files holds the binding's model and words (1 MB), so that its folder can go at once and no process
// leaves anything behind however it ends.
var files = collect()

func collect() map[string][]byte {
	defer unpack.Done()
	kept := map[string][]byte{}
	if unpack.Dir == "" {
		return kept
	}
	_ = filepath.WalkDir(unpack.Dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return nil
		}
		word, isWord := strings.CutSuffix(e.Name(), ".ppn")
		if e.Name() != modelFile && !isWord {
			return nil
		}
		if isWord { // such as "hey google_linux.ppn"
			word, _, _ = strings.Cut(word, "_")
		} else {
			word = modelFile
		}
		if b, err := os.ReadFile(path); err == nil {
			kept[word] = b
		}
		return nil
	})
	return kept
}
