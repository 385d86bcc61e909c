package apply

import (
	"cmp"
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
)

var AlreadyExists = &diagnose.Rule{
	ID: "apply/already-exists",
	Doc: diagnose.Doc{
		Title:    "An object of that name exists already",
		What:     "The sync wants to create the object, and it is already there: made by somebody else, owned by another tool or application, or created with generateName or Replace.",
		Decisive: "\"already exists\" (AlreadyExists).",
		Example:  "services \"web\" already exists",
		Fix:      "Find who owns the object; rename one of the two, or let Argo CD adopt it.",
	},
	Sync:  advice.Pointless("the object in the way stays"),
	Needs: statement.RefusalNeeds,
	Check: statement.Refused(func(_ *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		if s.Hook() || !s.Failure.Has("already exists", "alreadyexists") {
			return diagnose.Finding{}, false
		}
		ref := statement.Subject(s)
		return diagnose.Finding{
			Resource: ref, Confidence: diagnose.Certain,
			Title: statement.Name(s) + " exists already",
			Why:   fmt.Sprintf("The API server cannot create %s because an object of that name is there: %s", statement.Name(s), statement.Words(s)),
			Fix: []diagnose.Fix{
				{Text: "See whose it is (labels, annotations, owner)", Command: diagnose.Shell("kubectl %sget %s -o yaml --show-managed-fields", advice.InNamespace(ref), cmp.Or(ref.Resource(), "RESOURCE"))},
				{Text: "Rename it in Git, or delete the one in the way and sync"},
			},
		}, true
	}),
}
