package secretname

import (
	"strings"
)

// Where says how sure it is that a value belongs to a name.
type Where int

const (
	// Quoted is a key and a value of a document, or an element of it.
	Quoted Where = iota
	// Assigned is a name and a value in a text: A=x, a line "a: x", a flag and its argument.
	Assigned
	// Sentence is a word that follows a name, which may as well be prose.
	Sentence
)

// Hides reports whether the value is a secret, given what its name says.
func (k Kind) Hides(value string, where Where) bool {
	if Placeholder(value) || k.directory && isPath(value) {
		return false
	}
	switch k.Class {
	case None:
	case Password:
		if k.lone && isCount(value) {
			return false
		}
		return where != Sentence || looksRandom(value)
	case Key:
		if isPath(value) || isHash(value) || isReference(value) && Of(value).Class != None { // apiKeyKey: api-key
			return false
		}
		return where == Quoted || where == Assigned && !strings.Contains(value, " ") || looksRandom(value) || hasRandomWord(value) && !IsMessage(value)
	case Ambiguous:
		return !k.refers(value, where) && (!k.weak || where != Sentence && isGenerated(value))
	case Address:
		return hidesInAddress(value)
	case Code:
		return 4 <= len(value) && len(value) <= 12 && strings.Trim(value, "0123456789-") == "" && where != Sentence || len(value) >= 16 && !isReference(value)
	}
	return false
}

// refers reports whether the value of a token or a secret is what it is called, where it is, or what is said of it.
func (k Kind) refers(value string, where Where) bool {
	if isPath(value) || isServer(value) || isScheme(value) || isAmount(value) || isHash(value) || strings.Contains(value, "://") && !hidesInAddress(value) {
		return true
	}
	if strings.ContainsAny(value, " \t\n") {
		return where == Sentence || IsMessage(value) || !hasRandomWord(value)
	}
	switch {
	case IsUUID(value):
		return false
	case k.Environment:
		return where == Sentence && isReference(value)
	case where == Quoted && k.value:
		return isObjectName(value)
	}
	return isReference(value) && (where == Sentence || !k.isCoined(strings.TrimRight(value, "?!.,"))) || len(value) < 8
}

// isGenerated recognises what only a program makes: 16 letters and digits or more, in one piece, that are no digest.
func isGenerated(v string) bool {
	if len(v) < 16 || IsUUID(v) || isDigest(v) || strings.Trim(v, "0123456789") == "" {
		return false
	}
	digits := 0
	for i := range len(v) {
		switch c := v[i]; {
		case isDigit(c):
			digits++
		case !isLower(c) && !isUpper(c) && strings.IndexByte("+/=_-", c) < 0:
			return false
		}
	}
	return digits > 1 && looksRandom(v) || Made(v)
}

// isDigest recognises the digits of SHA-1 and its successors.
func isDigest(v string) bool {
	return len(v) >= 40 && len(v)%8 == 0 && strings.Trim(v, "0123456789abcdef") == ""
}

// isCoined recognises a word that is no word of a language, but made up. Behind authToken it is any that says nothing of a token.
func (k Kind) isCoined(v string) bool {
	if len(v) < 8 || strings.Trim(v, "abcdefghijklmnopqrstuvwxyz") != "" {
		return false
	}
	if k.compound {
		return !IsMessage(v) && Of(v).Class == None
	}
	return Unspeakable(v)
}

// Placeholder reports whether a value is as a whole no value: a variable, a template, a mask, true, null.
func Placeholder(v string) bool {
	if len(v) > longestPlaceholder && strings.Trim(v, "*+") != "" {
		return false
	}
	if mask := strings.Trim(v, "*+•.#…"); v == "" || mask == "" || len(mask)+4 < len(v) && masks[strings.ToLower(mask)] || len(v) >= 3 && strings.Trim(v, "xX") == "" {
		return true
	}
	switch first, last := v[0], v[len(v)-1]; {
	case v == "?", strings.HasPrefix(v, "<path:") && last == '>': // a parameter of SQL; a reference of the Argo CD Vault plugin
		return true
	case strings.HasPrefix(v, "(*") && strings.Contains(v, ")(0x") && last == ')': // a pointer, as Go prints it
		return true
	case first == '<' && last == '>':
		return !strings.ContainsAny(v[1:len(v)-1], "<>") && !looksRandom(v[1:len(v)-1])
	case first == '$':
		return isVariable(v[1:])
	case strings.HasPrefix(v, "{{") && strings.HasSuffix(v, "}}"):
		return isTemplate(v)
	case first == '%':
		return isVerb(v)
	case first == '#' && strings.HasPrefix(v, "#{") && last == '}':
		return strings.IndexByte(v, '}') == len(v)-1
	case first == '@' && last == '@' && len(v) > 2, strings.HasPrefix(v, "__") && strings.HasSuffix(v, "__"):
		return isWordList(strings.Trim(v, "@_"))
	case first == '[' && last == ']', first == '(' && last == ')':
		inner := strings.ToLower(v[1 : len(v)-1])
		return masks[inner] || inner == "sensitive value" || inner == "known after apply" // of Terraform
	}
	size, isSize := strings.CutSuffix(v, " bytes") // as kubectl describes a Secret
	return isWordOfNothing(v) || isStandIn(v) || isStored(v) || isSize && strings.Trim(size, "0123456789") == ""
}

// longestPlaceholder is far more than a template takes. In a longer one, each default of a variable could have another one in it.
const longestPlaceholder = 4 << 10

var masks = setOf(`redacted masked filtered hidden secure sensitive removed secret omitted null nil none unset empty`)

var nothings = setOf(`true false null nil none yes no undefined ~ redacted masked <nil> none,`)

func isWordOfNothing(v string) bool { return len(v) <= 9 && nothings[strings.ToLower(v)] }

// isVariable reads what follows a dollar sign: one variable, one substitution, or Argo CD's reference $secret:key.
func isVariable(v string) bool {
	if v == "" {
		return false
	}
	if strings.Trim(v, "0123456789") == "" { // $1 of SQL
		return len(v) <= 2
	}
	closing := byte(0)
	switch v[0] {
	case '{':
		closing = '}'
	case '(':
		closing = ')'
	}
	if closing != 0 {
		if strings.HasPrefix(v, "{{") { // GitHub's ${{ secrets.X }}
			return isTemplate(v)
		}
		if closesAt(v, v[0], closing) != len(v)-1 {
			return false
		}
		if i := strings.Index(v, ":-"); closing == '}' && i >= 0 { // the default of a variable may be a password
			return Placeholder(v[i+2 : len(v)-1])
		}
		return true
	}
	if isUpper(v[0]) || v[0] == '_' {
		return strings.IndexFunc(v, func(r rune) bool { return !('A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_') }) < 0
	}
	if !isWordList(v) {
		return false
	}
	return strings.ContainsAny(v, ".:") || Of(v).Class != None
}

// closesAt is where the bracket closes that v begins with.
func closesAt(v string, opening, closing byte) int {
	depth := 0
	for i := range len(v) {
		switch v[i] {
		case opening:
			depth++
		case closing:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// isTemplate recognises {{ … }}, also several of them with nothing in between.
func isTemplate(v string) bool {
	for v != "" {
		if !strings.HasPrefix(v, "{{") {
			return false
		}
		i := strings.Index(v, "}}")
		if i < 0 {
			return false
		}
		v = strings.TrimLeft(v[i+2:], " }")
	}
	return true
}

// isVerb recognises %s, %+v, %(name)s, %{name} and %NAME%.
func isVerb(v string) bool {
	switch {
	case len(v) <= 3:
		return isLower(v[len(v)-1])
	case v[1] == '(' || v[1] == '{':
		end := strings.IndexAny(v, ")}")
		return end >= len(v)-2 && isWordList(v[2:end])
	}
	return v[len(v)-1] == '%' && isWordList(v[1:len(v)-1])
}

// isStandIn recognises what documentation has in place of a value: YOUR_TOKEN, DB_PASSWORD, your-api-key.
func isStandIn(v string) bool {
	if v == "REPLACE_ME" || v == "CHANGE_ME" || v == "REPLACEME" || v == "TODO" {
		return true
	}
	if lower := strings.ToLower(v); strings.HasPrefix(lower, "your_") || strings.HasPrefix(lower, "your-") {
		return isWordList(v) && strings.IndexFunc(v, func(r rune) bool { return '0' <= r && r <= '9' }) < 0
	}
	if !isUpper(v[0]) || !isEnvironment(v) || strings.Count(v, "_") > 3 || strings.IndexFunc(v, func(r rune) bool { return '0' <= r && r <= '9' }) >= 0 {
		return false
	}
	switch v[strings.LastIndexByte(v, '_')+1:] {
	case "TOKEN", "PASSWORD", "PASSWD", "PASSPHRASE", "SECRET", "KEY", "USER", "USERNAME", "CREDENTIAL", "CREDENTIALS", "VALUE":
		return true
	}
	return false
}

// stores begin the address of a value in a store of secrets, or one that is encrypted.
var stores = []string{"op://", "os.environ/", "ref+", "vault:", "arn:aws:secretsmanager:", "arn:aws:ssm:", "ENC[", "!vault", "@Microsoft.KeyVault(", "sm://", "secretsmanager:", "!Ref ", "!Sub ", "!GetAtt ",
	"process.env.", "os.environ[", "import.meta.env.", "System.getenv(", "ENV["}

func isStored(v string) bool {
	for _, s := range stores {
		if strings.HasPrefix(v, s) {
			return !strings.ContainsAny(v, " \n") || v[0] == '!'
		}
	}
	return false
}
