package hooks

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/text"
)

// andOthers adds what is wrong beside the hook that is looked at closely: other hooks that failed (those of one wave run at the same
// time), and resources that were not healthy before the sync could apply anything.
func andOthers(check func(*diagnose.In) diagnose.Outcome) func(*diagnose.In) diagnose.Outcome {
	return func(in *diagnose.In) diagnose.Outcome {
		out := check(in)
		first := true
		all := in.Statements()
		for i := range all {
			s := &all[i]
			if !s.Hook() || s.Result.HookType == "SyncFail" || !strings.Contains(s.Failure.Text, gaveUp) && !strings.Contains(s.Failure.Text, "failed with exit code") {
				continue
			}
			if first { // the picture is of this one
				first = false
				continue
			}
			h := &run{task: *s.Result, ref: s.Resource, failed: true, fits: in.Fits}
			title, named := h.titled("failed too")
			out.Findings = append(out.Findings, diagnose.Finding{
				Resource: h.ref, Confidence: diagnose.Certain,
				Title: title, Why: text.Paragraph(named, "It failed in the same sync. Its log was not read."),
				Fix: []diagnose.Fix{h.readLogStep()},
			}.On(s))
		}
		if h := look(in); h != nil && h.failed && h.inTree && h.task.HookType == "PreSync" && len(out.Findings) > 0 && !in.Asked() { // for a person who asked, each is examined by a rule of its own
			out.Findings = append(out.Findings, h.degraded(in)...)
		}
		return out
	}
}

// degraded are notes on the resources that are Degraded though a PreSync hook stopped the sync: that is another trouble. What the hook
// could not reach is named with the hook.
func (h *run) degraded(in *diagnose.In) []diagnose.Finding {
	_, peer := h.unwellPeer(in)
	var out []diagnose.Finding
	for _, s := range unhealthy.List(in, h.tree).Resources {
		if s.Status != "Degraded" || peer != nil && peer.Ref().Same(s.Ref) {
			continue
		}
		f := diagnose.Finding{
			Resource: s.Ref, Role: diagnose.RoleNote, Confidence: diagnose.Certain,
			Title:    fmt.Sprintf("%s is Degraded as well", s.Ref),
			Why:      "The sync stopped before it applied anything, so that is another trouble.",
			Evidence: []diagnose.Quote{{From: s.Ref.String(), Text: text.OneLine("health Degraded " + s.Text)}},
			Fix:      []diagnose.Fix{{Text: "Check its status and events", Command: diagnose.Shell("kubectl %sdescribe %s", advice.InNamespace(s.Ref), s.Ref.Resource())}},
		}
		if s.Pod != nil {
			f.Says = diagnose.Said{Who: "Its pod is in", Text: pods.Reason(s.Pod)}
			f.Fix[0].Command = diagnose.Shell("kubectl %sdescribe %s", advice.InNamespace(s.Pod.Ref()), s.Pod.Ref().Resource())
		} else if s.Text != "" {
			f.Says = diagnose.Said{Who: "Argo CD says", Text: s.Text}
		}
		out = append(out, f)
	}
	return out
}
