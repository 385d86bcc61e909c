package hooks

import (
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
)

// The delete policies, as Argo CD's annotation has them.
const (
	beforeCreation = evidence.BeforeHookCreation
	afterSuccess   = evidence.HookSucceeded
	afterFailure   = evidence.HookFailed
)

// policyNote says what the hook's delete policy does with its old object, so whether a person has to delete it.
func (h *run) policyNote() string {
	has := h.job.DeletePolicies()
	switch {
	case h.job == nil:
		return ""
	case len(has) == 0:
		return " (optional: without a delete policy, Argo CD replaces it on the next sync)"
	case slices.Contains(has, beforeCreation):
		return " (optional: its BeforeHookCreation policy does that on the next sync)"
	case slices.Contains(has, afterFailure):
		return " (optional: its HookFailed policy deletes it when it fails)"
	}
	return " (its " + has[0] + " policy keeps failed hooks)"
}

// replacedOnSync reports whether Argo CD itself deletes the hook's old object before the next sync creates the new one: by the policy
// BeforeHookCreation, which also counts where there is none. False where the object could not be read.
// https://github.com/argoproj/gitops-engine/blob/master/pkg/sync/hook/delete_policy.go
func (h *run) replacedOnSync() bool {
	has := h.job.DeletePolicies()
	return h.job != nil && (len(has) == 0 || slices.Contains(has, beforeCreation))
}

// replaceOld is the step that lets Argo CD delete the old object itself. Other policies that the hook has stay.
func replaceOld(o evidence.Object, text string) diagnose.Fix {
	has := append([]string{beforeCreation}, slices.DeleteFunc(o.DeletePolicies(), func(p string) bool { return p == beforeCreation })...)
	return diagnose.Fix{Text: text, Patch: "metadata:\n  annotations:\n    " + evidence.DeletePolicyAnnotation + ": " + strings.Join(has, ",") + "\n"}
}
