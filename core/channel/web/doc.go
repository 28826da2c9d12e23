// Package web is the door over HTTP: JSON, streams, WebSockets and the dashboard's files, locked by default.
//
// The door listens on this machine alone, unless web.expose, an address and a certificate say otherwise; then it speaks TLS
// only, answers to the certificate's names too, and reads it again when it changes. Whoever shows the token comes in: programs as "Authorization: Bearer", browsers
// with a cookie that a one-time link gave them (Door.Link). The token lies in a file that its owner alone can read; one
// that others could read is replaced. Cookies are signed with it, so they outlive a restart and end with the token.
// Every request must name this machine as its host, and none may come from another site's page. Bodies, heads, requests a
// second, connections, sockets and answers at the same time are bounded, and so is the time that each may take.
//
// Routes are one table (Door.routes); the server, /openapi.json and /docs are made of it. Errors are
// {"error":{"code","message","hint"}} everywhere. What nobody foresaw is logged, and told without its text.
//
// # What the program gives
//
// Config.Assistant answers texts and runs tools; both come with a models.Origin of Channel "web", the request's session and
// the owner as speaker. It tells sentences, actions and approvals while it answers. Config.Models is the router, so that
// consent stands before a cloud here too. Config.Hear and Config.Voice join the decoder, the recogniser and the voice;
// errors that a client can mend wrap ErrMedia. Config.Jobs is the job.Jobs whose Kinds hold Transcription(hear) under
// TranscribeKind. Config.Status and Config.Ready are asked often and must answer from memory. Config.Bus is tapped; events
// of other packages get their names from Config.More. Config.Listening is told the address and the token's file.
//
// # Events
//
// GET /ws first sends {"type":"hello","run","seq"}, then an object for each event with its seq, and {"type":"level"} for the
// microphone's loudness, which has none. A client that comes back with ?run=R&after=N is told what it missed, of the last
// Config.Kept events; {"type":"gap","missed"} says that more is gone, with 0 after a restart of the program.
//
// # Sound
//
// GET /ws/audio carries 16-bit little-endian 16 kHz mono in binary messages both ways; Config.Talk is given the Line. The
// page also sends {"type":"down"} and {"type":"up"} for its button, between the sounds that they belong to. {"type":"hush"} tells it to drop what it has not played;
// {"type":"error","error"} comes before the door closes a line that broke.
//
// A Door is safe for use by several goroutines; Serve may run again once it has returned.
package web
