package incident

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
)

// A key is what a cause is known by. Two reports about one cause need not show the same: of several resources that fail alike another may be
// listed first, one may join or leave them, and an error names other pods and times. So a key holds everything that fails of the cause,
// and the cause is recognized by what leads the report being a part of that.
//
//	health/crash-loop                                            the rule
//	shop/Deployment/api shop/Deployment/web<TAB>connect refused  resources, and the words of their error; what leads the report comes first
type key struct {
	rule  string
	fails []failing
}

// failing are resources that fail of one error.
type failing struct {
	refs  []string // sorted
	words []string // sorted; none where the error is not known
}

const (
	// keyRefs and keyWords bound what a key holds of one error, keyErrors how many errors: the journal holds several keys of an incident.
	keyRefs, keyWords, keyErrors = 24, 16, 16
	// keyPart bounds each of these: of a longer one the digest stands for it. The status of an application may name anything.
	keyPart = 48
	// noResource stands for the application as a whole.
	noResource = "-"
)

// causeKey is the key of what a report is about. all are its findings: which of those of one rule leads may depend on the order in which
// Argo CD lists resources.
func causeKey(lead *diagnose.Finding, all []diagnose.Finding) string {
	first := failingOf(lead).String()
	var others []string
	for n := range all {
		if f := &all[n]; f.Rule == lead.Rule && f.Role == lead.Role {
			others = append(others, failingOf(f).String())
		}
	}
	others = slices.DeleteFunc(others, func(o string) bool { return o == first })
	return strings.Join(append([]string{lead.Rule, first}, few(others, keyErrors-1)...), "\n")
}

// sharedThing is what the applications share that the report of one is about; empty where its cause is its own. Of several it is the first by name.
func sharedThing(lead *diagnose.Finding, all []diagnose.Finding) string {
	thing := lead.Shared
	for n := range all {
		if f := &all[n]; thing != "" && f.Shared != "" && f.Rule == lead.Rule && f.Role == lead.Role {
			thing = min(thing, f.Shared)
		}
	}
	return thing
}

func failingOf(f *diagnose.Finding) failing {
	if f.Shared != "" { // who fails of it, and in which words, is no part of it
		return failing{refs: []string{short(oneWord(f.Shared))}}
	}
	var refs []string
	for _, r := range append([]evidence.Ref{f.Resource}, f.Others...) {
		if !r.IsZero() {
			refs = append(refs, short(objectOf(r)))
		}
	}
	if len(refs) == 0 {
		refs = []string{noResource}
	}
	return failing{few(refs, keyRefs), few(wordsOf(f), keyWords)}
}

// few are at most so many of these, sorted. Of more it keeps those with the smallest digests: of two sets that have most in common the same.
func few(of []string, most int) []string {
	slices.Sort(of)
	if of = slices.Compact(of); len(of) <= most {
		return of
	}
	slices.SortFunc(of, func(x, y string) int { return cmp.Compare(digest(x), digest(y)) })
	of = of[:most]
	slices.Sort(of)
	return of
}

// String is a line of a key.
func (f failing) String() string {
	return strings.TrimSuffix(strings.Join(f.refs, " ")+"\t"+strings.Join(f.words, " "), "\t")
}

// parseKey reads a stored key. One of an older release has the rule alone, as far as anybody can tell.
func parseKey(s string) (k key) {
	rule, rest, _ := strings.Cut(s, "\n")
	k.rule, _, _ = strings.Cut(rule, " ")
	for line := range strings.Lines(rest) {
		refs, words, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		k.fails = append(k.fails, failing{shortened(refs), shortened(words)})
	}
	return k
}

// shortened are the words of a text. An older release stored them in full.
func shortened(text string) []string {
	words := strings.Fields(text)
	for n, w := range words {
		words[n] = short(w)
	}
	return words
}

// short is a part of a key, or the digest of one that is long.
func short(part string) string {
	if len(part) > keyPart {
		return digest(part)
	}
	return part
}

// sameKey reports whether what leads a report now is a part of the cause that is known by a key.
func sameKey(known, now string) bool {
	k, n := parseKey(known), parseKey(now)
	if known == now || k.rule != n.rule || len(n.fails) == 0 {
		return known == now
	}
	return len(k.fails) == 0 || slices.ContainsFunc(k.fails, n.fails[0].alike)
}

// sameObject reports whether what leads a report now is about a resource of the cause that is known by a key, whatever it fails of.
func sameObject(known, now string) bool {
	k, n := parseKey(known), parseKey(now)
	return k.rule == n.rule && len(n.fails) > 0 && slices.ContainsFunc(k.fails, func(f failing) bool { return common(f.refs, n.fails[0].refs) > 0 })
}

// alike reports whether resources that both have may fail of one error. Two errors are different where they have hardly a word in common: of
// one, names and counts change. Where an error is not known, nothing speaks against it.
func (f failing) alike(g failing) bool {
	fewer := min(len(f.words), len(g.words))
	return common(f.refs, g.refs) > 0 && 3*common(f.words, g.words) >= fewer
}

// common is how many elements two sets share.
func common(x, y []string) (n int) {
	for _, s := range x {
		if slices.Contains(y, s) {
			n++
		}
	}
	return n
}

// wordsOf are the words that tell an error from another one.
func wordsOf(f *diagnose.Finding) (words []string) {
	said := f.Says.Text
	if f.Rule == "unknown" { // whose evidence is all that there is
		for _, q := range f.Evidence {
			said += "\n" + q.Text
		}
	}
	notLetter := func(r rune) bool { return !unicode.IsLetter(r) }
	for _, w := range strings.FieldsFunc(settled(strings.ToLower(said)), notLetter) {
		if len(w) > 2 && !slices.Contains(anyError, w) {
			words = append(words, short(w))
		}
	}
	return words
}

// anyError are words that stand in errors of every kind.
var anyError = strings.Fields("error errors err failed failure fail fatal panic warn warning exception cannot could not unable " +
	"the and for with from was has that this while when level msg time exit code")

// objectOf names a resource by what Git calls it. Names that are made anew for each attempt, revision or pod lose what differs.
func objectOf(r evidence.Ref) string {
	name := r.Name
	if slices.Contains(generated, r.Kind) {
		name = settled(name)
	} else {
		name = hashed.ReplaceAllStringFunc(name, func(s string) string {
			if strings.ContainsFunc(s, unicode.IsDigit) {
				return "-#"
			}
			return s
		})
	}
	return oneWord(r.Namespace + "/" + r.Kind + "/" + name)
}

func oneWord(s string) string { return strings.Join(strings.Fields(s), "_") }

// generated are the kinds whose objects controllers name, or that are made anew under another name.
var generated = []string{
	"Pod", "Job", "ReplicaSet", "ControllerRevision", "Node", "PersistentVolume", "VolumeAttachment", "Event", "EndpointSlice",
	"CertificateRequest", "Order", "Challenge", "AnalysisRun", "Experiment", "Workflow", "PipelineRun", "TaskRun",
}

// hashed is the end of a name that tells one content, or one day, from the next, if it has a digit: kustomize appends ten characters, others a commit.
var hashed = regexp.MustCompile(`-([0-9a-f]{7,}|[bcdfghkmt2456789]{10}|[bcdfghjklmnpqrstvwxz2456789]{8,10}|[0-9]{8,})$`)
