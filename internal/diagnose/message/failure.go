package message

import (
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/text"
)

// Stage is where in a sync a failure happened, as the wrapping says.
type Stage string

// The stages, in the order in which Argo CD goes through them.
const (
	// StageNone is a text whose wrapping names no stage.
	StageNone Stage = ""
	// StageSpec is the check of the Application itself.
	StageSpec Stage = "spec"
	// StageRender is producing the desired state: git, chart repositories, Helm, Kustomize, plugins, the repo-server.
	StageRender Stage = "render"
	// StageLive is reading the live state of the destination cluster.
	StageLive Stage = "live"
	// StageCompare is computing the difference between the two.
	StageCompare Stage = "compare"
	// StageApply is applying, StagePrune deleting what left Git.
	StageApply Stage = "apply"
	StagePrune Stage = "prune"
)

// Failure is one failure text, taken apart.
type Failure struct {
	// Text is the message as it is, without the note about retries.
	Text string
	// Cause is the innermost part: what is left when the wrapping is gone. Empty if the message is only wrapping.
	Cause string
	Stage Stage
	// Cached: Argo CD repeats an earlier error instead of trying again (`Manifest generation error (cached)`).
	Cached bool
	// Code is the innermost gRPC code, e.g. "DeadlineExceeded"; empty without one.
	Code string
	// Source of Sources: which of the application's sources failed, from 1; 0 when not said.
	Source, Sources int
	// Plugin: a config management plugin sidecar was at work.
	Plugin bool
	// DryRun: a server-side dry run for the diff was refused, so the refusal is one of apply. Subject is what it was
	// for, as "Kind/name".
	DryRun  bool
	Subject string
	// Command that failed, nil when the text quotes none.
	Command *Command
	// Call is the command or request that failed while rendering.
	Call  Call
	Retry Retry

	// flat is the text on one line, lower the same in lower case and of the same length.
	flat, lower string
	// masked is lower without names, URLs and values.
	masked string
	// What many rules ask is found out once, in Parse.
	network     Network
	authRefused bool
	invalid     Invalid
	isInvalid   bool
	// compared: it is a ComparisonError.
	compared bool
}

// ParseCondition takes the message of an application condition apart. Its type gives the stage where the message does
// not: older versions of Argo CD wrap nothing around what the repo-server answers.
func ParseCondition(kind, said string) Failure {
	f := Parse(said)
	f.compared = f.compared || kind == "ComparisonError"
	if kind == "InvalidSpecError" && f.Stage == StageNone {
		f.Stage = StageSpec
	}
	f.stageOfComparison()
	return f
}

// rendering are words that only the production of manifests speaks of.
var rendering = []string{"commit sha", "must be sha", "must be resolved", "generate manifests", "repo-server", "repo server", "helm ", "kustomiz", "jsonnet", "cmp-server", "config management plugin", "fork/exec"}

// ParseRefusal takes apart what Argo CD answered to a request. An answer is wrapped in less than a condition: where the
// stage is not said, the words of rendering show it.
func ParseRefusal(said string) Failure {
	f := Parse(said)
	if f.Stage == StageNone && f.Code != "PermissionDenied" && f.Mentions(rendering...) {
		f.Stage = StageRender
	}
	return f
}

// Parse takes a message apart. It never fails: a text it does not know is its own cause.
func Parse(said string) Failure {
	f := Failure{}
	f.Text, f.Retry = cutRetry(strings.TrimSpace(plainQuotes(uncoloured(ends(said)))))
	f.flat = text.OneLine(f.Text) // line breaks mean nothing, and differ between versions
	f.lower = lowerASCII(f.flat)
	f.masked = mask(f.lower)
	f.network, f.authRefused = networkOf(f.masked), authRefusedIn(f.masked)
	f.invalid, f.isInvalid = f.readInvalid()
	// The result of SyncFail hooks is left out: the failed tasks report it.
	cause, _, _ := strings.Cut(f.flat, " one or more SyncFail hooks failed")
	f.Cause = f.peel(cause)
	f.Command = parseCommand(f.Cause)
	f.Call = f.callOf()
	f.stageOfComparison()
	return f
}

// The longest message that is read whole, and how much of a longer one is read at its beginning; the rest is its end, where the cause of a long
// chain is. Whoever has an application's manifest quoted chooses the length.
const (
	maxText  = 64 << 10
	maxFront = 48 << 10
)

// ends is a message without the middle of one that is too long.
func ends(said string) string {
	if len(said) <= maxText {
		return said
	}
	return strings.ToValidUTF8(said[:maxFront], "") + " … " + strings.ToValidUTF8(said[len(said)-(maxText-maxFront):], "")
}

// stageOfComparison gives a ComparisonError that names no stage one: what came over gRPC came from the
// repo-server, a forbidden list from the cluster, words of the diff engine from the comparison itself; what is left is
// most often a rendering error that was cut off at the front.
func (f *Failure) stageOfComparison() {
	if f.Stage != StageNone || !f.compared {
		return
	}
	switch {
	case f.HasAll("forbidden", "cannot list"), f.HasAll("forbidden", "cannot get"), f.HasAll("forbidden", "cannot watch"), f.Has("is not managed"):
		f.Stage = StageLive
	case f.Code == "" && f.Has("diff", "merge", "in schema", "conversion", "scheme", "live state", "<string>:", "normaliz", "dry-run failed", "dry run"):
		f.Stage = StageCompare
		f.DryRun = f.DryRun || f.Has("dry-run failed", "dry run")
	default:
		f.Stage = StageRender
	}
}

// colours are the codes with which tools colour what they print on a terminal. Where the escape character was lost, the rest remains.
var colours = pattern.MustCompile(`(?:\x1b|\\u001b|\\x1b|\\033|�)\[[0-9;]*[A-Za-z]`)

func uncoloured(s string) string {
	// The search for a byte is cheaper than a regular expression on every message.
	if !strings.ContainsAny(s, "\x1b\\�") {
		return s
	}
	return colours.ReplaceAllString(s, "")
}

// typographic are the quotes that people's tools put in place of plain ones, and GNU's in a locale with UTF-8.
var typographic = strings.NewReplacer("“", `"`, "”", `"`, "„", `"`, "‘", "'", "’", "'", "‚", "'")

// plainQuotes is a text with the quotes that its program wrote before something made it pretty.
func plainQuotes(s string) string {
	if !strings.Contains(s, "\xe2\x80") { // what all of them begin with
		return s
	}
	return typographic.Replace(s)
}

// lowerASCII keeps the length, so that a place found in the lower-case text is the same place in the text.
func lowerASCII(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// Lower is the whole text in lower case, for matching.
func (f *Failure) Lower() string { return f.lower }

// Flat is the whole text on one line.
func (f *Failure) Flat() string { return f.flat }

// Has reports whether the text says any of the words, which must be in lower case. Names, URLs, paths and quoted command
// lines are ignored: see [Failure.Mentions].
func (f *Failure) Has(words ...string) bool { return HasAny(f.masked, words...) }

// Mentions reports whether any of the words, in lower case, is anywhere in the text, names and URLs included.
func (f *Failure) Mentions(words ...string) bool { return HasAny(f.lower, words...) }

// HasAll reports whether the text contains every one of the words, which must be in lower case.
func (f *Failure) HasAll(words ...string) bool {
	for _, w := range words {
		if !strings.Contains(f.masked, w) {
			return false
		}
	}
	return true
}

// HasAny reports whether a text in lower case contains any of the words.
func HasAny(lower string, words ...string) bool {
	for _, w := range words {
		if i := strings.Index(lower, w); i >= 0 && (i == 0 || !codes[w] || HasCode(lower, w)) {
			return true
		}
	}
	return false
}

// codes are names of errors that other words end in: ModuleNotFound has "enotfound", ResourceAccess "eacces", TableTimedOut "etimedout".
var codes = map[string]bool{
	"eacces": true, "eaddrinuse": true, "eai_again": true, "econnrefused": true, "ehostunreach": true, "enoent": true, "enospc": true,
	"enotfound": true, "eperm": true, "erofs": true, "etimedout": true, "noauth": true,
}

// HasCode reports whether the text has the code as a word of its own.
func HasCode(lower, code string) bool {
	for from := 0; ; {
		i := strings.Index(lower[from:], code)
		if i < 0 {
			return false
		}
		i += from
		end := i + len(code)
		if (i == 0 || !isLetter(lower[i-1])) && (end == len(lower) || !isLetter(lower[end])) {
			return true
		}
		from = end
	}
}

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' }

// IsWrapper reports whether the message only says that something failed, not what.
func (f *Failure) IsWrapper() bool { return f.Cause == "" }

// Line is the cause on one line, without the noise of tools: as many of its last clauses as fit in n bytes (0: no limit). The
// innermost clause is never cut short of a few lines.
func (f *Failure) Line(n int) string { return lastClause(f.Core(), n) }

// Core is the part of the cause that says what is wrong: the tool's own error without command line, usage, progress and warnings.
func (f *Failure) Core() string {
	if f.Command != nil && f.Command.Output != "" {
		return f.Command.core()
	}
	return stripNoise(f.Cause)
}
