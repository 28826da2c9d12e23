// Package web is the door over HTTP: JSON, streams, WebSockets and the dashboard, locked by default.
package web
