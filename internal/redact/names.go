package redact

import (
	"regexp"
	"strings"
	"sync"
)

// namePatterns judge a name and a value which are already apart, as in JSON. In a text, the rules named
// "assigned-…" in rules.toml do the same.
type namePatterns struct {
	password, within, elsewhere, token, bare, plural, environment, placeholder, plain *regexp.Regexp
}

var names = sync.OnceValue(func() namePatterns {
	return namePatterns{
		// Only at the end: passwordSecretRef, tokenURL and secretName tell where something is.
		password: regexp.MustCompile(`(?:^|[a-z0-9_.-])(?:[Pp]ass|PASS|pw)\d{0,2}$|^PASS$|^[Pp]ass$|(?i)(?:passw(?:or)?ds?|passphrases?|pwd|_pass|api[_-]?keys|bindpw|client[_-]?secret|api[_-]?key|access[_-]?key|account[_-]?key|private[_-]?key|client-key-data|keydata|authorization|auth[_-]?token|bearer[_-]?token|access[_-]?token|refresh[_-]?token)\d{0,2}$`),
		// Also followed by what does not say where, or how, the password is: passwordOld, db_password_v2.
		within:    regexp.MustCompile(`(?i)(?:passw(?:or)?ds?|passphrase|api[_-]?key|client[_-]?secret|(?:auth|access|bearer|refresh)[_-]?token)[_.-]?(?:old|new|current|previous|value|data|plain|text|plaintext|base64|b64|encoded|hash|v?\d+)$`),
		elsewhere: regexp.MustCompile(`(?i)(?:^|[_.-])(?:by|com|sur|tres|en|under|over)pass\d*$|existing`),
		// What is called just that is the value; a longer name, such as tlsSecret, is often of an object.
		bare:   regexp.MustCompile(`^(?i:(?:.*[_-])?(?:auth|api|bot|app|access|admin|user|webhook|shared|signing|session|jwt|github|gitlab|slack|hmac|root|db|database|deploy|registry|repo|git|oauth2?|login|id|refresh|csrf|vault|ci)?[_-]?(?:token|secret))$|^[a-z]+Token$`),
		plural: regexp.MustCompile(`(?i)(?:passwords|passphrases|tokens|api[_-]?keys|credentials)$`),
		token:  regexp.MustCompile(`(?i)(?:tokens?|secrets?|secret[_-]?key|credentials?)\d{0,2}$`),
		// Names of variables are in capitals; their values are rarely names of objects.
		environment: regexp.MustCompile(`^[A-Z][A-Z0-9_]*$`),
		placeholder: regexp.MustCompile(`(?i)^(?:[*+]*|x{3,}|<[^>]*>|\$\{.*\}|\$\(.*\)|\$[A-Z_][A-Z0-9_]*|\$[a-z][\w-]*(?:[.:][\w-]+)+|\{\{.*\}\}|(?:YOUR_)?(?:API_)?(?:TOKEN|PASSWORD|SECRET|KEY)|redacted|true|false|null|nil|none|yes|no)$`),
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
	// A parameter of a chart is a path, and the last part names the value.
	name = name[strings.LastIndexByte(name, '.')+1:]
	if isPasswordName(name) {
		return true
	}
	if p.elsewhere.MatchString(name) || !p.token.MatchString(name) {
		return false
	}
	if p.bare.MatchString(name) {
		// A sentence about a token is none, neither is the path of a file.
		return !strings.ContainsAny(value, " \n") && !strings.HasPrefix(value, "/") && !strings.HasPrefix(value, "./")
	}
	return p.environment.MatchString(name) || uuid().MatchString(value) || !p.plain.MatchString(value)
}

// isPasswordName is namesSecret for a number, which is never a name.
func isPasswordName(name string) bool {
	p := names()
	name = name[strings.LastIndexByte(name, '.')+1:]
	return (p.password.MatchString(name) || p.within.MatchString(name)) && !p.elsewhere.MatchString(name)
}

// holdsSecrets reports whether a list or a map with that name contains secrets.
func holdsSecrets(name string) bool {
	p := names()
	name = name[strings.LastIndexByte(name, '.')+1:]
	return isPasswordName(name) || p.plural.MatchString(name) && !p.elsewhere.MatchString(name)
}

var uuid = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)
})
