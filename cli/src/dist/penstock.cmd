@echo off
rem Starts the penstock command from what is beside it, as the script penstock does elsewhere.
setlocal
if "%PENSTOCK_LIB%"=="" set "PENSTOCK_LIB=%~dp0..\lib\penstock"
if "%PENSTOCK_JAVA%"=="" set "PENSTOCK_JAVA=%PENSTOCK_LIB%\runtime\bin\java.exe"
set "CACHE=-XX:AOTCache=%PENSTOCK_LIB%\penstock.aot"
if not "%PENSTOCK_TRAIN%"=="" set "CACHE=-XX:AOTCacheOutput=%PENSTOCK_TRAIN%"
"%PENSTOCK_JAVA%" --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow ^
  -XX:+UseParallelGC -XX:InlineSmallCode=1200 "%CACHE%" -Xlog:disable -Xlog:all=warning:stderr -Xlog:aot*=off:stderr ^
  "-Dpenstock.ext=%PENSTOCK_LIB%\ext" -cp "%PENSTOCK_LIB%\penstock.jar;%PENSTOCK_LIB%\ext\*" ^
  dev.penstock.cli.Launcher %*
exit /b %ERRORLEVEL%
