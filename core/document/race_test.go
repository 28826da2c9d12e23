//go:build race

package document

import "github.com/tetratelabs/wazero"

func init() { runtimeConfig = wazero.NewRuntimeConfigInterpreter }
