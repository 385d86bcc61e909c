package apply

import (
	"cmp"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/text"
)

var AlreadyExists = &diagnose.Rule{
	ID: "apply/already-exists",
	Doc: diagnose.Doc{
		Title:    "Resource already exists",
		What:     "The sync tries to create a resource that already exists: something else created it, another tool or application owns it, or it is synced with generateName or Replace.",
		Decisive: "\"already exists\" (AlreadyExists).",
		Example:  "services \"web\" already exists",
		Fix:      "Find out who owns the existing resource. Rename one of the two, or delete the existing one.",
	},
	Sync:  advice.Pointless("the resource cannot be created while another one has its name"),
	Needs: statement.RefusalNeeds,
	Check: refused(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		if s.Hook() || !s.Failure.Has("already exists", "alreadyexists") {
			return diagnose.Finding{}, false
		}
		ref := statement.Subject(s)
		if s.Failure.Has("object is being deleted") {
			return diagnose.Finding{
				Resource: ref, Confidence: diagnose.Certain, OutsideGit: true,
				Title: sentence(statement.Name(s), "is still being deleted"),
				Why:   "It was deleted and cannot be created again before it is gone. Usually a finalizer holds it.",
				Sync:  advice.Pointless("it cannot be created until the old one is gone"),
				Fix:   []diagnose.Fix{advice.SeeFinalizer(ref), advice.Sync(in, "Sync when it is gone")},
			}, true
		}
		instead := "Rename the resource in Git and push; or delete the existing one, if nothing else needs it, and sync"
		switch ref.Kind {
		case "Namespace", "CustomResourceDefinition", "PersistentVolume", "PersistentVolumeClaim": // everything in it would go with it
			instead = "Rename the resource in Git and push, or leave it to its owner and remove it from this application. Do not delete the existing one: what is in it would be deleted with it"
		}
		return diagnose.Finding{
			Resource: ref, Confidence: diagnose.Certain,
			Title: text.UpperFirst(statement.Name(s)) + " already exists",
			Why:   "Argo CD tried to create it. Another tool or application may own the existing one.",
			Fix: []diagnose.Fix{
				{Text: "Check who owns it: labels, annotations, owner references, managed fields", Command: diagnose.Shell("kubectl %sget %s -o yaml --show-managed-fields", advice.InNamespace(ref), cmp.Or(ref.Resource(), "RESOURCE"))},
				{Text: instead},
			},
		}, true
	}),
}
