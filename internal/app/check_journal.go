package app

import (
	"context"

	"github.com/argo-why/argo-why/config"
	"github.com/argo-why/argo-why/internal/kube"
	"github.com/argo-why/argo-why/internal/preflight"
)

// journalAndLeases is a journal, and who leads what in it.
type journalAndLeases struct {
	*kube.Journal
	shards []string
}

// Check finds what the cluster will refuse.
func (j journalAndLeases) Check(ctx context.Context) error {
	return j.CheckShards(ctx, j.shards...)
}

// checkJournal looks at a journal whose kind is decided.
func checkJournal(c *config.Config, version string) preflight.Check {
	j := c.Journal.Resolve()
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
		var led []string
		if j.Leaders == config.LeadersEach {
			led = instanceNames(c)
			detail += ", and a leader for each Argo CD"
		}
		findings := preflight.CheckJournal(ctx, detail, journalAndLeases{journal, led})
		if _, _, err := journal.ButtonKeys(ctx); err != nil {
			return append(findings, preflight.Finding{What: "key of buttons", Problem: err.Error()})
		}
		return append(findings, preflight.Finding{What: "key of buttons", Detail: "beside the journal"})
	}
}
