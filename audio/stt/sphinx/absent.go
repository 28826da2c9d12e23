//go:build !sphinx || !cgo

package sphinx

// decoder is what stands where pocketsphinx is not compiled in: nothing can be opened.
type decoder struct{}

func openDecoder(...string) (*decoder, error) { return nil, ErrAbsent }

func libraryVersion() string { return "" }

func trim() {}

func (*decoder) addGrammar(_, _ string, _ float64) error { return ErrAbsent }
func (*decoder) addTrigram(_, _ string) error            { return ErrAbsent }
func (*decoder) use(string) error                        { return ErrAbsent }
func (*decoder) begin(bool) error                        { return ErrAbsent }
func (*decoder) feed([]int16, bool) error                { return ErrAbsent }
func (*decoder) end() error                              { return ErrAbsent }
func (*decoder) text() (string, int)                     { return "", 0 }
func (*decoder) words(bool) []segment                    { return nil }
func (*decoder) close()                                  {}
