package app

import (
	"context"
	"errors"

	"github.com/argo-why/argo-why/config"
	"github.com/argo-why/argo-why/internal/action"
	actionbolt "github.com/argo-why/argo-why/internal/action/bolt"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/incident/bolt"
	"github.com/argo-why/argo-why/internal/kube"
)

// journals are where the bot remembers: what it posted, and what was done for whom.
type journals struct {
	incidents incident.Journal
	actions   action.Journal
	keys      keyStore // nil in a dry run
	close     func() error
	// cluster is where replicas share the journal; nil where this process is alone with it.
	cluster *kube.Journal
}

// openJournals opens what the configuration asks for: objects in a cluster, or a file outside of one. A dry run only reads it.
func openJournals(ctx context.Context, c config.Journal, o Options) (journals, error) {
	c = c.Resolve()
	switch {
	case c.Kind == config.JournalFile && o.DryRun:
		return readOnly(bolt.Read(ctx, c.Path))
	case c.Kind == config.JournalFile:
		return openFile(c.Path)
	}
	j, err := kube.OpenJournal(kube.Options{UserAgent: "argo-why/" + o.Version}, c.Namespace)
	if err != nil {
		return journals{}, err
	}
	if o.DryRun {
		ctx, cancel := context.WithTimeout(ctx, journalTimeout)
		defer cancel()
		return readOnly(j.Read(ctx))
	}
	return journals{incidents: j, actions: j.Actions(), keys: j, close: func() error { return nil }, cluster: j}, nil
}

func openFile(path string) (journals, error) {
	j, err := bolt.Open(path)
	if err != nil {
		return journals{}, err
	}
	actions, err := actionbolt.Open(j.DB())
	if err != nil {
		return journals{}, errors.Join(err, j.Close())
	}
	return journals{incidents: j, actions: actions, keys: j, close: j.Close}, nil
}
