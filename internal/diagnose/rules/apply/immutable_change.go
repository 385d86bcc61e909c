package apply

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/drift"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/redact/secretname"
	"github.com/argo-why/argo-why/internal/text"
)

// fixed is a resource whose change is refused: fields are those that the API server does not let change, changes is what differs in them
// as far as the comparison with Git is known.
type fixed struct {
	ref     evidence.Ref
	fields  []string
	changes []drift.Field
}

// refusedChanges are all of them, each resource once.
func refusedChanges(in *diagnose.In) []fixed {
	all, _ := diagnose.Once(in, "changes of immutable fields", func() ([]fixed, bool) {
		managed, _ := diagnose.Get(in, evidence.FactManaged)
		states, seen := evidence.IndexOf(managed), map[evidence.Ref]bool{}
		var out []fixed
		statements := in.Statements()
		for i := range statements {
			s := &statements[i]
			if !statement.IsRefusal(s) || s.Hook() || !statement.Immutable(&s.Failure) {
				continue
			}
			x := fixed{ref: statement.Resolve(in, statement.Subject(s))}
			if seen[x.ref] {
				continue
			}
			seen[x.ref] = true
			d := states.Find(x.ref)
			differ := differing(d)
			x.fields = immutableFields(x.ref, differ, &s.Failure)
			if x.changes = within(differ, x.fields); len(x.changes) == 0 && d != nil {
				// The dry run that predicts what a sync does was refused as well: then only the manifest can be compared.
				x.changes = within(differing(&evidence.ResourceDiff{Group: d.Group, Kind: d.Kind, Namespace: d.Namespace, Name: d.Name, TargetState: d.TargetState, LiveState: d.LiveState}), x.fields)
			}
			out = append(out, x)
		}
		return out, !in.Waiting()
	})
	return all
}

// differing are the fields in which Git and the live object differ; none while that is not known. Of a StatefulSet the API server only
// says which fields may change, so nothing but the comparison has the one that did.
func differing(d *evidence.ResourceDiff) []drift.Field {
	if d == nil {
		return nil
	}
	compared, err := drift.Compare(*d)
	if err != nil { // what cannot be compared is not known
		return nil
	}
	return slices.DeleteFunc(slices.Clone(compared.Fields), func(f drift.Field) bool { return !f.InDesired && f.IsDefault() })
}

// within are the differences below the fields that the API server names.
func within(differ []drift.Field, fields []string) []drift.Field {
	var out []drift.Field
	for _, f := range differ {
		if slices.ContainsFunc(fields, func(field string) bool {
			top, _, _ := strings.Cut(field, "[")
			return f.Path.Under(strings.Split(top, ".")...)
		}) {
			out = append(out, f)
		}
	}
	return out
}

// sameCause are the resources that are refused for the same reason as one of them, in the order of the sync: the same fields, with the
// same parts of them changed.
func sameCause(in *diagnose.In, ref evidence.Ref) []fixed {
	groups, _ := diagnose.Once(in, "changes of immutable fields by their reason", func() (map[evidence.Ref]*[]fixed, bool) {
		groups, of := map[string]*[]fixed{}, map[evidence.Ref]*[]fixed{}
		for _, x := range refusedChanges(in) {
			key := x.reason()
			if groups[key] == nil {
				groups[key] = &[]fixed{}
			}
			*groups[key] = append(*groups[key], x)
			of[x.ref] = groups[key]
		}
		return of, !in.Waiting()
	})
	if group := groups[ref]; group != nil {
		return *group
	}
	return []fixed{{ref: ref}}
}

// reason is the same for changes that are refused for the same reason.
func (x *fixed) reason() string {
	kind := x.ref.Kind
	if isWorkload(x.ref) {
		kind = "a workload"
	}
	changes := make([]string, 0, len(x.changes))
	for _, c := range x.changes {
		changes = append(changes, fmt.Sprintf("%s %t %t", c.Path, c.InLive, c.InDesired))
	}
	return fmt.Sprintf("%q %q %q", kind, x.fields, changes)
}

func isWorkload(ref evidence.Ref) bool {
	return ref.Group == "apps"
}

// whatDiffers says what Git changes: "spec.selector.matchLabels[tier] is web in the cluster and api in Git". Empty while that is not known.
func whatDiffers(group []fixed) string {
	x := group[0]
	if len(x.changes) == 0 {
		return ""
	}
	f := x.changes[0]
	name := f.Path.String()
	if len(group) > 1 {
		name += " of " + x.ref.String()
	}
	live, git := shortValue(x.ref, f, f.Live), shortValue(x.ref, f, f.Desired)
	said := fmt.Sprintf("%s is %s in the cluster and %s in Git", name, live, git)
	switch {
	case !f.InLive && git == "":
		said = fmt.Sprintf("Git adds %s, which is not set in the cluster", name)
	case !f.InLive:
		said = fmt.Sprintf("%s is %s in Git and not set in the cluster", name, git)
	case !f.InDesired:
		said = fmt.Sprintf("Git does not have %s, which is set in the cluster", name)
	case live == "" || git == "" || live == git:
		said = name + " differs"
	}
	if more := len(x.changes) - 1; more > 0 {
		said += fmt.Sprintf(", and %s", text.Count(more, "more field differs", "more fields differ"))
	}
	return text.UpperFirst(said)
}

// maxValue is the longest value that a sentence has, in characters.
const maxValue = 60

// shortValue is a value for a sentence; empty for one that does not fit there or must not be seen.
func shortValue(ref evidence.Ref, f drift.Field, v any) string {
	shown := drift.Show(v)
	switch v.(type) {
	case map[string]any, []any:
		return ""
	}
	if ref.Kind == "Secret" || len(shown) > maxValue || strings.Contains(shown, "[redacted") || secretname.Of(f.Path.Name()).Hides(shown, secretname.Quoted) {
		return ""
	}
	return cmp.Or(shown, "empty")
}

// deletions are the steps that delete the resources, one for each price to pay.
func deletions(group []fixed) []diagnose.Fix {
	const named = 10
	var out []diagnose.Fix
	for rest := group; len(rest) > 0; {
		first := rest[0]
		var of, others []fixed
		price := deletionText(first.ref, "", false)
		for _, x := range rest {
			if (x.ref.Kind == first.ref.Kind && x.ref.Group == first.ref.Group || deletionText(x.ref, "", false) == price) && x.ref.Namespace == first.ref.Namespace {
				of = append(of, x)
			} else {
				others = append(others, x)
			}
		}
		rest = others
		what := "it"
		switch {
		case len(of) == len(group) && len(of) > 1:
			what = "them"
		case len(of) > 1:
			what = fmt.Sprintf("%s and %s", of[0].ref, text.More(len(of)-1))
		case len(group) > 1:
			what = first.ref.String()
		}
		fix := diagnose.Fix{Text: deletionText(first.ref, what, len(of) > 1), Command: diagnose.Shell("kubectl %sdelete", advice.InNamespace(first.ref))}
		for _, x := range of[:min(len(of), named)] {
			fix.Command += diagnose.Shell(" %s", x.ref.Resource())
		}
		if first.ref.Kind == "StatefulSet" {
			fix.Command += " --cascade=orphan"
			fix.Text += keptClaims(first)
		}
		if more := len(of) - named; more > 0 {
			fix.Text += "; do the same for " + text.Count(more, "more resource", "more resources")
		}
		if len(out) > 0 {
			fix.Text = "With the step before: d" + strings.TrimPrefix(fix.Text, "Or d")
		}
		out = append(out, fix)
	}
	return out
}

// keptClaims says what a change of the claim templates of a StatefulSet does not reach: the claims that exist.
func keptClaims(x fixed) string {
	if !slices.Contains(x.fields, "spec.volumeClaimTemplates") {
		return ""
	}
	claims := slices.DeleteFunc(slices.Clone(x.changes), func(f drift.Field) bool { return !f.Path.Under("spec", "volumeClaimTemplates") })
	all := func(last string) bool {
		return len(claims) > 0 && !slices.ContainsFunc(claims, func(f drift.Field) bool { return f.Path.Last() != last })
	}
	switch {
	case all("storage"):
		return "; a new claim size does not apply to existing claims, so also change it in each of them"
	case all("storageClassName"):
		return "; existing claims keep their storage class, so to move the data, copy it to a new claim"
	}
	return "; existing claims stay as they are, only new ones are made from the changed template"
}
