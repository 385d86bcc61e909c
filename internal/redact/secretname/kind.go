package secretname

import "strings"

// Class says how sure a name is, which decides what a value may look like and still be shown.
type Class int

const (
	// None is the name of no secret.
	None Class = iota
	// Ambiguous is a token, a secret or credentials: also what a reference to one is called.
	Ambiguous
	// Address is a connection string or a webhook, whose secret is a part of it.
	Address
	// Code is a PIN or a one-time password: a few digits.
	Code
	// Key is key material, or the path of its file.
	Key
	// Password is always a secret.
	Password
)

// Kind is what a name says of its value.
type Kind struct {
	Class Class
	// Plural names a list or a map of secrets.
	Plural bool
	// Environment is a name of a variable, of several words in capitals: its value is rarely the name of an object.
	Environment bool
	// lone is "pass" as the whole name, also a count of tests; directory is PWD, the working directory; value is a name that
	// is not used for the names of objects: token, clientSecret; compound is such a name of several words, or registryAuth.
	lone, directory, value, compound bool
	// weak is a name that says little: only a value that a program made is a secret.
	weak bool
}

// Of reads a name: a key, a variable, a flag, a path in a document.
func Of(name string) Kind {
	name = strings.TrimLeft(name, "-/.")
	if strings.HasPrefix(name, "checksum/") { // the usual annotation that restarts pods
		return Kind{}
	}
	if name == "PAT" { // a personal access token; in small letters it is half a word
		return Kind{Class: Key}
	}
	if account, _, ok := strings.Cut(name, ".account.key."); ok { // and the host that it is for, of Hadoop
		name = account + ".account.key"
	}
	if slash := strings.LastIndexByte(name, '/'); slash >= 0 {
		name = name[slash+1:]
	}
	var w words
	w.split(name)
	k := w.kind()
	if k.Class == None && len(name) <= maxName && looksMixed(name) { // pAsSwOrD
		w = words{}
		w.split(strings.ToLower(name))
		k = w.kind()
	}
	if k.Class == None {
		return k
	}
	last := name[strings.LastIndexByte(name, '.')+1:]
	k.Environment = isEnvironment(last) && w.n > 1
	k.lone = w.n == 1 && string(w.word(0)) == "pass"
	k.value = !w.isSecretOf()
	k.compound = w.n > 1 && (k.value || string(w.word(0)) == "auth")
	k.directory = name == "PWD" || name == "OLDPWD"
	if k.Class == Ambiguous && w.pointsElsewhere() {
		return Kind{}
	}
	return k
}

func (w *words) kind() Kind {
	for ; w.n > 0; w.drop() {
		if k := w.last(); k.Class != None {
			return k
		}
		// passwordOld is a password, and so is authTokenValue. data, test and v alone are nothing.
		// A secret's hash is an annotation that restarts pods; a password's can be cracked.
		if w.n == 1 || !modifiers[string(w.word(0))] || string(w.word(0)) == "hash" && string(w.word(1)) == "secret" {
			return Kind{}
		}
	}
	return Kind{}
}

// last reads the last words as the name of a secret.
func (w *words) last() Kind {
	last, before := w.word(0), w.word(1)
	if before != nil {
		var phrase [2*maxName + 2]byte
		two := append(append(append(phrase[:0], before...), ' '), last...)
		if k, ok := joined[string(two)]; ok {
			return k
		}
		if third := w.word(2); third != nil {
			var longer [3*maxName + 2]byte
			if k, ok := joined[string(append(append(append(longer[:0], third...), ' '), two...))]; ok {
				return k
			}
		}
		if plural := string(last) == "keys"; (plural || string(last) == "key") && isKeyOwner(before) {
			return Kind{Class: Key, Plural: plural}
		} else if string(last) == "key" && !harmlessKeys[string(before)] {
			return Kind{Class: Ambiguous, weak: true}
		}
		if string(last) == "pass" && string(before) == "by" {
			return Kind{}
		}
	}
	if k, ok := single[string(last)]; ok {
		return k
	}
	return unsplit(last)
}

// isKeyOwner recognises what makes a key a secret one, also at the end of a longer word: mysecretkey, dbencryption_key.
func isKeyOwner(word []byte) bool {
	if keys[string(word)] {
		return true
	}
	for i := range word {
		if i > 0 && len(word)-i >= 3 && keys[string(word[i:])] {
			return true
		}
	}
	return false
}

// unsplit reads a word that is several, written without a gap.
func unsplit(word []byte) Kind {
	if chance[string(word)] {
		return Kind{}
	}
	for _, s := range suffixes {
		if n := len(word) - len(s.end); n >= 0 && string(word[n:]) == s.end {
			return s.kind
		}
	}
	for _, end := range [...]string{"keys", "key"} {
		if n := len(word) - len(end); n >= 3 && string(word[n:]) == end && isKeyOwner(word[:n]) {
			return Kind{Class: Key, Plural: end == "keys"}
		}
	}
	if n := len(word) - 2; n > 1 && string(word[n:]) == "pw" && pwOwners[string(word[:n])] {
		return Kind{Class: Password}
	}
	return Kind{}
}

// isSecretOf recognises secrets, and a secret of something, such as tlsSecret: often the name of an object.
func (w *words) isSecretOf() bool {
	last := string(w.word(0))
	return last == "secrets" || last == "auth" || last == "secret" && w.n > 1 && !secretOwners[string(w.word(1))]
}

// pointsElsewhere reports whether the name is that of an object's name: existingSecret, externalSecrets.
func (w *words) pointsElsewhere() bool {
	for i := range w.n {
		if elsewhere[string(w.word(i))] {
			// A token is not called by the name of the object that it is in: imagePullSecretToken.
			return i == 0 || string(w.word(0)) != "token" || string(w.word(i)) == "existing"
		}
	}
	return false
}
