# Starts Solo: the solo.exe beside this script, of the checkout, of the installation, or in PATH. Arguments go to solo run.
#   run_agent.ps1 --check
#
# Its syntax is checked by tests/packages; it was written for Windows PowerShell 5.1 and was not run by Solo's makers.
$ErrorActionPreference = 'Stop'
$places = @(
    (Join-Path $PSScriptRoot 'solo.exe'),
    (Join-Path $PSScriptRoot '..\bin\solo.exe'),
    (Join-Path $env:LocalAppData 'Programs\Solo\solo.exe')
)
$solo = $places | Where-Object { Test-Path $_ } | Select-Object -First 1
if (-not $solo) { $solo = (Get-Command solo.exe -ErrorAction SilentlyContinue).Source }
if (-not $solo) { throw 'solo.exe was not found; scripts\install.ps1 installs it, scripts\dev.ps1 builds it.' }
& $solo run @args
exit $LASTEXITCODE
