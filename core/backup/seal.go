package backup

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"filippo.io/age"
	"github.com/klauspost/compress/zstd"
	"github.com/solo-assistant/solo/core/store/rows"
)

const (
	format    = 1
	skippable = 0x184D2A50 // RFC 8878, 3.1.2
	mostHead  = 1 << 20
)

// head says what a backup holds.
type head struct {
	Solo    string      `json:"solo"` // "backup"
	Format  int         `json:"format"`
	Engine  rows.Engine `json:"engine"`
	Version int64       `json:"version"` // of the tables
	Made    time.Time   `json:"made"`
	Tables  []rows.Sum  `json:"tables,omitempty"` // of a file; a dump has its own
}

// seal writes a backup and its checksum, on the disk when it returns, and tells its size.
func seal(path string, to age.Recipient, h head, fill func(io.Writer) error) (size int64, err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	all := sha256.New()
	if err := encrypt(io.MultiWriter(f, all), to, h, fill); err != nil {
		return 0, err
	}
	if err := f.Sync(); err != nil {
		return 0, err
	}
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	// The size is written for a person's eyes and for telling a file that is cut off; sha256sum -c reads the rest.
	line := fmt.Sprintf("%s  %s\n# %d bytes\n", hex.EncodeToString(all.Sum(nil)), filepath.Base(path), info.Size())
	return info.Size(), os.WriteFile(path+sumEnd, []byte(line), 0o600)
}

func encrypt(w io.Writer, to age.Recipient, h head, fill func(io.Writer) error) error {
	locked, err := age.Encrypt(w, to)
	if err != nil {
		return err
	}
	text, err := json.Marshal(h)
	if err != nil {
		return err
	}
	frame := binary.LittleEndian.AppendUint32(nil, skippable)
	frame = append(binary.LittleEndian.AppendUint32(frame, uint32(len(text))), text...)
	if _, err := locked.Write(frame); err != nil {
		return err
	}
	packed, err := zstd.NewWriter(locked, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return err
	}
	if err := errors.Join(fill(packed), packed.Close()); err != nil {
		return err
	}
	return locked.Close()
}

// opened is a backup that is being read.
type opened struct {
	head head
	io.Reader
	file *os.File
	zstd *zstd.Decoder
}

func (o *opened) Close() error {
	if o.zstd != nil {
		o.zstd.Close()
	}
	return o.file.Close()
}

// unseal opens a backup. What it gives to read fails with ErrDamaged or ErrCut where it is not whole.
func unseal(path string, keys []age.Identity) (*opened, error) {
	if err := whole(path); err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	o := &opened{file: f}
	if err := o.open(keys); err != nil {
		return nil, errors.Join(err, o.Close())
	}
	return o, nil
}

func (o *opened) open(keys []age.Identity) error {
	plain, err := age.Decrypt(bufio.NewReader(o.file), keys...)
	var none *age.NoIdentityMatchError
	switch {
	case errors.As(err, &none):
		return fmt.Errorf("%w (%w)", ErrKey, err)
	case err != nil:
		return broken(err)
	}
	in := bufio.NewReader(plain)
	frame := make([]byte, 8)
	if _, err := io.ReadFull(in, frame); err != nil {
		return broken(err)
	}
	size := binary.LittleEndian.Uint32(frame[4:])
	if binary.LittleEndian.Uint32(frame) != skippable || size > mostHead {
		return fmt.Errorf("%w: it was not made by Solo", ErrDamaged)
	}
	text := make([]byte, size)
	if _, err := io.ReadFull(in, text); err != nil {
		return broken(err)
	}
	if err := json.Unmarshal(text, &o.head); err != nil || o.head.Solo != "backup" {
		return fmt.Errorf("%w: it was not made by Solo", ErrDamaged)
	}
	if o.head.Format != format {
		return fmt.Errorf("the backup was made by a newer Solo: update Solo")
	}
	if o.zstd, err = zstd.NewReader(mended{in}, zstd.WithDecoderConcurrency(1)); err != nil {
		return err
	}
	o.Reader = mended{o.zstd}
	return nil
}

// mended says of what is read in words of this package what is wrong with it.
type mended struct{ io.Reader }

func (m mended) Read(p []byte) (int, error) {
	n, err := m.Reader.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = broken(err)
	}
	return n, err
}

func broken(err error) error {
	switch {
	case errors.Is(err, ErrCut), errors.Is(err, ErrDamaged):
		return err
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return fmt.Errorf("%w (%w)", ErrCut, err)
	}
	return fmt.Errorf("%w (%w)", ErrDamaged, err)
}

// whole compares a backup with the checksum beside it, where there is one.
func whole(path string) error {
	text, err := os.ReadFile(path + sumEnd)
	if err != nil {
		return nil //nolint:nilerr // age and zstd find damage as well, in fewer words
	}
	fields := strings.Fields(string(text))
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	all := sha256.New()
	n, err := io.Copy(all, f)
	if err != nil {
		return err
	}
	if len(fields) == 0 || strings.EqualFold(fields[0], hex.EncodeToString(all.Sum(nil))) {
		return nil
	}
	var want int64
	if len(fields) > 3 {
		_, _ = fmt.Sscan(fields[3], &want) // 0 says nothing
	}
	if n < want {
		return fmt.Errorf("%w: it has %d of %d bytes", ErrCut, n, want)
	}
	return fmt.Errorf("%w: it is not what its checksum says", ErrDamaged)
}
