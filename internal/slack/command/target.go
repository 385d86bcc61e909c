package command

import (
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/argo-why/argo-why/internal/pageurl"
	"github.com/argo-why/argo-why/internal/sanitize"
)

// name is what Kubernetes allows for the name of an application: a DNS subdomain.
var name = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$`) })

// read takes one word for the application: NAME, NAMESPACE/NAME, INSTANCE/NAMESPACE/NAME, or the address of its page.
func (t *Target) read(word string) (reply string) {
	parts := strings.Split(strings.ToLower(word), "/")
	if page, ok := pageurl.Parse(word); ok {
		parts, t.Host = page.Path, strings.ToLower(page.Server.Host)
	} else if kind := parts[0]; len(parts) > 1 && (kind == "app" || kind == "application" || kind == "applications" || kind == "application.argoproj.io" || kind == "applications.argoproj.io") {
		parts = parts[1:] // as kubectl prints it
	}
	for _, p := range parts {
		if !name().MatchString(p) || len(parts) > 3 {
			return fmt.Sprintf("%s is not a valid application name. Use `NAME`, `NAMESPACE/NAME`, `INSTANCE/NAMESPACE/NAME`, or the URL of its page in Argo CD.", Code(word))
		}
	}
	t.Name = parts[len(parts)-1]
	for i, field := range []*string{&t.Namespace, &t.Instance} {
		at := len(parts) - 2 - i
		if at < 0 {
			continue
		}
		if *field != "" && *field != parts[at] {
			return fmt.Sprintf("You named both %s and %s. Which one?", Code(*field), Code(parts[at]))
		}
		*field = parts[at]
	}
	return ""
}

// maxShown is how much of what a person wrote is repeated.
const maxShown = 80

// Code shows a word as code, whatever is in it.
func Code(word string) string {
	word = strings.Map(func(r rune) rune {
		if r == '`' || r < ' ' {
			return -1
		}
		return r
	}, word)
	return "`" + sanitize.Start(word, maxShown) + "`"
}
