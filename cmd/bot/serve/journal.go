package serve

import (
	"context"
	"fmt"

	"github.com/argo-why/argo-why/config"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/incident/bolt"
	"github.com/argo-why/argo-why/internal/kube"
)

// openJournal opens what the configuration asks for: Incident objects in a cluster, or a file outside of one.
func openJournal(_ context.Context, c config.Journal, version string) (incident.Journal, error) {
	c = c.Resolve()
	if c.Kind == config.JournalFile {
		return bolt.Open(c.Path)
	}
	j, err := kube.OpenJournal(kube.Options{UserAgent: "argo-why/" + version}, c.Namespace)
	if err != nil {
		return nil, fmt.Errorf("open the journal: %w", err)
	}
	return j, nil
}
