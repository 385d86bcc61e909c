package statement

import (
	"github.com/argo-why/argo-why/internal/diagnose"
)

// Each is a check that looks at each statement by itself.
func Each(match func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool)) func(*diagnose.In) diagnose.Outcome {
	return func(in *diagnose.In) diagnose.Outcome {
		var found []diagnose.Finding
		all := in.Statements()
		for i := range all {
			if f, ok := match(in, &all[i]); ok {
				found = append(found, f.On(&all[i]))
			}
		}
		return diagnose.Found(found...)
	}
}
