package config

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

type named string

type listenConf struct {
	Sensitivity float64       `toml:"sensitivity" default:"0.5" min:"0" max:"1" doc:"how easily the wake word is heard"`
	Pause       time.Duration `toml:"final_pause" default:"150ms" min:"50ms" max:"2s"`
	Words       []string      `toml:"words" default:"jarvis" allowed:"jarvis|computer|alexa"`
	Log         func()        `toml:"-"`
	Cache       map[string]int
	private     int
}

type embedded struct {
	Home string `toml:"home" doc:"where everything is"`
}

type settings struct {
	embedded
	Embedded
	Name   string     `toml:"name"`
	Listen listenConf `toml:"listen"`
	Voice  struct {
		Volume int    `toml:"volume" default:"80" min:"0" max:"100"`
		Engine named  `toml:"engine" default:"flite" allowed:"flite|espeak"`
		Cue    bool   `toml:"cue"`
		Rate   int8   `toml:"rate" min:"1"`
		Free   string `toml:"free" default:"a \"b\" #c"`
	} `toml:"voice"`
	HA struct {
		URL   string `toml:"url"`
		Token Secret `toml:"token" doc:"long-lived access token"`
	} `toml:"ha"`
}

// Embedded is embedded without a name of its own.
type Embedded struct {
	Debug bool `toml:"debug"`
}

var aliases = map[string]string{"HA_TOKEN": "ha.token", "HA_BASE_URL": "ha.url", "MODEL_NAME": "name"}

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func from(r Report, key string) string {
	for _, v := range r {
		if v.Key == key {
			return v.Value + " from " + v.From
		}
	}
	return "no " + key
}

func TestStrongerSourcesWin(t *testing.T) {
	file := write(t, "config.toml", `
name = "file"
debug = true
[listen]
sensitivity = 1 # a whole number will do
words = ["alexa", "jarvis"]
final_pause = "300ms"
[voice]
volume = 10
rate = 7
[ha]
url = "http://file"
`)
	env := write(t, ".env", `
SOLO_VOICE_VOLUME=20
SOLO_LISTEN_FINAL_PAUSE=400ms
export HA_BASE_URL='http://dotenv'
HA_TOKEN=from-dotenv
OTHER=of another program
SOLO_NAME=dotenv
MODEL_NAME=weaker than its own name
`)
	var c settings
	r, err := Load(&c, Sources{
		Flags:  []string{"voice.volume=40", " voice.cue = true"},
		Env:    []string{"SOLO_VOICE_VOLUME=30", "SOLO_LISTEN_FINAL_PAUSE=500ms", "HA_TOKEN=from-env", "SOLO_NAME=", "PATH=/bin", "SOLO_HOME=/x", "odd"},
		DotEnv: env, File: file, Aliases: aliases, Others: []string{"SOLO_HOME"},
	})
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{
		"name":               `"dotenv" from ` + env + ":7",
		"debug":              "true from " + file + ":3",
		"listen.sensitivity": "1.0 from " + file + ":5",
		"listen.words":       `["alexa", "jarvis"] from ` + file + ":6",
		"listen.final_pause": `"500ms" from env SOLO_LISTEN_FINAL_PAUSE`,
		"voice.volume":       "40 from flag",
		"voice.cue":          "true from flag",
		"voice.engine":       `"flite" from default`,
		"voice.rate":         "7 from " + file + ":10",
		"ha.url":             `"http://dotenv" from ` + env + ":4",
		"ha.token":           `"(hidden)" from env HA_TOKEN`,
	} {
		if got := from(r, key); got != want {
			t.Errorf("%s: got %s, want %s", key, got, want)
		}
	}
	if c.HA.Token.Reveal() != "from-env" || c.Listen.Pause != 500*time.Millisecond || c.Voice.Volume != 40 || c.Name != "dotenv" {
		t.Errorf("%+v", c)
	}
	if strings.Contains(r.String(), "from-env") {
		t.Error("the report tells the secret")
	}
}

func TestAbsentFilesAndPresetValues(t *testing.T) {
	c := settings{Name: "preset"}
	c.Voice.Volume = 3
	r, err := Load(&c, Sources{File: filepath.Join(t.TempDir(), "no.toml"), DotEnv: filepath.Join(t.TempDir(), ".env")})
	if err != nil || c.Name != "preset" || c.Voice.Volume != 80 || from(r, "name") != `"preset" from default` {
		t.Error(err, c.Name, c.Voice.Volume)
	}
	if !reflect.DeepEqual(c.Listen.Words, []string{"jarvis"}) {
		t.Errorf("%q", c.Listen.Words)
	}
}

// Each wrong setting is named with its place and with what is allowed, and all are told at once.
func TestWhatIsWrong(t *testing.T) {
	for name, tt := range map[string]struct {
		toml, dotenv string
		env, flags   []string
		want         []string
	}{
		"unknown key": {toml: "[listen]\n\nsensitvity = 0.5\n", want: []string{
			"config.toml:3: listen.sensitvity is unknown; did you mean listen.sensitivity?; known here: sensitivity, final_pause, words"}},
		"unknown section": {toml: "[lisen]\nfinal_pause = '1s'\n[empty]\n", want: []string{
			"config.toml:2: lisen.final_pause is unknown; did you mean listen.final_pause?; the sections are ha, listen, voice",
			"config.toml:3: empty is unknown; known here: home, debug, name"}},
		"all at once": {toml: "[listen]\nsensitivity = 1.5\nfinal_pause = 3\nwords = ['jarvis', 'siri']\n[voice]\nvolume = '80'\ncue = 3\nrate = 300\nengine = \"espek\"\n", want: []string{
			"config.toml:2: listen.sensitivity is 1.5, must be a number from 0 to 1",
			`config.toml:3: listen.final_pause is 3, must be a duration such as "1.5s" from 50ms to 2s`,
			"config.toml:4: listen.words is [jarvis siri], must be a list of jarvis, computer, alexa",
			"config.toml:7: voice.cue is 3, must be true or false",
			"config.toml:8: voice.rate is 300, must be a whole number, at least 1",
			`config.toml:9: voice.engine is "espek", must be one of flite, espeak; did you mean espeak?`}},
		"inline and dotted": {toml: "listen = {sensitivity = 2}\nvoice.volume = 101\n", want: []string{
			"config.toml:1: listen.sensitivity is 2, must be a number from 0 to 1",
			"config.toml:2: voice.volume is 101, must be a whole number from 0 to 100"}},
		"a section is no setting": {toml: "listen = 5\n[[voice]]\nvolume = 3\n", want: []string{
			"config.toml:1: listen is a section, not a setting: write [listen]",
			"config.toml:3: voice.volume is in a list of tables: write [voice]"}},
		"no TOML": {toml: "name = \"x\"\nvoice = = 3\n", want: []string{"config.toml:2: is no TOML at column 9: "}},
		"twice":   {toml: "name = \"x\"\nname = \"y\"\n", want: []string{"config.toml:2: name is there twice, first on line 1"}},
		"not a number": {toml: "[listen]\nsensitivity = nan\n", want: []string{
			"config.toml:2: listen.sensitivity is NaN, must be a number from 0 to 1"}},
		"dotenv": {dotenv: "# hello\nSOLO_LISTEN_SENSITIVTY=1\nSOLO_VOICE_VOLUME=loud\nnonsense\n", want: []string{
			".env:4: nonsense is no NAME=value",
			".env:2: SOLO_LISTEN_SENSITIVTY is unknown; did you mean SOLO_LISTEN_SENSITIVITY?",
			`.env:3: SOLO_VOICE_VOLUME is "loud", must be a whole number from 0 to 100`}},
		"environment": {env: []string{"SOLO_VOICE_CUE=perhaps", "SOLO_VOICE_QQQQQQQQQQQQ=1", "SOLO_QQQQQQQQQQQQ=another program's"}, want: []string{
			`env: SOLO_VOICE_CUE is "perhaps", must be true or false`,
			"env: SOLO_VOICE_QQQQQQQQQQQQ is unknown; see .env.example for the names"}},
		"flags": {flags: []string{"voice.volume", "voice.volum=3", "voice.volume=-1"}, want: []string{
			`flag: voice.volume needs a value: "key=value"`,
			"flag: voice.volum is unknown; did you mean voice.volume?; known here: volume, engine, cue, rate, free",
			`flag: voice.volume is "-1", must be a whole number from 0 to 100`}},
		"a secret stays one": {toml: "[ha]\ntoken = 12345\n", want: []string{"config.toml:2: ha.token must be a secret text"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := Sources{Env: tt.env, Flags: tt.flags, File: write(t, "config.toml", tt.toml), DotEnv: write(t, ".env", tt.dotenv)}
			_, err := Load(&settings{}, s)
			ps, ok := errors.AsType[Problems](err)
			if !ok || len(ps) < len(tt.want) {
				t.Fatalf("got %v", err)
			}
			for i, line := range strings.Split(err.Error(), "\n") {
				line = strings.ReplaceAll(line, filepath.Dir(s.File)+string(filepath.Separator), "")
				line = strings.ReplaceAll(line, filepath.Dir(s.DotEnv)+string(filepath.Separator), "")
				if i < len(tt.want) && !strings.HasPrefix(line, tt.want[i]) {
					t.Errorf("\n got %s\nwant %s", line, tt.want[i])
				}
			}
		})
	}
}

// Mistakes in the program's own tags come out at once, whatever the settings are.
func TestWrongTags(t *testing.T) {
	for want, into := range map[string]any{
		"pointer to a struct": settings{},
		"which no setting can have": &struct {
			M map[string]int `toml:"m"`
		}{},
		"default of v": &struct {
			V int `toml:"v" default:"101" max:"100"`
		}{},
		"min of v": &struct {
			V time.Duration `toml:"v" min:"3"`
		}{},
		"two fields are called v": &struct {
			A int `toml:"v"`
			B int `toml:"v"`
		}{},
		"both SOLO_A_B": &struct {
			X int `toml:"a_b"`
			A struct {
				B int `toml:"b"`
			} `toml:"a"`
		}{},
	} {
		if _, err := Load(into, Sources{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
	if _, err := Load(&settings{}, Sources{Aliases: map[string]string{"DB_PATH": "store.path"}}); err == nil {
		t.Error("an alias of nothing")
	}
}

func TestNearest(t *testing.T) {
	known := []string{"listen.wake", "voice.name", "voice.volume"}
	for name, want := range map[string]string{
		"voice.nmae": "voice.name", "Voice.Name": "voice.name", "voice.volumes": "voice.volume",
		"vioce.volume": "voice.volume", "memory.size": "", "": "",
	} {
		if got := nearest(name, known); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}
