// Package redact removes secrets from every text that leaves the process: reports, case files, chat messages.
//
// It promises that a secret of a known form (a token of a known service, a password in a URL, a header, a flag or an
// assignment, a private key, the data of a Secret) is replaced by [Replacement], that the text around it is kept byte
// for byte, except that a text with a secret loses its colours, and that redacting twice changes nothing further. It does
// not promise to find a secret that looks like an ordinary word and that nothing calls a secret.
//
// A text passes through these layers, and again until nothing more is found (redact.go):
//
//	forms      tokens, URLs, headers, commands, places: gitleaks' rules and the TOML files, tried at their keywords (keywords.go, rule.go)
//	names      the value behind the name of a secret, in any notation (packages named and secretname)
//	Secrets    their data in YAML and diffs (manifest.go), in other notations (secret_notation.go), in documents (json.go)
//	lines      what is left of a private key that was cut (lines.go)
//	disguises  all of these once more in views of the text: without escapes, colours, line ends, base64 (disguise.go, encoded.go, wrapped.go)
//	repeats    what was found, wherever else it stands (repeats.go)
//	chance     if all of these find nothing, words that only a program makes (random.go)
//
// The rules are those of the gitleaks library, extended by the TOML files of this package in gitleaks' own format;
// docs/adr/0003-redaction-with-gitleaks-rules.md says why.
package redact
