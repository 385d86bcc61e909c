package message

import "testing"

func TestCodesAreWords(t *testing.T) {
	for _, c := range []struct {
		said, code string
		want       bool
	}{
		{"getaddrinfo enotfound redis", "enotfound", true},
		{"modulenotfounderror: no module named 'gevent'", "enotfound", false},
		{"filenotfounderror; code: 'enotfound'", "enotfound", true},
		{"org.springframework.web.client.resourceaccessexception", "eacces", false},
		{"error: eacces: permission denied", "eacces", true},
		{"zerofs", "erofs", false},
		{"econnrefused", "econnrefused", true},
		{"connectexception", "exception", true},
	} {
		if got := HasAny(c.said, c.code); got != c.want {
			t.Errorf("HasAny(%q, %q) is %v", c.said, c.code, got)
		}
	}
}
