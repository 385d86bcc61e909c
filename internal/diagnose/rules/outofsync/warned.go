package outofsync

import (
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
)

// isOutOfSync reports whether the resource is one of those out of sync.
func isOutOfSync(in *diagnose.In, ref evidence.Ref) bool {
	r := in.App().Resource(ref)
	return r != nil && r.Status == "OutOfSync"
}

// reportingWarning is a check of the conditions of one type that warn. An application that is out of sync owes it to that where
// nothing else explains it; one that is in sync gets a note.
func reportingWarning(condition string, report func(in *diagnose.In, s *diagnose.Statement) diagnose.Finding) func(*diagnose.In) diagnose.Outcome {
	return func(in *diagnose.In) diagnose.Outcome {
		var found []diagnose.Finding
		warnings := in.Warnings()
		for i := range warnings {
			if warnings[i].Condition != condition {
				continue
			}
			f := report(in, &warnings[i])
			if !isOutOfSync(in, f.Resource) {
				f.Kind = diagnose.KindWarning
			}
			if in.App().Status.Sync.Status == "Synced" {
				f.Role = diagnose.RoleNote
			}
			found = append(found, f.On(&warnings[i]))
		}
		return diagnose.Found(found...)
	}
}
