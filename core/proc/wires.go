package proc

import (
	"fmt"
	"os"
	"os/exec"
)

// wires are the child's stdin and stdout. They are own pipes, not those of os/exec, because its Wait
// closes them while the last output is still being read.
type wires struct {
	in, out *os.File // Solo's ends; closing them twice does no harm
	theirs  []*os.File
}

func (w *wires) lay(cmd *exec.Cmd) error {
	stdin, in, err := os.Pipe()
	if err != nil {
		return fmt.Errorf("opening a pipe: %w", err)
	}
	out, stdout, err := os.Pipe()
	if err != nil {
		stdin.Close()
		in.Close()
		return fmt.Errorf("opening a pipe: %w", err)
	}
	w.in, w.out, w.theirs = in, out, []*os.File{stdin, stdout}
	cmd.Stdin, cmd.Stdout = stdin, stdout
	return nil
}

// handOver lets go of the child's ends, which it has of its own now.
func (w *wires) handOver() {
	for _, f := range w.theirs {
		f.Close()
	}
}

// hangUp closes the child's stdin, the politest way to ask it to end.
func (w *wires) hangUp() {
	if w.in != nil {
		w.in.Close()
	}
}

// cut ends all reading and writing.
func (w *wires) cut() {
	w.hangUp()
	if w.out != nil {
		w.out.Close()
	}
}
