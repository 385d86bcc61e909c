// Package redact removes secrets from every text that leaves the process: reports, case files, chat messages.
//
// It promises that a secret of a known form (a token of a known service, a password in a URL, a header, a flag or an
// assignment, a private key, the data of a Secret) is replaced by [Replacement], that the text around it is kept byte
// for byte, except that a text with a secret loses its colours, and that redacting twice changes nothing further. It does
// not promise to find a secret that looks like an ordinary word and that nothing calls a secret.
//
// The rules are those of the gitleaks library, extended by the TOML files of this package in gitleaks' own format;
// docs/adr/0003-redaction-with-gitleaks-rules.md says why.
package redact
