package notify

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"time"
	"unicode/utf16"

	"github.com/solo-assistant/solo/core/proc"
)

// toast shows a toast in the name of PowerShell, which every Windows knows. The words come in the environment, never as
// part of the script.
const toast = `$ErrorActionPreference = 'Stop'
[void][Windows.UI.Notifications.ToastNotificationManager, Windows.UI.Notifications, ContentType = WindowsRuntime]
$xml = [Windows.UI.Notifications.ToastNotificationManager]::GetTemplateContent([Windows.UI.Notifications.ToastTemplateType]::ToastText02)
$lines = $xml.GetElementsByTagName('text')
[void]$lines.Item(0).AppendChild($xml.CreateTextNode($env:SOLO_NOTICE_TITLE))
[void]$lines.Item(1).AppendChild($xml.CreateTextNode($env:SOLO_NOTICE_TEXT))
$app = '{1AC14E77-02E7-4E5D-B744-2EB1AE5198B7}\WindowsPowerShell\v1.0\powershell.exe'
[Windows.UI.Notifications.ToastNotificationManager]::CreateToastNotifier($app).Show([Windows.UI.Notifications.ToastNotification]::new($xml))`

func show(ctx context.Context, title, text string, _ bool) error {
	_, err := proc.Run(ctx, proc.Command{Path: "powershell.exe", Limit: 20 * time.Second,
		Args: []string{"-NoProfile", "-NonInteractive", "-EncodedCommand", encoded(toast)},
		Env:  []string{"SOLO_NOTICE_TITLE=" + title, "SOLO_NOTICE_TEXT=" + text}})
	return err
}

// encoded is a script as PowerShell takes it: UTF-16, Base64.
func encoded(script string) string {
	var b []byte
	for _, u := range utf16.Encode([]rune(script)) {
		b = binary.LittleEndian.AppendUint16(b, u)
	}
	return base64.StdEncoding.EncodeToString(b)
}
