package workspace

import (
	"net/url"
	"strings"
)

// Locate is the reverse of Permalink: which message an address means. The thread is that of a reply, else empty.
func (w *Workspace) Locate(link string) (channelID, ts, thread string, ok bool) {
	u, err := url.Parse(link)
	if err != nil || u.Host != w.opt.Domain+".slack.com" {
		return "", "", "", false
	}
	channelID, p, ok := strings.Cut(strings.TrimPrefix(u.Path, "/archives/"), "/p")
	const places = 6 // of a ts, after its point
	if !ok || len(p) <= places {
		return "", "", "", false
	}
	return channelID, p[:len(p)-places] + "." + p[len(p)-places:], u.Query().Get("thread_ts"), true
}
