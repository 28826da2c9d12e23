package depot

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const sound = `
[[model]]
name = "ears"
task = "stt"
licence = "MIT"
languages = ["en", "*"]
platforms = ["linux/amd64"]
  [[model.file]]
  path = "whisper/a.bin"
  size = 5
  urls = ["https://models.example/a.bin"]
`

const program = `
[[model]]
name = "llama"
task = "tool"
licence = "MIT"
  [[model.file]]
  path = "a.zip"
  size = 5
  unpack = "llama-1"
  urls = ["https://models.example/a.zip"]
`

func TestLoad(t *testing.T) {
	for _, text := range []string{"", sound, program, sound + program, "\ufeff" + sound, strings.ReplaceAll(sound, "\n", "\r\n")} {
		if _, err := Load([]byte(text)); err != nil {
			t.Errorf("%v\n%s", err, text)
		}
	}
	for name, tt := range map[string]struct{ old, now, says string }{
		"unknown setting":    {"size = 5", "size = 5\n  colour = 1", `line 11: "colour" is no setting`},
		"no TOML":            {"size = 5", "size = ", "line 10"},
		"wrong type":         {"size = 5", `size = "big"`, "line 10"},
		"no name":            {`name = "ears"`, "", "a name has"},
		"capitals":           {`name = "ears"`, `name = "Ears"`, "a name has"},
		"a path as name":     {`name = "ears"`, `name = "../x"`, "a name has"},
		"no task":            {`"stt"`, `"juggling"`, "task"},
		"no licence":         {`licence = "MIT"`, "", "licence is missing"},
		"terminal tricks":    {`licence = "MIT"`, `licence = "M\u001b[2JIT"`, "plain line"},
		"language":           {`"en"`, `"English"`, "no language"},
		"platform":           {"linux/amd64", "plan9", "no platform"},
		"no files":           {sound[strings.Index(sound, "  [[model.file]]"):], "", "1 to 64 files"},
		"no size":            {"size = 5", "", "size is 0"},
		"negative size":      {"size = 5", "size = -1", "size is -1"},
		"huge":               {"size = 5", "size = 9_000_000_000_000", "size is"},
		"short sum":          {"size = 5", "size = 5\n  sha256 = \"abc\"", "64"},
		"capital sum":        {"size = 5", "size = 5\n  sha256 = \"" + strings.Repeat("A", 64) + "\"", "64"},
		"stated by nobody":   {"size = 5", "size = 5\n  stated = \"" + strings.Repeat("a", 64) + "\"", "stated_by"},
		"known, yet not big": {"size = 5", "size = 5\n  approximate = true\n  sha256 = \"" + strings.Repeat("a", 64) + "\"", "knows the size"},
		"up":                 {"whisper/a.bin", "../a.bin", "path"},
		"absolute":           {"whisper/a.bin", "/etc/passwd", "path"},
		"hidden":             {"whisper/a.bin", ".depot/book.json", "begins with a dot"},
		"a drive":            {"whisper/a.bin", "C:a.bin", "not every system"},
		"backslash":          {"whisper/a.bin", `a\\b.bin`, "not every system"},
		"a device":           {"whisper/a.bin", "nul.bin", "device"},
		"ends in a dot":      {"whisper/a.bin", "a.bin.", "dot"},
		"no address":         {`["https://models.example/a.bin"]`, "[]", "urls"},
		"plain http":         {"https://models", "http://models", "only https"},
		"a file":             {"https://models.example/a.bin", "file:///etc/passwd", "no address"},
		"a password":         {"https://models", "https://me:pw@models", "password"},
		"weights unpacked":   {"size = 5", "size = 5\n  unpack = \"llama-1\"", "zip"},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.Replace(sound, tt.old, tt.now, 1)
			if text == sound {
				t.Fatal("nothing was changed")
			}
			_, err := Load([]byte(text))
			if err == nil || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("%v", err)
			}
		})
	}
	for name, text := range map[string]string{
		"twice":             sound + sound,
		"same place":        sound + strings.Replace(sound, `"ears"`, `"other"`, 1),
		"same but for case": sound + strings.Replace(strings.Replace(sound, `"ears"`, `"other"`, 1), "a.bin", "A.BIN", 1),
		"folder of Solo":    strings.Replace(program, "llama-1", "models", 1),
		"folder elsewhere":  strings.Replace(program, "llama-1", "llama/../..", 1),
		"tool not unpacked": strings.Replace(program, `unpack = "llama-1"`, "", 1),
		"no archive":        strings.Replace(program, `path = "a.zip"`, `path = "a.exe"`, 1),
		"not for TOML":      "[[model.0]]0",
		"too much":          strings.Repeat("# \n", mostText),
	} {
		if _, err := Load([]byte(text)); err == nil {
			t.Errorf("%s was taken", name)
		}
	}
	if _, err := Load([]byte(sound + strings.Replace(sound, "linux/amd64", "linux/arm64", 1))); err != nil {
		t.Errorf("one name for two platforms: %v", err)
	}
}

// The user's own catalogue adds models and replaces ours, and its mistakes are told with its name.
func TestOwnCatalogue(t *testing.T) {
	own := filepath.Join(t.TempDir(), "models.toml")
	put := func(text string) error {
		if err := os.WriteFile(own, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := New(Config{Data: t.TempDir(), Own: own})
		return err
	}
	if err := put(strings.Replace(sound, `"ears"`, `"qwen3-4b"`, 1)); err != nil {
		t.Error(err)
	}
	d, err := New(Config{Data: t.TempDir(), Own: own, Platform: "linux/amd64"})
	if err != nil {
		t.Fatal(err)
	}
	if m, err := d.Model("qwen3-4b"); err != nil || m.Task != STT {
		t.Errorf("%+v, %v", m, err)
	}
	for text, says := range map[string]string{
		"x = 1": own, strings.Replace(sound, "whisper/a.bin", "whisper/ggml-base.bin", 1): `"whisper-base" and "ears"`,
	} {
		if err := put(text); err == nil || !strings.Contains(err.Error(), says) && !strings.Contains(err.Error(), `"ears" and "whisper-base"`) {
			t.Errorf("%v", err)
		}
	}
	if _, err := New(Config{Data: t.TempDir(), Own: filepath.Join(t.TempDir(), "none")}); err != nil {
		t.Error(err)
	}
	if _, err := New(Config{Data: "data"}); err == nil {
		t.Error("a data folder that depends on the working folder was taken")
	}
}

func TestModelNames(t *testing.T) {
	d, err := New(Config{Data: t.TempDir(), Platform: "linux/arm64"})
	if err != nil {
		t.Fatal(err)
	}
	for name, says := range map[string]string{"qwen": "did you mean", "thorsten": "piper-de-thorsten", "whisper-server-cuda": "it is for windows/amd64", "nonsense": `"nonsense"`} {
		if _, err := d.Model(name); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Whatever a catalogue says, what is taken from it names files inside the data folder and addresses of https.
func FuzzLoad(f *testing.F) {
	f.Add([]byte(sound))
	f.Add([]byte(program))
	f.Add(builtIn[:4000])
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := Load(text)
		if err != nil {
			return
		}
		for _, m := range c.Models {
			for _, file := range m.Files {
				if !filepath.IsLocal(filepath.FromSlash(file.Path)) || file.Unpack != "" && strings.ContainsAny(file.Unpack, `/\.`+"") && strings.Contains(file.Unpack, "/") || file.Size <= 0 {
					t.Fatalf("%+v", file)
				}
				for _, u := range file.URLs {
					if !strings.HasPrefix(strings.ToLower(u), "http") {
						t.Fatal(u)
					}
				}
			}
		}
	})
}

func FuzzHeaders(f *testing.F) {
	for _, s := range []string{"bytes 0-4/5", "bytes 0-4/*", "bytes -1-2/3", "bytes 5-4/9", "x", "120", "Fri, 31 Dec 1999 23:59:59 GMT"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		from, to, total, err := contentRange(s)
		if err == nil && (from < 0 || to < from || total != -1 && to >= total) {
			t.Errorf("%q: %d-%d/%d", s, from, to, total)
		}
		if d := retryAfter(s, testTime); d < 0 {
			t.Errorf("%q: %v", s, d)
		}
	})
}

var testTime = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
