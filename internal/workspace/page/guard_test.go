package page_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/workspace/page"
)

func TestOnlyThisMachinesOwnPageGetsIn(t *testing.T) {
	reached := http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) { rw.WriteHeader(http.StatusNoContent) })
	for name, tt := range map[string]struct {
		method, host, origin, site string
		want                       int
	}{
		"the page":                         {"POST", "localhost:8080", "http://localhost:8080", "same-origin", http.StatusNoContent},
		"by address":                       {"POST", "127.0.0.1:8080", "http://127.0.0.1:8080", "", http.StatusNoContent},
		"by IPv6 address":                  {"GET", "[::1]:8080", "", "", http.StatusNoContent},
		"without a port":                   {"GET", "[::1]", "", "", http.StatusNoContent},
		"another site's form":              {"POST", "localhost:8080", "https://evil.example", "cross-site", http.StatusForbidden},
		"another port's form":              {"POST", "localhost:8080", "http://localhost:9999", "same-site", http.StatusForbidden},
		"an old browser, another site":     {"POST", "localhost:8080", "https://evil.example", "", http.StatusForbidden},
		"a name that leads here":           {"GET", "evil.example:8080", "", "", http.StatusMisdirectedRequest},
		"a form under that name":           {"POST", "evil.example", "http://evil.example", "same-origin", http.StatusMisdirectedRequest},
		"a name that begins like ours":     {"GET", "127.0.0.1.evil.example", "", "", http.StatusMisdirectedRequest},
		"the address on the local network": {"GET", "192.168.1.5:8080", "", "", http.StatusMisdirectedRequest},
		"no name":                          {"GET", "", "", "", http.StatusMisdirectedRequest},
	} {
		t.Run(name, func(t *testing.T) {
			r := httptest.NewRequestWithContext(t.Context(), tt.method, "/", nil)
			r.Host = tt.host
			if tt.origin != "" {
				r.Header.Set("Origin", tt.origin)
			}
			if tt.site != "" {
				r.Header.Set("Sec-Fetch-Site", tt.site)
			}
			rec := httptest.NewRecorder()
			page.Guard(reached).ServeHTTP(rec, r)
			if rec.Code != tt.want {
				t.Errorf("got %d, want %d", rec.Code, tt.want)
			}
		})
	}
}

func TestEveryAnswerCarriesThePolicy(t *testing.T) {
	s := newScene(t, func(o *page.Options) { o.Style = []byte(".demo {}") })
	for _, path := range []string{"/", "/channel/deploys", "/static/script.js", "/static/style.css", "/sections.css", "/nowhere"} {
		answer, err := s.site.Client().Do(s.request(t, http.MethodGet, path, nil))
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		policy := answer.Header.Get("Content-Security-Policy")
		for _, part := range []string{"default-src 'none'", "script-src 'self'", "style-src 'self'", "base-uri 'none'", "frame-ancestors 'none'"} {
			if !strings.Contains(policy, part) {
				t.Errorf("%s: policy %q lacks %q", path, policy, part)
			}
		}
		if strings.Contains(policy, "unsafe") {
			t.Errorf("%s: policy %q", path, policy)
		}
		for name, want := range map[string]string{
			"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cross-Origin-Resource-Policy": "same-origin",
		} {
			if got := answer.Header.Get(name); got != want {
				t.Errorf("%s: %s is %q, not %q", path, name, got, want)
			}
		}
	}
}
