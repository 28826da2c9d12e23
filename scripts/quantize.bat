@echo off
rem Makes a GGUF model smaller, with the llama-quantize of the llama.cpp that Solo keeps, or the one in PATH.
rem   quantize.bat IN.gguf OUT.gguf [Q4_K_M]
rem Run by tests/packages under wine with a stand-in for llama-quantize; not run on Windows by Solo's makers.
setlocal
if "%~2"=="" (
  echo usage: quantize.bat IN.gguf OUT.gguf [Q4_K_M]
  exit /b 2
)
set "KIND=%~3"
if "%KIND%"=="" set "KIND=Q4_K_M"
if not exist "%~1" (
  echo There is no %~1
  exit /b 1
)
set "TOOL="
for /r "%LocalAppData%\solo" %%f in (llama-quantize.exe) do if exist "%%f" set "TOOL=%%f"
if "%TOOL%"=="" for %%x in (llama-quantize.exe) do set "TOOL=%%~$PATH:x"
if "%TOOL%"=="" (
  echo llama-quantize.exe was not found. Get it with: solo models pull llama-server-cpu
  exit /b 1
)
"%TOOL%" "%~1" "%~2" %KIND%
exit /b %ERRORLEVEL%
