# Prepares a checkout on Windows: looks for Go, a C compiler and Node.js, builds bin\solo.exe, and asks solo doctor.
#   dev.ps1          -Test runs the tests that need no sound device, -Pure builds without a C compiler
#
# Its syntax is checked by tests/packages; it was written for Windows PowerShell 5.1 and was not run by Solo's makers.
[CmdletBinding()]
param([switch]$Test, [switch]$Pure)
$ErrorActionPreference = 'Stop'
Set-Location (Join-Path $PSScriptRoot '..')

function Have([string]$program, [string]$package, [string]$why) {
    if (Get-Command $program -ErrorAction SilentlyContinue) { return $true }
    Write-Host "$program is missing: $why. Get it with: winget install $package"
    return $false
}

if (-not (Have 'go' 'GoLang.Go' 'it builds Solo')) { exit 1 }
$gcc = Have 'gcc' 'BrechtSanders.WinLibs.POSIX.UCRT' 'without it Solo has no microphone and no wake word'
if ((Have 'npm' 'OpenJS.NodeJS.LTS' 'it builds the page of the dashboard') -and -not (Test-Path 'dashboard\dist\page\index.html')) {
    Push-Location dashboard
    npm ci --no-fund --no-audit --loglevel error
    if ($LASTEXITCODE -eq 0) { npm run --silent build }
    Pop-Location
}

$env:CGO_ENABLED = if ($gcc -and -not $Pure) { '1' } else { '0' }
$version = 'dev'
try { $version = git describe --tags --always --dirty } catch { Write-Host 'git is missing; the version is dev.' }
if (-not $version) { $version = 'dev' }
New-Item -ItemType Directory bin -Force | Out-Null
go build -ldflags "-X main.version=$version" -o bin\solo.exe .\cmd\solo
if ($LASTEXITCODE -ne 0) { exit $LASTEXITCODE }
go build -ldflags '-H=windowsgui' -o bin\solow.exe .\cmd\solow
if ($LASTEXITCODE -ne 0) { exit $LASTEXITCODE }
if ($Test) {
    go test .\bus\... .\audio .\core\when\... .\core\intent\... .\core\config\... .\core\autostart
    if ($LASTEXITCODE -ne 0) { exit $LASTEXITCODE }
}
.\bin\solo.exe doctor
Write-Host 'Start it with: scripts\run_agent.ps1'
