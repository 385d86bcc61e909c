package gateway

import (
	"context"
	"errors"
	"time"

	"github.com/argo-why/argo-why/internal/argo"
	"github.com/argo-why/argo-why/internal/kube"
)

// Options say how to reach an Argo CD and the clusters that it deploys to.
type Options struct {
	Argo     argo.Options
	Clusters kube.Options
}

// CheckKubeconfig finds what is wrong with a kubeconfig, or a context in it, that somebody named. It asks no cluster: which one it
// is depends on the application.
func (o Options) CheckKubeconfig() error { return kube.Open(o.Clusters).Check() }

// SameServer reports whether both lead to the same Argo CD, however its address is written.
func SameServer(a, b Options) bool { return argo.SameServer(a.Argo, b.Argo) }

// Connection is one Argo CD and the clusters that it deploys to. It is safe for parallel use.
type Connection struct {
	// Argo is for what concerns Argo CD alone: the account, its rights, the list of applications.
	Argo     *argo.Client
	clusters *kube.Clusters
}

// Connect starts to connect to Argo CD, and does not wait for it: see [argo.Connect]. Clusters are looked for when an application
// needs them.
func Connect(ctx context.Context, o Options) (*Connection, error) {
	client, err := argo.Connect(ctx, o.Argo)
	if err != nil {
		return nil, err
	}
	return &Connection{Argo: client, clusters: kube.Open(o.Clusters)}, nil
}

// Close ends the connection to Argo CD.
func (c *Connection) Close() error { return c.Argo.Close() }

// WithTimeout limits a context. What ends by that limit says in its error that it did, and how to raise it ("raise --timeout").
func WithTimeout(ctx context.Context, limit time.Duration, raise string) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, limit, &argo.Limit{After: limit, Raise: raise})
}

// isUnknown reports whether an error says that Argo CD knows no such application, or does not show it to this account.
func isUnknown(err error) bool {
	var problem *argo.Error
	return errors.As(err, &problem) && problem.Problem == argo.UnknownApplication
}
