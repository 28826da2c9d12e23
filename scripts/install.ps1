# Installs Solo for this user, without an administrator: into %LocalAppData%\Programs\Solo, and into the user's PATH.
#   install.ps1              from the archive that it lies in, else the newest release, checked by its SHA-256
#   install.ps1 -Yes         also downloads the models that fit this machine without asking (solo setup --yes)
#   install.ps1 -Autostart   also starts Solo at every login
#   install.ps1 -Remove      takes the program away; what Solo knows and its models stay
# Where scripts are forbidden: powershell -ExecutionPolicy Bypass -File install.ps1
#
# Its syntax is checked by tests/packages; it was written for Windows PowerShell 5.1 and was not run by Solo's makers.
[CmdletBinding()]
param([switch]$Yes, [switch]$Autostart, [switch]$Remove, [string]$Releases = 'https://github.com/solo-assistant/solo/releases/latest/download')
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'

$target = Join-Path $env:LocalAppData 'Programs\Solo'
$solo = Join-Path $target 'solo.exe'
$userPath = [Environment]::GetEnvironmentVariable('Path', 'User')
$others = @("$userPath".Split(';') | Where-Object { $_ -and $_ -ne $target })

if ($Remove) {
    if (Test-Path $solo) { & $solo autostart off }
    if (Test-Path $target) { Remove-Item $target -Recurse -Force }
    [Environment]::SetEnvironmentVariable('Path', ($others -join ';'), 'User')
    Write-Host "Solo's program is gone. What it knows, and its models, lie where they were: $env:LocalAppData\solo"
    exit 0
}

$from = $PSScriptRoot
if (-not (Test-Path (Join-Path $from 'solo.exe'))) {
    $work = Join-Path ([IO.Path]::GetTempPath()) ('solo-' + [Guid]::NewGuid())
    New-Item -ItemType Directory $work | Out-Null
    $archive = Join-Path $work 'solo_windows_amd64.zip'
    [Net.ServicePointManager]::SecurityProtocol = [Net.SecurityProtocolType]::Tls12
    Write-Host "Fetching $Releases/solo_windows_amd64.zip"
    Invoke-WebRequest -UseBasicParsing "$Releases/solo_windows_amd64.zip" -OutFile $archive
    Invoke-WebRequest -UseBasicParsing "$Releases/checksums.txt" -OutFile (Join-Path $work 'checksums.txt')
    $line = Select-String -Path (Join-Path $work 'checksums.txt') -Pattern '^([0-9a-f]{64})  solo_windows_amd64\.zip$'
    if (-not $line -or (Get-FileHash $archive -Algorithm SHA256).Hash -ne $line.Matches[0].Groups[1].Value) {
        throw 'The archive is not what checksums.txt says; nothing was installed.'
    }
    Expand-Archive $archive -DestinationPath $work
    $from = (Get-ChildItem $work -Recurse -Filter solo.exe | Select-Object -First 1).DirectoryName
}

New-Item -ItemType Directory $target -Force | Out-Null
if ((Resolve-Path $from).Path -ne (Resolve-Path $target).Path) { Copy-Item (Join-Path $from '*') $target -Recurse -Force }
Get-ChildItem $target -Recurse | Unblock-File
[Environment]::SetEnvironmentVariable('Path', (($others + $target) -join ';'), 'User')
$env:Path = "$env:Path;$target"

& $solo version
if ($LASTEXITCODE -ne 0) { throw 'solo.exe does not start on this machine.' }
if ($Yes) { & $solo setup --yes } else { & $solo setup }
if ($Autostart) { & $solo autostart on }
Write-Host 'Start it with: solo run   (in a new window). solo doctor tells what is missing.'
