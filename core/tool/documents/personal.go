package documents

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
)

// personal are the user's folders for documents, downloads and the desktop. On Linux they may have names in the
// user's language, which user-dirs.dirs tells.
func personal() []string {
	home, err := os.UserHomeDir()
	if err != nil {
		return nil
	}
	told := userDirs(home)
	var all []string
	for _, d := range []struct{ key, name string }{{"XDG_DOCUMENTS_DIR", "Documents"}, {"XDG_DOWNLOAD_DIR", "Downloads"}, {"XDG_DESKTOP_DIR", "Desktop"}} {
		dir := told[d.key]
		if dir == "" || filepath.Clean(dir) == filepath.Clean(home) { // the whole home is more than was meant
			dir = filepath.Join(home, d.name)
		}
		all = append(all, dir)
	}
	return all
}

// userDirs reads lines such as XDG_DOWNLOAD_DIR="$HOME/Hämtningar".
func userDirs(home string) map[string]string {
	conf := os.Getenv("XDG_CONFIG_HOME")
	if conf == "" {
		conf = filepath.Join(home, ".config")
	}
	dirs := map[string]string{}
	f, err := os.Open(filepath.Join(conf, "user-dirs.dirs"))
	if err != nil {
		return dirs
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		key, value, ok := strings.Cut(strings.TrimSpace(s.Text()), "=")
		if !ok || strings.HasPrefix(key, "#") {
			continue
		}
		value = strings.Trim(value, `"`)
		if rest, ok := strings.CutPrefix(value, "$HOME"); ok {
			value = home + rest
		}
		if filepath.IsAbs(value) {
			dirs[key] = value
		}
	}
	return dirs
}
