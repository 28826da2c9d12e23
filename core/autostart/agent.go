package autostart

import (
	"context"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
)

// agent is a LaunchAgent of macOS. launchd reads its folder at each login. Written by Apple's manual, launchd.plist(5);
// never run by us.
type agent struct{ path string }

const agentLabel = "org.solo-assistant.solo"

func (a agent) write(_ context.Context, e Entry) error { return replace(a.path, agentText(e)) }

func (a agent) remove(context.Context) error { return gone(a.path) }

func (a agent) read(e Entry) (State, bool, error) {
	s := State{How: "LaunchAgent", Where: a.path}
	text, err := os.ReadFile(a.path)
	if errors.Is(err, os.ErrNotExist) {
		return s, false, nil
	}
	if err != nil {
		return s, false, err
	}
	words, err := agentWords(strings.NewReader(string(text)))
	if err != nil || len(words) == 0 {
		s.Starts, s.Trouble = "?", "its file cannot be read; solo autostart on writes it anew"
		return s, false, nil
	}
	s.On, s.Starts = true, strings.Join(words, " ")
	return s, slices.Equal(words, append([]string{e.Program}, e.Args...)), nil
}

func agentText(e Entry) string {
	var words strings.Builder
	for _, w := range append([]string{e.Program}, e.Args...) {
		words.WriteString("    <string>")
		_ = xml.EscapeText(&words, []byte(w)) // a builder takes all
		words.WriteString("</string>\n")
	}
	return `<?xml version="1.0" encoding="UTF-8"?>
<!-- Written by solo autostart on; solo autostart off removes it. -->
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>` + agentLabel + `</string>
  <key>ProgramArguments</key>
  <array>
` + words.String() + `  </array>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>Crashed</key>
    <true/>
  </dict>
  <key>ProcessType</key>
  <string>Interactive</string>
  <key>LimitLoadToSessionType</key>
  <string>Aqua</string>
</dict>
</plist>
`
}

// agentWords reads the command line out of a plist.
func agentWords(r io.Reader) (words []string, err error) {
	d := xml.NewDecoder(r)
	key := ""
	for {
		t, err := d.Token()
		if errors.Is(err, io.EOF) {
			return words, nil
		}
		if err != nil {
			return nil, err
		}
		start, ok := t.(xml.StartElement)
		if !ok || start.Name.Local != "key" && start.Name.Local != "string" {
			continue
		}
		var text string
		if err := d.DecodeElement(&text, &start); err != nil {
			return nil, err
		}
		switch {
		case start.Name.Local == "key":
			key = text
		case key == "ProgramArguments":
			words = append(words, text)
		}
	}
}
