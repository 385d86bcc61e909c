package named

import (
	"strings"

	"github.com/argo-why/argo-why/internal/redact/secretname"
)

// passwordFlag hides the item behind "-p" in a list of arguments that names a user too: ["-u", "app", "-p", "x"]. Without the
// user it may as well be a port or a path.
func (f *finder) passwordFlag(at, end int) {
	s := f.s
	if !isQuote(byte(before(s, at))) || end >= len(s) || !isQuote(s[end]) && s[end] != '\\' {
		return
	}
	from := strings.LastIndexByte(s[max(0, at-maxAround):at], '[')
	if from < 0 {
		return
	}
	list := f.words(max(0, at-maxAround) + from + 1)
	user := false
	for _, word := range list {
		switch s[word.Start:word.End] {
		case "-u", "-U", "--user", "--username":
			user = true
		}
	}
	for i := 1; i < len(list) && user; i++ {
		if value := s[list[i].Start:list[i].End]; list[i-1].Start == at && !isNumber(value) {
			f.argument(secretname.Of("password"), taker{}, list[i])
		}
	}
}
