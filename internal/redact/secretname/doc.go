// Package secretname knows what secrets are called, and what a value that only refers to a secret looks like. It is the one
// vocabulary for everything that goes by names: texts, JSON, drift, diffs and patches ask it.
//
// A name is read as words, whatever its notation: DB_PASSWORD, dbPassword, db.password and db-password are the same, and
// only the last words decide. passwordSecretRef, tokenURL, secretName and TOKEN_TTL say where or how a secret is, and are none.
package secretname
