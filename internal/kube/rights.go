package kube

import (
	"context"
	"errors"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/program"
	"github.com/argo-why/argo-why/internal/sanitize"
)

// What gives the rights that are missing.
const (
	applyRole    = "set rbac.journal=true in the Helm chart, or kubectl apply -f deploy/rbac/journal.yaml and bind it to that account"
	applyActions = "set rbac.actions.enabled=true in the Helm chart, or kubectl apply -f deploy/rbac/actions.yaml and bind it to that account"
)

// grantReading is what gives the rights to read.
func grantReading() sanitize.Clean {
	return sanitize.Sprintf("grant it with %s generate kubernetes-rbac", program.Name())
}

// forReading says of a right to read a kind that is missing what reports lack without it, and what gives it.
func forReading(err error, kind evidence.Outside) error {
	var e *Error
	if !errors.As(err, &e) || e.Problem != Forbidden || kind.Unknown == "" {
		return err
	}
	told := *e
	told.todo = lost(kind.Unknown, granting(kind))
	return &told
}

func lost(unknown string, grant sanitize.Clean) sanitize.Clean {
	return sanitize.Sprintf("so reports do not say %s; %s", unknown, grant)
}

// granting is the command that gives the right to read a kind.
func granting(kind evidence.Outside) sanitize.Clean {
	if kind.Optional {
		return grantReading() + " --secret-keys, or do without"
	}
	if kind.Named {
		return grantReading() + " --configmaps NAMESPACES, or do without"
	}
	return grantReading()
}

// right is one to objects of a kind in a namespace; in all of them where it is "".
type right struct {
	verb        string
	resource    schema.GroupVersionResource
	subresource string
	namespace   string
	name        string // of the one object, "" for all
	// clusterScoped: the objects have no namespace.
	clusterScoped bool
}

// lacking is the sentence about somebody who does not have it.
func (r right) lacking() sanitize.Clean {
	resource := strings.TrimSuffix(r.resource.GroupResource().String()+"/"+r.subresource, "/")
	where := "in all namespaces"
	switch {
	case r.clusterScoped:
		where = "in the cluster"
	case r.namespace != "":
		where = "in namespace " + r.namespace
	}
	if r.name != "" {
		resource += "/" + r.name
	}
	return sanitize.Sprintf("the bot cannot %s %s %s", r.verb, resource, where)
}

var reviews = schema.GroupVersionResource{Group: "authorization.k8s.io", Version: "v1", Resource: "selfsubjectaccessreviews"}

// may asks whether this account has a right; every account may ask that of itself.
func (c *connection) may(ctx context.Context, r right) (bool, error) {
	answer, err := c.objects.Resource(reviews).Create(ctx, &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "authorization.k8s.io/v1", "kind": "SelfSubjectAccessReview",
		"spec": map[string]any{"resourceAttributes": map[string]any{
			"namespace": r.namespace, "verb": r.verb, "group": r.resource.Group, "resource": r.resource.Resource, "subresource": r.subresource, "name": r.name,
		}},
	}}, metav1.CreateOptions{})
	if err != nil {
		return false, err
	}
	allowed, _, err := unstructured.NestedBool(answer.Object, "status", "allowed")
	return allowed, err
}

// LacksJobs says which right to delete Jobs the account lacks in a namespace of the application's cluster, and what gives it;
// "" if it lacks none. Without a namespace it asks for all of them.
func (a *App) LacksJobs(ctx context.Context, namespace string) (string, error) {
	conn, err := a.cluster(ctx)
	if err != nil {
		return unproven(err)
	}
	return conn.lacks(ctx, jobRights(namespace)...)
}

// jobRights are those of the role argo-why-jobs in deploy/rbac/actions.yaml.
func jobRights(namespace string) []right {
	return []right{{verb: "get", resource: jobs, namespace: namespace}, {verb: "delete", resource: jobs, namespace: namespace}}
}

// LacksEvents says the same of events, in a namespace of the cluster that Argo CD runs in.
func (a *App) LacksEvents(ctx context.Context, namespace string) (string, error) {
	conn, _, err := a.home(ctx)
	if err != nil {
		return unproven(err)
	}
	return conn.lacks(ctx, right{verb: "create", resource: events, namespace: namespace})
}

const askRights = "read the bot's rights"

// unproven is the answer where the cluster was not shown to be the right one. That the account may not look at the Application
// is a right that it lacks; anything else is no answer.
func unproven(err error) (string, error) {
	var e *Error
	if errors.As(err, &e) && e.Problem == Forbidden {
		return string(e.what + "; " + applyActions), nil
	}
	return "", during(askRights, err)
}

func (c *connection) lacks(ctx context.Context, rights ...right) (string, error) {
	for _, r := range rights {
		may, err := c.may(ctx, r)
		if err != nil {
			return "", during(askRights, notTheirs(ctx, c.fail(err)))
		}
		if !may {
			return string(r.lacking() + "; " + applyActions), nil
		}
	}
	return "", nil
}
