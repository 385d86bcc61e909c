// Package clean removes secrets from evidence where it enters a diagnosis: from whole texts, before any of them is taken
// apart, joined, quoted or shortened. A password in a URL is known by the host behind it, a token by its length: when a
// rule has cut either off, nobody can tell that what is left is a secret.
//
// What comes out of this package is safe to quote. Evidence without secrets is returned as it is, not copied.
package clean
