package message

import (
	"strconv"
	"strings"
)

// layer is one kind of wrapping: the text in front of the cause, and what it says about the failure.
type layer struct {
	prefix string
	notes  func(*Failure)
}

func stage(s Stage) func(*Failure) {
	return func(f *Failure) {
		// The innermost stage wins, except that a wrapper met later inside a cause cannot make a refusal an older one.
		f.Stage = s
	}
}

// layers are the fixed prefixes, outermost first only by habit: they are peeled in whatever order they come.
var layers = []layer{
	{"ComparisonError: ", func(f *Failure) { f.compared = true }},
	{"UnknownError: ", nil},
	{"SyncError: ", nil},
	{"InvalidSpecError: ", stage(StageSpec)},
	{"Unable to save changes: ", nil},
	{"Unable to create application: ", nil},
	{"Unable to load data: ", nil},
	{"Unable to get app details: ", stage(StageRender)},
	{"application spec is invalid: ", stage(StageSpec)},
	{"Failed to load target state: ", stage(StageRender)},
	{"failed to get cluster version for cluster ", stage(StageLive)}, // the destination is asked for its API versions before rendering
	{"Manifest generation error (cached): ", func(f *Failure) { f.Stage, f.Cached = StageRender, true }},
	{"Manifest generation error: ", stage(StageRender)},
	{"repository not accessible: ", stage(StageRender)},
	{"error resolving repo revision: ", stage(StageRender)},
	{"failed to initialize repository resources: ", stage(StageRender)},
	{"plugin sidecar failed. ", func(f *Failure) { f.Stage, f.Plugin = StageRender, true }},
	{"error generating manifests in cmp: ", func(f *Failure) { f.Stage, f.Plugin = StageRender, true }},
	{"error generating manifests: ", stage(StageRender)},
	{"failed to execute helm template command: ", stage(StageRender)},
	{"failed to get command args to log: ", nil},
	{"failed running helm: ", nil},
	{"Failed to load live state: ", stage(StageLive)},
	{"error synchronizing cache state : ", stage(StageLive)},
	{"Failed to compare desired state to live state: ", stage(StageCompare)},
	{"failed to calculate diff: ", stage(StageCompare)},
	{"failed to calculate diff from cache: ", stage(StageCompare)},
	{"error calculating server side diff: ", stage(StageCompare)},
	{"serverSideDiff error: ", stage(StageCompare)},
	{"one or more objects failed to apply, reason: ", stage(StageApply)},
	{"one or more objects failed to apply (dry run), reason: ", stage(StageApply)},
	{"one or more synchronization tasks completed unsuccessfully, reason: ", stage(StageApply)},
	{"one or more synchronization tasks are not valid: ", stage(StageApply)},
	{"one or more synchronization tasks are not valid due to ", stage(StageApply)},
	{"one or more objects failed to prune, reason: ", stage(StagePrune)},
	{"error setting app operation: ", nil},
}

// empty are messages that say that something failed and nothing else.
var empty = []string{
	"one or more synchronization tasks completed unsuccessfully",
	"one or more synchronization tasks are not valid",
	"one or more objects failed to apply",
	"one or more objects failed to prune",
	"one or more hooks failed",
}

// peel takes off layer after layer and notes what each says.
func (f *Failure) peel(s string) string {
	f.stageFromMiddle()
	for again := true; again; {
		s = strings.TrimSpace(s)
		s, again = f.peelOne(s)
	}
	if i := strings.LastIndex(s, "rpc error: code = "); i > 0 && parseCommand(s) == nil { // wrapped in something that is not known here
		if rest, ok := peelRPC(f, s[i:]); ok {
			return f.peel(rest)
		}
	}
	if isEmptyTalk(s) {
		return ""
	}
	return s
}

func (f *Failure) peelOne(s string) (rest string, ok bool) {
	for _, l := range layers {
		if rest, ok := strings.CutPrefix(s, l.prefix); ok {
			if l.notes != nil {
				l.notes(f)
			}
			if l.prefix == "failed to get cluster version for cluster " {
				_, rest, _ = strings.Cut(rest, ": ")
			}
			return rest, true
		}
	}
	for _, p := range variable {
		if rest, ok := p(f, s); ok {
			return rest, true
		}
	}
	return s, false
}

// variable are the layers with something variable inside.
var variable = []func(*Failure, string) (string, bool){
	peelRPC, peelSource, peelDryRun, peelSyncAttempt,
	between("application spec for ", " is invalid: ", stage(StageSpec)),
	between("FATA[", "] ", nil), // the argocd command's log
	between("Unable to generate manifests in ", ": ", stage(StageRender)),
	between("failed to get cluster info for ", ": ", stage(StageLive)),
	between("error when patching \"", "\": ", nil), // a temporary file of Argo CD's
	between("error when replacing \"", "\": ", nil),
	between("error when creating \"", "\": ", nil),
	between("error when applying patch:", "\": ", nil),
	between("error updating application \"", "\": ", nil),
	between("Failed to fetch ", ": `", nil),
}

// between peels "HEAD … TAIL"; what is between them must be short, or the head only looks like a layer.
func between(head, tail string, notes func(*Failure)) func(*Failure, string) (string, bool) {
	return func(f *Failure, s string) (string, bool) {
		rest, ok := strings.CutPrefix(s, head)
		if !ok {
			return s, false
		}
		at := strings.Index(rest, tail)
		if at < 0 || at > 300 {
			return s, false
		}
		if notes != nil {
			notes(f)
		}
		rest = rest[at+len(tail):]
		if strings.HasSuffix(tail, "`") {
			rest = "`" + rest
		}
		return rest, true
	}
}

// peelRPC reads "rpc error: code = X desc = ".
func peelRPC(f *Failure, s string) (string, bool) {
	rest, ok := strings.CutPrefix(s, "rpc error: code = ")
	if !ok {
		return s, false
	}
	code, desc, ok := strings.Cut(rest, " desc = ")
	if !ok || len(code) > 30 {
		return s, false
	}
	f.Code = code
	return desc, true
}

// peelSource reads "failed to generate manifest for source 1 of 2: " and "failed to compare revisions for source …".
func peelSource(f *Failure, s string) (string, bool) {
	for _, head := range []string{"failed to generate manifest for source ", "failed to compare revisions for source "} {
		rest, ok := strings.CutPrefix(s, head)
		if !ok {
			continue
		}
		counts, rest, ok := strings.Cut(rest, ": ")
		if !ok {
			continue
		}
		n, m, _ := strings.Cut(counts, " of ")
		f.Source, _ = strconv.Atoi(n)  // 0 when it is no number: not said
		f.Sources, _ = strconv.Atoi(m) // likewise
		f.Stage = StageRender
		return rest, true
	}
	return s, false
}

// peelDryRun reads the layer of a server-side diff whose dry run was refused.
func peelDryRun(f *Failure, s string) (string, bool) {
	rest, ok := strings.CutPrefix(s, "error running server side apply in dryrun mode for resource ")
	if !ok {
		return s, false
	}
	subject, rest, ok := strings.Cut(rest, ": ")
	if !ok {
		return s, false
	}
	f.DryRun, f.Subject = true, subject
	return rest, true
}

// peelSyncAttempt reads the SyncError condition: "Failed sync attempt to REV: " (3.x: "Failed last sync attempt to
// [REV]: ") and "Skipping sync attempt to REV: ".
func peelSyncAttempt(_ *Failure, s string) (string, bool) {
	for _, head := range []string{"Failed sync attempt to ", "Failed last sync attempt to ", "Skipping sync attempt to "} {
		if rest, ok := strings.CutPrefix(s, head); ok {
			if _, rest, ok := strings.Cut(rest, ": "); ok {
				return rest, true
			}
		}
	}
	return s, false
}

// stageFromMiddle finds the stage of texts that were cut off at the front or wrapped in something unknown.
func (f *Failure) stageFromMiddle() {
	switch {
	case f.Has("failed to load live state", "failed to get cluster info for", "error synchronizing cache state", "failed to sync cluster"):
		f.Stage = StageLive
	case f.Has("failed to compare desired state", "failed to calculate diff", "error calculating structured merge diff"):
		f.Stage = StageCompare
	case f.Has("failed to load target state", "manifest generation error", "failed to generate manifest", "unable to generate manifests",
		"repository not accessible", "initialize repository resources", "unable to checkout git repo"):
		f.Stage = StageRender
	}
	f.Cached = f.Has("manifest generation error (cached)")
}

func isEmptyTalk(s string) bool {
	s = strings.TrimRight(s, ". ")
	for _, e := range empty {
		if s == e || s == e+", reason:" {
			return true
		}
	}
	return s == ""
}
