package depot

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

var (
	nameForm     = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,63}$`)
	sumForm      = regexp.MustCompile(`^[0-9a-f]{64}$`)
	languageForm = regexp.MustCompile(`^([a-z]{2,3}|\*)$`)
	platformForm = regexp.MustCompile(`^(windows|linux|darwin)/(amd64|arm64)$`)
	folderForm   = regexp.MustCompile(`^(llama|whisper|piper)[a-z0-9._-]{0,60}$`)
	deviceNames  = regexp.MustCompile(`(?i)^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?$`)
)

const largest = 1 << 42 // bytes of a file, 4 TiB

func (m Model) check() error {
	switch {
	case !nameForm.MatchString(m.Name):
		return errors.New("a name has 1 to 64 small letters, digits, dots, _ and -, and begins with a letter or digit")
	case !slices.Contains(tasks, m.Task):
		return fmt.Errorf("task is %q, not one of %v", m.Task, tasks)
	case m.Licence == "":
		return errors.New("licence is missing")
	case m.Memory < 0 || m.Memory > largest:
		return fmt.Errorf("memory is %d", m.Memory)
	case m.Card != "" && m.Card != "nvidia" && m.Card != "any":
		return fmt.Errorf("card is %q, not nvidia or any", m.Card)
	case len(m.Files) == 0 || len(m.Files) > mostFiles:
		return fmt.Errorf("a model has 1 to %d files, not %d", mostFiles, len(m.Files))
	}
	for _, text := range []string{m.About, m.Licence, m.Terms, m.Home} {
		if !printable(text) {
			return fmt.Errorf("%q is no plain line of at most 300 letters", text)
		}
	}
	for _, l := range m.Languages {
		if !languageForm.MatchString(l) {
			return fmt.Errorf("%q is no language such as en or de", l)
		}
	}
	for _, p := range m.Platforms {
		if !platformForm.MatchString(p) {
			return fmt.Errorf("%q is no platform such as windows/amd64", p)
		}
	}
	if m.Home != "" {
		if err := checkURL(m.Home); err != nil {
			return fmt.Errorf("home: %w", err)
		}
	}
	return m.checkFiles()
}

func (m Model) checkFiles() error {
	folder, tool := m.unpacked()
	for i, f := range m.Files {
		if err := f.check(); err != nil {
			return fmt.Errorf("file %d (%q): %w", i+1, f.Path, err)
		}
		if f.Unpack != folder {
			return fmt.Errorf("file %d: all files of a model are unpacked into one folder, or none is", i+1)
		}
	}
	if tool != (m.Task == Tool) {
		return errors.New("programs, and nothing else, are unpacked")
	}
	return nil
}

func (f File) check() error {
	if err := checkPath(f.Path); err != nil {
		return err
	}
	switch {
	case f.Size <= 0 || f.Size > largest:
		return fmt.Errorf("size is %d", f.Size)
	case f.SHA256 != "" && !sumForm.MatchString(f.SHA256):
		return errors.New("sha256 is no 64 small hexadecimal digits")
	case f.Stated != "" && !sumForm.MatchString(f.Stated):
		return errors.New("stated is no 64 small hexadecimal digits")
	case f.Stated != "" && f.SHA256 != "":
		return errors.New("what is known by sha256 needs nothing stated")
	case (f.Stated != "") != (f.StatedBy != "") || !printable(f.StatedBy):
		return errors.New("stated and stated_by go together")
	case f.SHA256 != "" && f.Approximate:
		return errors.New("who knows the sha256 knows the size")
	case f.Unpack != "" && (!folderForm.MatchString(f.Unpack) || strings.HasSuffix(f.Unpack, ".")):
		return fmt.Errorf("unpack is %q, not a folder that begins with llama, whisper or piper", f.Unpack)
	case f.Unpack != "" && archiveKind(f.Path) == "":
		return errors.New("only .zip and .tar.gz can be unpacked")
	case len(f.URLs) == 0 || len(f.URLs) > mostURLs:
		return fmt.Errorf("a file has 1 to %d urls, not %d", mostURLs, len(f.URLs))
	}
	for _, u := range f.URLs {
		if err := checkURL(u); err != nil {
			return err
		}
	}
	return nil
}

// checkPath takes paths that mean the same file on every system, inside the folder.
func checkPath(p string) error {
	if p == "" || len(p) > 200 || path.Clean(p) != p || path.IsAbs(p) {
		return errors.New("path is not a plain one such as whisper/base.bin")
	}
	for part := range strings.SplitSeq(p, "/") {
		if err := checkPart(part); err != nil {
			return err
		}
	}
	return nil
}

// checkPart takes one part of a path.
func checkPart(part string) error {
	switch {
	case part == "" || strings.HasPrefix(part, "."):
		return fmt.Errorf("%q in a path: no part is empty or begins with a dot", part)
	case strings.HasSuffix(part, ".") || strings.HasSuffix(part, " "):
		return fmt.Errorf("%q in a path: no part ends in a dot or a blank", part)
	case deviceNames.MatchString(part):
		return fmt.Errorf("%q in a path is a device on Windows", part)
	case strings.ContainsAny(part, `\:*?"<>|`) || !printable(part):
		return fmt.Errorf("%q in a path: not every system can write that", part)
	}
	return nil
}

func checkURL(text string) error {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Host == "" || len(text) > 2000 || !printable(u.Host):
		return fmt.Errorf("%q is no address", text)
	case u.User != nil || u.Fragment != "":
		return fmt.Errorf("%q: no name, password or fragment in an address", text)
	case u.Scheme == "https", u.Scheme == "http" && loopback(u.Hostname()):
		return nil
	}
	return fmt.Errorf("%q: only https is asked, or http on this machine", text)
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// printable is whether a text is one plain line: catalogues come from others too, and are shown in terminals.
func printable(text string) bool {
	return len(text) <= 300 && !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) })
}

// apart finds models that would tread on each other on one platform. Names of files that differ in case only are one
// name on Windows.
func (c Catalogue) apart() error {
	spots := make([]map[string]bool, len(c.Models))
	for i, m := range c.Models {
		if err := m.ownApart(); err != nil {
			return err
		}
		spots[i] = m.spots()
		for j, o := range c.Models[:i] {
			if !m.meets(o) {
				continue
			}
			if m.Name == o.Name {
				return fmt.Errorf("the model %q is there twice", m.Name)
			}
			for place := range spots[i] {
				if spots[j][place] {
					return fmt.Errorf("the models %q and %q both want %s", o.Name, m.Name, place)
				}
			}
		}
	}
	return nil
}

// meets is whether there is a platform for both.
func (m Model) meets(o Model) bool {
	return len(m.Platforms) == 0 || len(o.Platforms) == 0 || slices.ContainsFunc(m.Platforms, o.runsOn)
}

// ownApart makes sure that a model's files have names of their own, also without their folders.
func (m Model) ownApart() error {
	names := map[string]bool{}
	for _, f := range m.Files {
		id := strings.ToLower(m.id(f))
		if names[id] {
			return fmt.Errorf("the model %q has two files called %s", m.Name, path.Base(f.Path))
		}
		names[id] = true
	}
	return nil
}

// spots are the files, or the folder, that a model takes.
func (m Model) spots() map[string]bool {
	spots := map[string]bool{}
	for _, f := range m.Files {
		if f.Unpack != "" {
			spots[strings.ToLower(f.Unpack)] = true
		} else {
			spots[strings.ToLower(f.place())] = true
		}
	}
	return spots
}
