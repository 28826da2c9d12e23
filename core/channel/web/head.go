package web

import (
	"bytes"
	"net/http"
	"strings"

	"github.com/valyala/fasthttp"
)

// single are the lines that a head may have once. Two of them would let whoever stands before the door read another
// request than it does.
var single = []string{fasthttp.HeaderHost, fasthttp.HeaderAuthorization, fasthttp.HeaderCookie, fasthttp.HeaderOrigin,
	fasthttp.HeaderContentType, fasthttp.HeaderContentLength, fasthttp.HeaderTransferEncoding}

// oddHead refuses heads that can be read in two ways: lines that are folded, end without a carriage return or hold control
// characters; lines twice that mean one thing; and two lengths of the body. The server beneath reads all of them somehow.
func oddHead(h *fasthttp.RequestHeader) error {
	seen := 0
	for line := range bytes.SplitSeq(h.RawHeaders(), []byte("\n")) {
		if len(line) == 0 || len(line) == 1 && line[0] == '\r' {
			continue // the end
		}
		name, ok := plainLine(line)
		if !ok {
			return brokenHead("It has a line that is not written as HTTP wants it.")
		}
		for i, s := range single {
			if !strings.EqualFold(s, string(name)) {
				continue
			}
			if seen&(1<<i) != 0 {
				return brokenHead("It says " + s + " twice.")
			}
			seen |= 1 << i
		}
	}
	const lengths = 3 << 5 // the last two of single
	if seen&lengths == lengths {
		return brokenHead("It gives its length in two ways.")
	}
	return nil
}

// plainLine gives the name of a line "Name: value\r".
func plainLine(line []byte) (name []byte, ok bool) {
	text, ends := bytes.CutSuffix(line, []byte("\r"))
	if !ends || bytes.ContainsFunc(text, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }) {
		return nil, false
	}
	name, _, ok = bytes.Cut(text, []byte(":"))
	return name, ok && len(name) > 0 && !bytes.ContainsAny(name, " \t")
}

func brokenHead(why string) error {
	return fault(http.StatusBadRequest, "bad_request", "", "The head of the request is not clear. %s", why)
}
