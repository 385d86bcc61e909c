package health

import (
	"slices"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/evidence"
)

// freeObjects are the live objects of a healthy application, where reading them costs nothing: a healthy
// application is not worth a call, but a case file may hold what Argo CD does not look at.
func freeObjects(in *diagnose.In, which func(evidence.Ref) bool) []evidence.Object {
	app := in.App()
	if app.Status.Health.Status != "Healthy" || app.Status.Sync.Status != "Synced" || len(in.Statements()) > 0 || in.App().CurrentOperation() != nil {
		return nil
	}
	var out []evidence.Object
	for _, r := range app.Status.Resources {
		if r.Hook || !which(r.Ref()) {
			continue
		}
		if o, ok := diagnose.Peek(in, evidence.FactObject(evidence.ObjectQuery{Ref: r.Ref()})); ok && o != nil {
			out = append(out, o)
		}
	}
	return out
}

func isKind(kinds ...string) func(evidence.Ref) bool {
	return func(r evidence.Ref) bool { return slices.Contains(kinds, r.Kind) }
}

// appendNote adds a note of what is found beside a healthy application: Argo CD has nothing to do about it. Of each kind the
// first is reported in full, further ones are named.
func appendNote(found []diagnose.Finding, f diagnose.Finding, confidence diagnose.Confidence) []diagnose.Finding {
	i := slices.IndexFunc(found, func(o diagnose.Finding) bool {
		return o.Resource.Group == f.Resource.Group && o.Resource.Kind == f.Resource.Kind
	})
	if i >= 0 {
		found[i].Others = append(found[i].Others, f.Resource)
		return found
	}
	f.Role, f.Confidence = diagnose.RoleNote, confidence
	f.Sync = advice.Pointless("the cluster already matches Git")
	return append(found, f)
}
