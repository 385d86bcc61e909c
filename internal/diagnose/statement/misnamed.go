package statement

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// Misnamed completes the finding about an object that by refers to and that does not exist, where the application has one of a similar name:
// then one of the two names is wrong in Git. The step is to be taken instead of one that creates what is missing, which would hide that.
func Misnamed(in *diagnose.In, f *diagnose.Finding, missing evidence.Ref, by string) (step diagnose.Fix, ok bool) {
	near := nearest(in, missing)
	if near.IsZero() {
		return diagnose.Fix{}, false
	}
	why := fmt.Sprintf("The application has %s, so one of the two names is probably misspelt.", near)
	title := fmt.Sprintf("%s, typo of %s?", f.Title, near.Name)
	step.Text = fmt.Sprintf("In Git, correct the name in %s to %s; if %s is what is misspelt, rename that", by, near.Name, near)
	if base := plainName(near.Name); base != near.Name && base == plainName(missing.Name) {
		reference := "does not have it"
		if missing.Name != base {
			reference = "has another one"
		}
		why = fmt.Sprintf("The application has %s: Kustomize appends a hash to the names that it generates, and this reference %s.", near, reference)
		title = fmt.Sprintf("%s, there is %s", f.Title, near.Name)
		step.Text = fmt.Sprintf("In Git, put %s and the generator of %s into one kustomization: Kustomize then writes the hash into the reference as well, unless it does not know the field, which takes an entry in nameReference. Or turn the hash off", by, base)
		step.Patch = "# kustomization.yaml\ngeneratorOptions:\n  disableNameSuffixHash: true\n"
	}
	if f.Confidence == diagnose.Certain {
		f.Confidence = diagnose.Likely
	}
	if in.Fits(title) {
		f.Title = title
	}
	f.Why = text.Paragraph(f.Why, why)
	return step, true
}

// nearest is what the application has of the kind of a missing object, in its namespace, under the most similar name; zero without one that is
// similar. It may have come with the last sync, or be made by one of the application's resources.
func nearest(in *diagnose.In, missing evidence.Ref) evidence.Ref {
	var best evidence.Ref
	consider := func(ref evidence.Ref) {
		same := strings.EqualFold(ref.Kind, missing.Kind) && (ref.Group == missing.Group || missing.Group == "")
		if !same || ref.Namespace != missing.Namespace && ref.Namespace != "" && missing.Namespace != "" || !isNear(missing.Name, ref.Name) {
			return
		}
		if best.IsZero() || ref.Name < best.Name {
			best = ref
		}
	}
	st := in.App().Status
	for i := range st.Resources {
		consider(st.Resources[i].Ref())
	}
	for _, r := range st.OperationState.Results() {
		if r.Applied() && r.Status != evidence.ResultPruned {
			consider(r.Ref())
		}
	}
	if tree, ok := diagnose.Peek(in, evidence.FactTree); ok && tree != nil {
		for i := range tree.Nodes {
			consider(tree.Nodes[i].Ref())
		}
	}
	return best
}

// isNear reports whether a name was probably written for another one: by a slip, or without the suffix of Kustomize.
func isNear(a, b string) bool {
	return a != b && (plainName(a) == plainName(b) || IsSlip(plainName(a), plainName(b)))
}

// kustomizeHash is what Kustomize appends to the names that it generates: ten of the letters and digits that make no words.
var kustomizeHash = pattern.MustCompile(`-[2456789bcdfghkmt]{10}$`)

// plainName is a name without Kustomize's hash.
func plainName(name string) string { return kustomizeHash.ReplaceAllString(name, "") }

// IsSlip reports whether one name is the other with a letter too many, too few or wrong, or with two swapped. Numbers, short parts and first
// letters are chosen: "team-1" and "team-2", "shop-qa" and "shop-ga", "best-shop" and "test-shop" are different names.
func IsSlip(a, b string) bool {
	start, end := 0, 0
	for start < min(len(a), len(b)) && a[start] == b[start] {
		start++
	}
	for end < min(len(a), len(b))-start && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	x, y := a[start:len(a)-end], b[start:len(b)-end] // where they differ
	swapped := len(x) == 2 && len(y) == 2 && x[0] == y[1] && x[1] == y[0]
	if a == b || len(x) > 1 && !swapped || len(y) > 1 && !swapped || strings.ContainsAny(x+y, "0123456789") {
		return false
	}
	const chosen = 3 // letters of a part that is an abbreviation
	if swapped {
		return len(a) > chosen
	}
	from := strings.LastIndexByte(a[:start], '-') + 1
	part, _, _ := strings.Cut(a[from:], "-")
	return len(part) > chosen && (start > from || x == "" || y == "")
}
