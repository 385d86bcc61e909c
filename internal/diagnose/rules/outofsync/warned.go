package outofsync

import (
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
)

// isOutOfSync reports whether the resource is one of those out of sync.
func isOutOfSync(in *diagnose.In, ref evidence.Ref) bool {
	r := in.Resource(ref)
	return r != nil && r.Status == "OutOfSync"
}

// isWarnedOf reports whether a condition of that type is about the resource. resource reads the one that a condition names.
func isWarnedOf(in *diagnose.In, condition string, ref evidence.Ref, resource func(*diagnose.Statement) evidence.Ref) bool {
	named, _ := diagnose.Once(in, "resources of "+condition, func() (*evidence.Index[evidence.Ref], bool) {
		var all []evidence.Ref
		warnings := in.Warnings()
		for i := range warnings {
			if s := &warnings[i]; s.Condition == condition {
				all = append(all, resource(s))
			}
		}
		return evidence.IndexOf(all), true
	})
	return named.Find(ref) != nil
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
			found = append(found, f.On(&warnings[i]))
		}
		return diagnose.Found(found...)
	}
}
