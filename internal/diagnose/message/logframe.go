package message

import (
	"slices"
	"strings"
	"sync"

	"github.com/argo-why/argo-why/internal/diagnose/pattern"
)

// frameTable finds frames by the byte that they begin with, so that a line is held against a few expressions and not against all.
type frameTable struct {
	first [256]*pattern.Regexp
	// others begin with one of many.
	others []*pattern.Regexp
}

// match reports whether a line, which is not empty, says nothing of its own.
func (t *frameTable) match(l string) bool {
	if first := t.first[l[0]]; first != nil && first.MatchString(l) {
		return true
	}
	return slices.ContainsFunc(t.others, func(other *pattern.Regexp) bool { return other.MatchString(l) })
}

func newFrameTable(patterns []string) *frameTable {
	t := &frameTable{}
	byFirst := map[byte][]string{}
	for _, p := range patterns {
		prefix, _ := pattern.MustCompile(strings.TrimPrefix(p, "^")).LiteralPrefix()
		if prefix == "" {
			t.others = append(t.others, pattern.MustCompile(p))
			continue
		}
		byFirst[prefix[0]] = append(byFirst[prefix[0]], p)
	}
	for b, list := range byFirst {
		t.first[b] = pattern.MustCompile(strings.Join(list, "|"))
	}
	return t
}

// frames are lines of a log that say nothing of their own: they surround the error. Each begins with ^.
var frames = sync.OnceValue(func() *frameTable { return newFrameTable(frameStarts) })

var frameStarts = []string{
	// Stack traces: Java, Node and .NET; Python; Go; Ruby; PHP; Rust; Lua; C++.
	`^at `, `^\.\.\. \d+ (?:more|common)`, `^--- End of (?:inner exception )?stack trace`, `^Suppressed: `,
	`^File "`, `^\^+$`, `^[~^ ]+$`, `^During handling`, `^The above exception`,
	`^goroutine \d+`, `^created by `, `^\S+\.go:\d+(?: \+0x|$)`, `^[\w./*()]+\([^ ]*\)$`, `^\[signal `, `^exit status \d+$`,
	`^from /`, `^\S+\.(?:rb|rake):\d+:in [^:]*$`, `^/\S+:\d+:in [^:]*$`, `^Tasks: TOP`, `^\(See full trace`,
	`^#\d+ `, `^Stack trace:`, `^thrown in `, `^\d+▕`, `^➜ +\d+▕`, `^\+\d+ vendor frames`,
	`^stack backtrace`, `^note: `, `^\d+: +0x[0-9a-f]+`,
	`^stack traceback:`, `^\[C\]: in `, `^\S+: in (?:function|upvalue|local|method) `,
	`^\d+\. .*@ 0x[0-9a-f]+`,
	// The properties of an error object that Node prints behind it.
	`^[{}\[\]]+[,;]?$`, `^(?:length|severity|code|detail|hint|position|internalPosition|internalQuery|where|schema|table|column|dataType|constraint|file|line|routine|errno|syscall|address|port|sql|sqlState|query|parameters|clientVersion|meta|hostname|originalLine|originalColumn|name): (?:'.*'|".*"|-?\d+|undefined|null|true|false|\[.*|\{.*),?$`,
	// A shell's trace of its commands, and a terminal's progress.
	`^\++ `, `^% Total `, `^Dload +Upload`, `^\d+ +\d*[\d.]*[kMG]? +\d+ `, `^\d+%`,
	// The chatter of package managers and command lines.
	`^npm (?:ERR!|error)\s*(?:$|A complete log|code |errno |path |command |syscall |location |workspace |/|signal |Exit status|Failed at the|This is probably not a problem|Lifecycle script|Error: command failed|\S+@\S+ \S+: ` + "`" + `)`,
	`^error Command failed with exit code`, `^info Visit https://yarnpkg`, `^ELIFECYCLE`, `^ ?ERR_PNPM_RECURSIVE`,
	`^\[notice\] `, `^npm notice`, `^DbError \{`, `^MigrationLocked$`, `^https?://\S+$`, `^={3,} .* ={3,}$`, `^\d+\. +AssertionError  `, `^WARNING: You are using pip`, `^You should consider upgrading`,
	`^[Uu]sage:`, `^hint:`, `^Run with`, `^Run '`, `^See '`, `^Try '`, `^Options:`, `^Commands:`, `^For more (?:details|information)`,
	`^More details here: `, `^More info(?:rmation)? `, `^curl failed to verify`, `^establish a secure connection`, `^how to fix it, please`, `^To learn more about this`,
	`^Please report `, `^Read more `, `^See https?://`, `^If you (?:need|want|believe|think)`,
	// What servers say of their workers, which failed for a reason of their own; what launchers say of what they launch.
	`^bundler: failed to load command: `, `^(?:\[[^\]]*\] )*Worker (?:\(pid:\d+\) exited|failed to boot)`, `^(?:\[[^\]]*\] )*(?:Reason: Worker failed to boot|Shutting down: Master)`,
	// What databases and their libraries add.
	`^DETAIL:`, `^STATEMENT:`, `^pg_dump: error: aborting `, `^LINE \d+:`, `^HINT:`, `^CONTEXT:`, `^\[SQL: `, `^\[parameters: `, `^\(Background on this error`, `^ClientConnectionId:`, `^Error Number:`,
	`^(?:SQL State|Error Code|Location|Line|Statement) +: `, `^-{3,}$`, `^-{2,} \d+ migrations? ok, `, `^={3,}$`, `^\*{3,}$`, `^-> `,
	`^\\?'?@type'?`, `^exit (?:code|status):? \d+$`, `^(?:Exited|exited|Exiting|exiting) with (?:exit )?(?:code|status)`,
}
