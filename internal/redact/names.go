package redact

import (
	"regexp"
	"strings"
	"sync"
)

// namePatterns judge a name and a value which are already apart, as in JSON. In a text, the rules named
// "assigned-…" in rules.toml do the same.
type namePatterns struct {
	password, token, environment, placeholder, plain *regexp.Regexp
}

var names = sync.OnceValue(func() namePatterns {
	return namePatterns{
		// Only at the end: passwordSecretRef, tokenURL and secretName tell where something is.
		password: regexp.MustCompile(`(?i)(?:passw(?:or)?d|passphrase|pwd|_pass|bindpw|client[_-]?secret|api[_-]?key|access[_-]?key|account[_-]?key|private[_-]?key|client-key-data|keydata|authorization|auth[_-]?token|bearer[_-]?token|access[_-]?token|refresh[_-]?token)\d{0,2}$`),
		token:    regexp.MustCompile(`(?i)(?:token|secret|secret[_-]?key|credentials?)\d{0,2}$`),
		// Names of variables are in capitals; their values are rarely names of objects.
		environment: regexp.MustCompile(`^[A-Z][A-Z0-9_]*$`),
		placeholder: regexp.MustCompile(`(?i)^(?:[*+]*|x{3,}|<[^>]*>|\$\{.*\}|\$\(.*\)|\$[A-Z_][A-Z0-9_]*|\$[a-z][\w-]*(?:[.:][\w-]+)+|\{\{.*\}\}|true|false|null|nil|none|yes|no)$`),
		// A word, a name of an object, a path, or a duration.
		plain: regexp.MustCompile(`^(?:[A-Za-z_]{1,24}|[a-z]+|[a-z0-9]+(?:[-./][a-z0-9]+)+|[./].*|.{1,7}|.*\s.*)$`),
	}
})

// namesSecret reports whether value is a secret because of its name, such as a key, a variable or a flag. A value of a
// plain form is not, if the name is one that also refers to Secrets by name.
func namesSecret(name, value string) bool {
	p := names()
	// checksum/secret is the usual annotation that restarts pods.
	if name == "" || strings.HasPrefix(name, "checksum/") || p.placeholder.MatchString(value) {
		return false
	}
	if name == "PWD" || name == "OLDPWD" {
		return false // the working directory
	}
	if p.password.MatchString(name) {
		return true
	}
	return p.token.MatchString(name) && (p.environment.MatchString(name) || uuid().MatchString(value) || !p.plain.MatchString(value))
}

// isPasswordName is namesSecret for a number, which is never a name.
func isPasswordName(name string) bool { return names().password.MatchString(name) }

var uuid = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)
})
