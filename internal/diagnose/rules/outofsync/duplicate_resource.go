package outofsync

import (
	"cmp"
	"fmt"
	"strconv"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/drift"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

var DuplicateResource = &diagnose.Rule{
	ID: "drift/duplicate-resource",
	Doc: diagnose.Doc{
		Title:    "Same resource defined more than once",
		What:     "Two manifests of the application have the same group, kind, namespace and name: a file that is included twice, a subchart that also brings it, two sources. Argo CD compares and applies the one that is rendered last; what the others say has no effect.",
		Decisive: "Condition RepeatedResourceWarning.",
		Example:  "Resource rbac.authorization.k8s.io/RoleBinding/default/operator appeared 2 times among application resources.",
		Fix:      "Keep only one of the manifests.",
	},
	Sync:       advice.Pointless("Argo CD will apply the last of them again, and the resource is still defined more than once"),
	Recognises: explains{{byWarning, isRepeated}},
	Check: reportingWarning("RepeatedResourceWarning", func(in *diagnose.In, s *diagnose.Statement) diagnose.Finding {
		ref, times := parseRepeated(s.Failure.Text)
		return diagnose.Finding{
			Role:       diagnose.RoleCause, // which of them is live is chance, even while that one is in sync
			Resource:   ref,
			Confidence: diagnose.Certain,
			Title:      fmt.Sprintf("%s: defined %s in the manifests", text.UpperFirst(ref.String()), times),
			Why:        "Argo CD compares and applies only the one that is rendered last; the others have no effect.",
			Fix: []diagnose.Fix{
				renderedAgain(in, ref),
				{Text: fmt.Sprintf("Keep only one manifest of %s in Git%s", repeatedNames(in, ref), inGit(in))},
			},
		}
	}),
}

// repeatedNames is what is defined more than once: the resource, or all where there are several.
func repeatedNames(in *diagnose.In, ref evidence.Ref) string {
	n := 0
	for _, w := range in.Warnings() {
		if w.Condition == "RepeatedResourceWarning" {
			n++
		}
	}
	if n > 1 {
		return fmt.Sprintf("each of the %d", n)
	}
	return ref.String()
}

// isRepeated: the manifests contradict each other, whatever the field.
func isRepeated(in *diagnose.In, _ *picture, r *resource, _ *drift.Field) bool {
	return isWarnedOf(in, "RepeatedResourceWarning", r.Ref, func(s *diagnose.Statement) evidence.Ref {
		ref, _ := parseRepeated(s.Failure.Text)
		return ref
	})
}

var repeatedResource = pattern.MustCompile(`[Rr]esource ([^/\s]*)/([^/\s]+)/([^/\s]*)/(\S+) appeared (\d+) times`)

// parseRepeated reads "Resource GROUP/KIND/NAMESPACE/NAME appeared 2 times …".
func parseRepeated(warning string) (ref evidence.Ref, times string) {
	m := repeatedResource.FindStringSubmatch(warning)
	if m == nil {
		return evidence.Ref{Kind: "a resource"}, "more than once"
	}
	if m[5] == "2" {
		times = "twice"
	}
	return evidence.Ref{Group: m[1], Kind: m[2], Namespace: m[3], Name: m[4]}, cmp.Or(times, m[5]+" times")
}

// renderedAgain is the step that shows the duplicates. Without a revision the command lists what Argo CD compares, in which each
// resource is there once.
func renderedAgain(in *diagnose.In, ref evidence.Ref) diagnose.Fix {
	fix := diagnose.Fix{Text: "Find the duplicates in the rendered manifests"}
	if sources := in.App().Spec.Sources; len(sources) > 1 {
		fix.Command = diagnose.Shell("argocd app manifests %s", advice.AppName(in))
		for i, s := range sources {
			fix.Command += diagnose.Shell(" --revisions %s --source-positions %s", cmp.Or(s.TargetRevision, "HEAD"), strconv.Itoa(i+1))
		}
	} else {
		fix.Command = diagnose.Shell("argocd app manifests %s --revision %s", advice.AppName(in), cmp.Or(source(in).TargetRevision, "HEAD"))
	}
	if ref.Kind == "CustomResourceDefinition" && in.App().Status.SourceType == "Helm" {
		fix.Text += ". In a chart, the directory crds of one part and the templates of another often have the same CRD: then set helm.skipCrds, or the value that turns the CRDs off"
	}
	return fix
}
