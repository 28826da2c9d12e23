package main

import (
	"context"
	"runtime"

	"github.com/solo-assistant/solo/core/channel/cli"
	"github.com/solo-assistant/solo/voices/macsay"
	"github.com/solo-assistant/solo/voices/sapi"
)

// examineSystemVoice tells of the voices that the system brings; nothing where it brings none.
func examineSystemVoice(ctx context.Context) cli.Engine {
	switch runtime.GOOS {
	case "windows":
		e, err := sapi.New(sapi.Config{})
		if err != nil {
			return examined("voice", "sapi", "", err)
		}
		defer closeVoice(e)
		return examined("voice", "sapi", e.Version(ctx), nil)
	case "darwin":
		e, err := macsay.New(macsay.Config{})
		if err != nil {
			return examined("voice", "say", "", err)
		}
		defer closeVoice(e)
		return examined("voice", "say", e.Version(ctx), nil)
	}
	return cli.Engine{}
}

// ofLinux leaves out what is no fault elsewhere: Windows and macOS have voices of their own.
func ofLinux(e cli.Engine) cli.Engine {
	if !e.Found && (runtime.GOOS == "windows" || runtime.GOOS == "darwin") {
		return cli.Engine{}
	}
	return e
}
