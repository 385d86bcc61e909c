package hooks

import (
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/evidence/clean"
)

// unknownKind is how kubectl and clients in Go say that the API server does not know a kind.
var unknownKind = pattern.MustCompile(`no matches for kind "(\w+)" in (?:version|group) "([\w.-]+)`)

// laterDefinition is the application's own definition of a kind that the hook uses, which this sync has not applied; nil where that is
// not so.
func (h *run) laterDefinition(in *diagnose.In, line string) *evidence.ResourceStatus {
	m := unknownKind.FindStringSubmatch(line)
	if m == nil {
		return nil
	}
	for i := range in.App().Status.Resources {
		r := &in.App().Status.Resources[i]
		plural, ok := strings.CutSuffix(r.Name, "."+m[2])
		if ok && r.Kind == "CustomResourceDefinition" && !r.Hook && strings.HasPrefix(plural, strings.TrimSuffix(strings.ToLower(m[1]), "y")) && h.isMissing(r) {
			return r
		}
	}
	return nil
}

// laterBinding is the application's own binding that gives the hook's account a right which it lacks, and that this sync has not applied;
// nil where that is not so.
func (h *run) laterBinding(in *diagnose.In, line string) *evidence.ResourceStatus {
	f := message.Parse(line)
	refused, ok := f.Forbidden()
	if !ok {
		return nil
	}
	account := refused.User[strings.LastIndex(refused.User, ":")+1:]
	for i := range in.App().Status.Resources {
		r := &in.App().Status.Resources[i]
		if (r.Kind != "RoleBinding" && r.Kind != "ClusterRoleBinding") || r.Hook || !h.isMissing(r) {
			continue
		}
		for _, subject := range targetOf(in, r).List("subjects") {
			if subject.Text("name") == account {
				return r
			}
		}
	}
	return nil
}

// roleOf is the role that a binding of the application refers to.
func roleOf(in *diagnose.In, binding *evidence.ResourceStatus) evidence.Ref {
	ref := targetOf(in, binding)
	return evidence.Ref{Kind: ref.Text("roleRef", "kind"), Name: ref.Text("roleRef", "name")}
}

// targetOf is a resource as Git has it; nil where that was not read.
func targetOf(in *diagnose.In, r *evidence.ResourceStatus) evidence.Object {
	managed, _ := diagnose.Look(in, evidence.FactManaged)
	for i := range managed {
		if d := &managed[i]; d.Ref().Same(r.Ref()) {
			return clean.State(d.TargetState)
		}
	}
	return nil
}
