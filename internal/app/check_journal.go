package app

import (
	"context"

	"github.com/argo-why/argo-why/config"
	"github.com/argo-why/argo-why/internal/kube"
	"github.com/argo-why/argo-why/internal/preflight"
)

// checkJournal looks at a journal whose kind is decided.
func checkJournal(j config.Journal, version string) preflight.Check {
	if j.Kind == config.JournalFile {
		return preflight.Given(preflight.CheckFile(j.Path))
	}
	return func(ctx context.Context) []preflight.Finding {
		journal, err := kube.OpenJournal(kube.Options{UserAgent: "argo-why/" + version}, j.Namespace)
		if err != nil {
			return []preflight.Finding{{What: "journal", Problem: err.Error()}}
		}
		detail := "Incident objects in the bot's own namespace"
		if j.Namespace != "" {
			detail = "Incident objects in namespace " + j.Namespace
		}
		findings := preflight.CheckJournal(ctx, detail, journal)
		if _, _, err := journal.ButtonKeys(ctx); err != nil {
			return append(findings, preflight.Finding{What: "key of buttons", Problem: err.Error()})
		}
		return append(findings, preflight.Finding{What: "key of buttons", Detail: "beside the journal"})
	}
}
