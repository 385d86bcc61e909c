package kube

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	coordination "k8s.io/client-go/kubernetes/typed/coordination/v1"
	"k8s.io/client-go/util/flowcontrol"

	"github.com/argo-why/argo-why/internal/sanitize"
)

// An outage changes a handful of entries a second; the API server itself fends off what is too much for it.
const writesPerSecond, writeBurst = 50, 100

// podNamespace is where a pod finds the namespace that it runs in:
// https://kubernetes.io/docs/tasks/run-application/access-api-from-pod/#directly-accessing-the-rest-api
const podNamespace = "/var/run/secrets/kubernetes.io/serviceaccount/namespace"

// OpenJournal is the journal in a namespace of the cluster that this pod runs in, or of the one that the kubeconfig leads
// to. Without a namespace it is the pod's own, or that of the context. It does not ask the cluster yet: see [Journal.Check].
func OpenJournal(o Options, namespace string) (*Journal, error) {
	return Open(o).journal(namespace)
}

func (c *Clusters) journal(namespace string) (*Journal, error) {
	const operation = "open the journal of incidents"
	if err := c.Check(); err != nil {
		return nil, fmt.Errorf("%s: %w", operation, err)
	}
	own, err := c.ownEndpoint()
	if err != nil {
		return nil, withoutFlags(during(operation, err))
	}
	if namespace == "" {
		if namespace, err = c.ownNamespace(own); err != nil {
			return nil, during(operation, err)
		}
	}
	conn, err := c.dial(own, flowcontrol.NewTokenBucketRateLimiter(writesPerSecond, writeBurst))
	if err != nil {
		return nil, during(operation, err)
	}
	leases, err := c.leases(own)
	if err != nil {
		return nil, during(operation, err)
	}
	return &Journal{
		store: newStore(conn, namespace, incidentKind, "incidents", incidentRights()...), parts: newMemberParts(conn, namespace), actions: newActionJournal(conn, namespace),
		leases: leases,
	}, nil
}

// noFlags are the remedies of commands that have no flags for the cluster: those that read or write the journal.
var noFlags = strings.NewReplacer(
	"use --kubeconfig FILE", "set KUBECONFIG, or run this in the bot's pod", "use --kube-context NAME", "choose one with kubectl config use-context NAME",
)

func withoutFlags(err error) error {
	if e, ok := errors.AsType[*Error](err); ok {
		e.todo = sanitize.Line(noFlags.Replace(string(e.todo)))
	}
	return err
}

// leases is a client for Leases there.
func (c *Clusters) leases(e endpoint) (coordination.LeasesGetter, error) {
	config, err := c.restConfig(e)
	if err != nil {
		return nil, unusable(e, err)
	}
	leases, err := newLeases(config, c.options.UserAgent)
	if err != nil {
		return nil, unusable(e, err)
	}
	return leases, nil
}

// ownNamespace is the namespace of a client for which none was given.
func (c *Clusters) ownNamespace(e endpoint) (string, error) {
	if e.pod == nil {
		var namespace string
		if at := c.config.Contexts[e.context]; at != nil {
			namespace = at.Namespace
		}
		return cmp.Or(namespace, metav1.NamespaceDefault), nil
	}
	text, err := os.ReadFile(c.podNamespace)
	if namespace := strings.TrimSpace(string(text)); err == nil && namespace != "" {
		return namespace, nil
	}
	return "", &Error{Problem: NoAccess, what: sanitize.Sprintf("the namespace of this pod is not in %s", c.podNamespace), todo: "set journal.namespace", Err: err}
}

// Check finds what the cluster will refuse, before there is an incident or an action to write: all in one run, a line each.
func (j *Journal) Check(ctx context.Context) error { return j.CheckShards(ctx) }

// CheckShards is Check for replicas that lead these shards, with a Lease each.
func (j *Journal) CheckShards(ctx context.Context, shards ...string) error {
	return errors.Join(j.check(ctx, "check the journal of incidents"), j.parts.check(ctx, "check the members of incidents"), j.actions.check(ctx, "check the journal of actions"), j.checkLeases(ctx, shards...))
}
