package outofsync

import (
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/evidence"
)

// isShared: two applications write the resource in turn, whatever the field. Where something else than Argo CD wrote the
// mark of the other application, there may be no such application: drift/tracking-label.
func isShared(in *diagnose.In, d *picture, r *resource) bool {
	for i := range r.Fields {
		if _, strange := foreignWriter(&r.Fields[i]); strange && tracksResource(in, d, r, &r.Fields[i]) {
			return false
		}
	}
	return isWarnedOf(in, "SharedResourceWarning", r.Ref, func(s *diagnose.Statement) evidence.Ref {
		ref, _ := statement.SharedBy(in, s.Failure.Text)
		return ref
	})
}
