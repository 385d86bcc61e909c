package apply

import (
	"fmt"
	"regexp"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/evidence"
)

var DependencyMissing = &diagnose.Rule{
	ID: "apply/dependency-missing",
	Doc: diagnose.Doc{
		Title:    "Something the resource refers to is not there",
		What:     "Applying fails because another object does not exist: a Secret, a ServiceAccount, a class. Often both are in the same wave, and the order within a wave is not guaranteed.",
		Decisive: "\"… \"name\" not found\" about another object than the one that is applied.",
		Example:  "pods \"seed\" is forbidden: error looking up service account shop/seeder: serviceaccount \"seeder\" not found",
		Fix:      "Create the other object, or put it into an earlier sync wave.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/sync-waves/"},
	},
	Sync:  advice.Pointless("what is missing has to exist first"),
	Needs: statement.RefusalNeeds,
	Check: statement.Refused(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		m := absent.FindStringSubmatch(f.Cause)
		if c := noClass.FindStringSubmatch(f.Cause); c != nil {
			m = c
		}
		if m == nil || s.Derived() || s.Refusal && f.Code != "" { // a pod that lacks something is the business of hook and health
			return diagnose.Finding{}, false
		}
		missing := evidence.Ref{Kind: m[1], Name: m[2]}
		out := diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      fmt.Sprintf("%s needs %s %s, which is not there", statement.Name(s), m[1], m[2]),
			Why:        fmt.Sprintf("The API server refuses %s because something it refers to does not exist: %s", statement.Name(s), statement.Words(s)),
			Fix:        []diagnose.Fix{{Text: "See whether it is there now", Command: diagnose.Shell("kubectl %sget %s %s", advice.InNamespace(evidence.Ref{Namespace: statement.Namespace(in, s)}), m[1], m[2])}},
		}
		res := statement.OwnResource(in, m[1], m[2])
		switch {
		case res == nil:
			out.Fix = append(out.Fix, diagnose.Fix{Text: fmt.Sprintf("It is not part of this application: create %s, or correct the name", missing)})
		case res.Status == "Synced":
			out.Sync = diagnose.Advice{Verdict: diagnose.SyncSafe, Why: "what was missing is there by now"}
			fallthrough
		default:
			out.Why += " It is part of this application: nothing orders the two within one wave."
			out.Fix = append(out.Fix, diagnose.Fix{Text: "Apply it earlier", Patch: fmt.Sprintf("# on %s\nmetadata:\n  annotations:\n    argocd.argoproj.io/sync-wave: \"-1\"\n", res.Ref())})
		}
		return out, true
	}),
}

// noClass is what an admission plugin says of a class: "no PriorityClass with name high was found".
var noClass = regexp.MustCompile(`no ([A-Z][A-Za-z]+) with name "?([^ "]+)"? was found`)

var absent = regexp.MustCompile(`(?i)([a-z][a-z0-9.]*?)s?(?:\.[a-z0-9.\-]+)? "([^"]+)" not found`)
