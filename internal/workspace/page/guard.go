package page

import (
	"net"
	"net/http"
	"net/netip"
)

// policy lets nothing in but what the page itself serves: what an application's error says never runs, wherever it ends
// up in the HTML.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// Guard lets in what this machine's own page asks, and nothing that another site makes a browser ask: the host has to be
// a loopback one, so that no name of somebody else's leads here, a POST has to come from the same origin, and no answer can
// be loaded into another site's page, also not into that of another port. All answers carry the policy. What is served beside the page, for its sections, wants it too.
func Guard(next http.Handler) http.Handler {
	next = http.NewCrossOriginProtection().Handler(next)
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		h := rw.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		if !loopback(r.Host) {
			http.Error(rw, "This page is only available at localhost and 127.0.0.1.", http.StatusMisdirectedRequest)
			return
		}
		next.ServeHTTP(rw, r)
	})
}

func loopback(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	if host == "localhost" {
		return true
	}
	if n := len(host); n > 1 && host[0] == '[' && host[n-1] == ']' {
		host = host[1 : n-1]
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback()
}
