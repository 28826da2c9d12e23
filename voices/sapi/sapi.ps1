$ErrorActionPreference = 'Stop'
Add-Type -AssemblyName System.Speech
$utf8 = [Text.Encoding]::UTF8
$out = [Console]::Out
$synth = New-Object System.Speech.Synthesis.SpeechSynthesizer
function pack($text) { [Convert]::ToBase64String($utf8.GetBytes($text)) }
function unpack($text) { $utf8.GetString([Convert]::FromBase64String($text)) }
while (($line = [Console]::In.ReadLine()) -ne $null) {
  try {
    $word = $line.Split(' ')
    if ($word[0] -eq 'VOICES') {
      foreach ($v in $synth.GetInstalledVoices()) {
        $i = $v.VoiceInfo
        if ($v.Enabled) { $out.WriteLine('VOICE ' + (pack $i.Name) + ' ' + $i.Culture.Name + ' ' + $i.Gender) }
      }
      $out.WriteLine('END')
    } elseif ($word[0] -eq 'SAY') {
      $wav = New-Object IO.MemoryStream
      if ($word[2] -ne '-') { $synth.SelectVoice((unpack $word[2])) }
      $synth.Rate = [int]$word[1]
      $synth.SetOutputToWaveStream($wav)
      $synth.Speak((unpack $word[3]))
      $synth.SetOutputToNull()
      $out.WriteLine('WAV ' + [Convert]::ToBase64String($wav.ToArray()))
    } else { throw 'no such order' }
  } catch { $out.WriteLine('ERR ' + (pack $_.Exception.Message)) }
}
