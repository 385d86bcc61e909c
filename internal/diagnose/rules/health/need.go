package health

import (
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/text"
)

// withNeed says of a resource that cannot reach another part of its application how that part is: missing and applied too late, or in
// trouble itself, which then is the cause.
func withNeed(in *diagnose.In, s *unhealthy.Resource, f diagnose.Finding) diagnose.Finding {
	need := s.Need
	switch {
	case need == nil:
	case need.Behind != nil:
		f.Role = diagnose.RoleEffect
		f.Why = text.Paragraph(f.Why, behindSentence(need))
		f.Fix = append([]diagnose.Fix{{Text: fmt.Sprintf("Fix %s first", need.Behind.Ref)}}, f.Fix...)
	case need.Missing:
		f.Why = text.Paragraph(f.Why, fmt.Sprintf("It cannot reach %s of this application, which does not exist and is applied in sync wave %d%s.", need.Host.Ref(), need.Host.SyncWave, waveNote(in, s, need.Host)))
		step := diagnose.Fix{Text: fmt.Sprintf("Check why %s was not created", need.Host.Ref()), Command: diagnose.Shell("kubectl %sget %s", advice.InNamespace(need.Host.Ref()), need.Host.Ref().Resource())}
		if own := in.Resource(s.Ref); own != nil && own.SyncWave <= need.Host.SyncWave {
			step = diagnose.Fix{
				Text:  fmt.Sprintf("In Git, move %s, with the workload behind it, to an earlier sync wave than %s", need.Host.Ref(), s.Ref),
				Patch: fmt.Sprintf("# on %s, and on the workload behind it\nmetadata:\n  annotations:\n    argocd.argoproj.io/sync-wave: \"%d\"\n", need.Host.Ref(), own.SyncWave-1),
			}
		}
		f.Fix = append([]diagnose.Fix{step}, f.Fix...)
	}
	return f
}

// behindSentence says which part of the application it needs, and that this is not healthy itself.
func behindSentence(need *unhealthy.Need) string {
	switch {
	case need.Host == nil:
		return fmt.Sprintf("By its own words it needs %s of this application, which is not healthy itself.", need.Behind.Ref)
	case need.Host.Ref().Same(need.Behind.Ref):
		return fmt.Sprintf("It cannot reach %s of this application, which is not healthy itself.", need.Behind.Ref)
	}
	return fmt.Sprintf("It cannot reach %s of this application, because %s is not healthy itself.", need.Host.Ref(), need.Behind.Ref)
}
