package message

import (
	"bytes"
	"strings"
)

// mask blanks what a text only names: URLs, quoted names, file paths, quoted command lines and dumped values. A chart may
// be called oauth2-proxy, a branch denied, a Job's template may have any word in it. The length stays, so that a place in
// the masked text is the same place in the text.
func mask(lower string) string {
	b := []byte(lower)
	maskBetween(b, '`')
	maskDumps(b, lower)
	maskHosts(b, lower)
	for from := 0; from < len(b); {
		end := from
		for end < len(b) && b[end] != ' ' {
			end++
		}
		maskWord(b[from:end])
		from = end + 1
	}
	return string(b)
}

// maskWord blanks a word that is a path or URL, or the single word between quotes in it.
func maskWord(w []byte) {
	core := w
	for len(core) > 0 && strings.IndexByte(":,;.)]\"'", core[len(core)-1]) >= 0 {
		core = core[:len(core)-1]
	}
	for len(core) > 0 && strings.IndexByte("([\"'", core[0]) >= 0 {
		core = core[1:]
	}
	slash := strings.IndexByte(string(core), '/')
	if slash >= 0 && len(core) > 4 && !shortTerm(string(core)) {
		blank(core)
		return
	}
	for _, q := range []byte{'"', '\''} {
		if open := strings.IndexByte(string(w), q); open >= 0 {
			if n := strings.IndexByte(string(w[open+1:]), q); n >= 0 {
				blank(w[open+1 : open+1+n])
			}
		}
	}
}

// shortTerm are words with a slash that are no paths.
func shortTerm(w string) bool {
	switch strings.Trim(w, "\"'(") {
	case "i/o", "net/http", "fork/exec", "and/or", "client/server":
		return true
	}
	return false
}

// beforeHost is what stands in front of a host that is looked up or connected to.
var beforeHost = []string{"lookup ", "could not resolve host: ", "resolve hostname ", "connect to host ", "no such host: "}

// maskHosts blanks names of hosts: one may be called forbidden.example.com. Those of a single label are left, which are services of the
// same namespace.
func maskHosts(b []byte, lower string) {
	for _, head := range beforeHost {
		for from := 0; ; {
			i := strings.Index(lower[from:], head)
			if i < 0 {
				break
			}
			from += i + len(head)
			n := strings.IndexAny(lower[from:], " :,\"'")
			if n < 0 {
				n = len(lower) - from
			}
			if strings.IndexByte(lower[from:from+n], '.') > 0 {
				blank(b[from : from+n])
			}
		}
	}
}

// maskDumps blanks the Go values that the API server prints: `Invalid value: core.PodTemplateSpec{…}: `.
func maskDumps(b []byte, lower string) {
	const (
		head     = "invalid value: "
		typeName = 60 // the longest name of a Go type, in bytes
	)
	last := strings.LastIndex(lower, "}: ")
	for from := 0; ; {
		i := strings.Index(lower[from:], head)
		if i < 0 {
			return
		}
		from += i + len(head)
		rest := lower[from:]
		open := strings.IndexByte(rest[:min(len(rest), typeName+1)], '{')
		end := last - from
		if open < 0 || end < open || strings.ContainsAny(rest[:open], " :") {
			continue
		}
		blank(b[from+open+1 : from+end])
		from += end
	}
}

// maskBetween blanks what is between two of a mark.
func maskBetween(b []byte, mark byte) {
	for from := 0; from < len(b); {
		i := bytes.IndexByte(b[from:], mark)
		if i < 0 {
			return
		}
		start := from + i + 1
		n := bytes.IndexByte(b[start:], mark)
		if n < 0 {
			return
		}
		blank(b[start : start+n])
		from = start + n + 1
	}
}

func blank(b []byte) {
	for i := range b {
		b[i] = '_'
	}
}
