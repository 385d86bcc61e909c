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
//	health/crash-loop                                                          the rule
//	shop/Deployment/api shop/Deployment/web<TAB><TAB>connect refused =redis:6379  resources, and what their error says: see saidOf
//
// What leads the report comes first.
type key struct {
	rule  string
	fails []failing
}

// failing are resources that fail of one error.
type failing struct {
	refs  []string // the one whose error it is, then the others, sorted
	words []string // sorted; none where it is not known what the error says
}

const (
	// keyRefs and keyWords bound what a key holds of one error, keyErrors how many errors: the journal holds several keys of an incident.
	keyRefs, keyWords, keyErrors = 24, 40, 16
	// keyRef and keyWord bound each of these: of a longer one the digest stands for it. The status of an application may name anything.
	keyRef, keyWord = 48, 24
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
		return failing{refs: []string{short(oneWord(f.Shared), keyRef)}}
	}
	lead, others := noResource, []string{}
	for _, r := range append([]evidence.Ref{f.Resource}, f.Others...) {
		switch ref := short(objectOf(r), keyRef); {
		case r.IsZero() || ref == lead:
		case lead == noResource:
			lead = ref
		default:
			others = append(others, ref)
		}
	}
	return failing{append([]string{lead}, few(others, keyRefs-1)...), saidOf(f)}
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
	return strings.TrimSuffix(strings.Join(f.refs, " ")+"\t\t"+strings.Join(f.words, " "), "\t\t")
}

// parseKey reads a stored key. One of an older release has the rule alone, or what the error says in other words, behind one tab.
func parseKey(s string) (k key) {
	rule, rest, _ := strings.Cut(s, "\n")
	k.rule, _, _ = strings.Cut(rule, " ")
	for line := range strings.Lines(rest) {
		refs, said, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		f := failing{refs: strings.Fields(refs)}
		for n, r := range f.refs { // an older release stored them in full
			f.refs[n] = short(r, keyRef)
		}
		if words, ok := strings.CutPrefix(said, "\t"); ok {
			f.words = strings.Fields(words)
		}
		k.fails = append(k.fails, f)
	}
	return k
}

// short is a part of a key, or the digest of one that is longer.
func short(part string, most int) string {
	if len(part) > most {
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

// alike reports whether resources that both have may fail of one error. Two errors are different where each says something that the other does
// not: one may be quoted with more around it. Where it is not known what an error says, nothing speaks against it.
func (f failing) alike(g failing) bool {
	switch {
	case common(f.refs, g.refs) == 0:
		return false
	case f.refs[0] != g.refs[0]: // the same may be said of each with other names
		x, y := withoutNames(f.words), withoutNames(g.words)
		return 3*common(x, y) >= min(len(x), len(y))
	}
	return !(f.saysMore(g) && g.saysMore(f))
}

// saysMore reports whether an error says something that another does not: a name, or some words. Of a long one a word may be data.
func (f failing) saysMore(g failing) bool {
	more := 0
	for _, w := range f.words {
		switch {
		case slices.Contains(g.words, w):
		case strings.HasPrefix(w, nameMark):
			return true
		default:
			more++
		}
	}
	return more > len(f.words)/longError
}

func withoutNames(words []string) []string {
	return slices.DeleteFunc(slices.Clone(words), func(w string) bool { return strings.HasPrefix(w, nameMark) })
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

// objectOf names a resource by what Git calls it. Names that are made anew for each attempt, revision or pod lose what differs.
func objectOf(r evidence.Ref) string {
	name := r.Name
	if slices.Contains(generated, r.Kind) {
		name = settled(name)
	} else {
		name = hashed.ReplaceAllStringFunc(name, func(s string) string {
			if strings.ContainsAny(s, "aeiou") && !strings.ContainsFunc(s, unicode.IsDigit) { // "-facade"
				return s
			}
			return "-#"
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

// hashed is the end of a name that tells one content, or one day, from the next, unless it is a word: kustomize appends ten characters, others a
// commit.
var hashed = regexp.MustCompile(`-([0-9a-f]{7,}|[bcdfghkmt2456789]{10}|[bcdfghjklmnpqrstvwxz2456789]{8,10}|[0-9]{8,})$`)
