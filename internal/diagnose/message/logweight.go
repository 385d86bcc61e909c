package message

import (
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose/pattern"
)

// reasons are the words of lines that say why something failed.
var reasons = []string{
	"refused", "no such host", "timed out", "timeout", "denied", "unauthorized", "forbidden", "authentication failed",
	"does not exist", "doesn't exist", "not found", "no such file", "already exists", "cannot ", "can't ", "could not",
	"couldn't", "unable to", "invalid ", "violates", "duplicate", "dirty database", "out of memory", "oomkilled", "no space left",
	"command not found", "x509", "certificate", "syntax error", "is locked", "undefined", "closed the connection",
	"reset by peer", "unreachable", "missing", "locked", "mismatch", "unknown database", "deadlock", "max_connections",
	"too many", "unbound variable", "parameter not set", "bad address", "exec format", "panicked at", "called `result::unwrap()`",
	"not set", "required", "name does not resolve", "name resolution", "enotfound", "notfounde", "no module named", "econnrefused", "no matching",
	"segmentation fault", "pending migrations", "unapplied migrations", "no response", "but got", ", expected ", "must install or update",
	"not applied to database", "conflicting migrations", "bad file format", "is not valid", "is too low", "operation not permitted",
}

// abroad are how PostgreSQL and other programs that are translated call an error, with ASCII letters in lower case.
var abroad = []string{
	"fehler:", "erreur:", "erreur :", "errore:", "erro:", "hata:", "chyba:", "fel:", "bŁĄd:", "błąd:", "ОШИБКА:", "Ошибка:", "ошибка:", "ВАЖНО:", "ПОМИЛКА:", "Помилка:",
	"エラー:", "エラー：", "错误:", "错误：", "錯誤:", "錯誤：", "오류:", "오류 :",
}

// signs are what error lines carry, the heavier the more surely the line is the error itself and not a consequence.
var signs = []struct {
	words  []string
	weight int
}{
	{[]string{"panic:", "fatal error:", "caused by:", "fatal:", "fatal ", "fata[", "unhandled exception", "uncaught ", "[fatal]", "reason:", "--->", "bootstrap check failure"}, 60},
	{[]string{"error:", "error ", "exception", "\"error\"", "level=error", "errno", "[error]", "err=", "sqlstate", "error(", ". errors:", "error]", "err]", "failed:", "erro["}, 50},
	{abroad, 50},
	{reasons, 30},
	{[]string{"failed", "failure", "fail: "}, 20},
	{[]string{"exited with", "exit code", "exit status", "exiting", "rolling back", "rollback", "migration failed", "aborting", "aborted", "shutting down", "elifecycle", "application run failed", "have failed validation", "command failed", "failed to start server", "failed executing dbcommand", "giving up"}, -25},
	{[]string{"retrying", "will retry", "attempt ", "warn", "deprecat", "0 errors", "no error", "errors: 0", "0 failed", "waiting for", "connecting to"}, -15},
}

// endsFailed is a line that says that something failed, and not why.
var endsFailed = pattern.MustCompile(`(?i)\b(?:failed|failure|unsuccessful(?:ly)?|errors?)[.!]*$`)

// calm is the level of a line that reports no error, where loggers write it: in front, perhaps behind a stamp, a thread or a place.
var calm = pattern.MustCompile(`^(?:\S+ ){0,4}?[\[(|]?\s*(?:INFO|DEBUG|TRACE|NOTICE|VERBOSE|info|debug|trace|DBG|INF)\b\]?`)

func weight(l string) int {
	if lowerASCII(l) == "killed" { // what a shell prints of a process that ran out of memory
		return most
	}
	lower := lowerASCII(l)
	n := plain
	for _, s := range signs {
		if HasAny(lower, s.words...) {
			n += s.weight
		}
	}
	if !strings.Contains(l, ": ") && endsFailed.MatchString(l) || consequences.MatchString(l) {
		n -= 25
	}
	if innerCause.MatchString(l) || strings.Contains(l, "::") && strings.Contains(l, " but is now") { // Liquibase's change set
		return traced
	}
	if calm.MatchString(Unstamped(l)) {
		n = calmed(lower, n)
	}
	return min(max(n, 0), most)
}

// calmed is the weight of a line whose logger takes it for no error. One that names a reason all the same outweighs its neighbours.
func calmed(said string, n int) int {
	if HasAny(lowerASCII(said), reasons...) {
		return min(n, quiet)
	}
	return min(n, plain)
}

// consequences are lines that say of something that it failed, whose reason another line has.
var consequences = pattern.MustCompile(`(?i)\bmigrations? \S+ failed\b|\bfailed with (?:exit )?(?:code|status)\b|^command .* failed|\bmigration of schema .* failed!`)

// innerCause begins the lines behind which an exception names the one that caused it: Java's, and .NET's.
var innerCause = pattern.MustCompile(`^(?:Caused by: |---> )`)
