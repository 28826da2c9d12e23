// Package packages proves what is handed out: the scripts, the archives, the package for Debian, the program for Windows.
package packages
