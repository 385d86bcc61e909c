package hooks

import (
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
)

// The delete policies, as Argo CD's annotation has them.
const (
	beforeCreation = "BeforeHookCreation"
	afterSuccess   = "HookSucceeded"
	afterFailure   = "HookFailed"
)

const (
	policyAnnotation = "argocd.argoproj.io/hook-delete-policy"
	helmAnnotation   = "helm.sh/hook-delete-policy"
)

// helmPolicies are Helm's words for them.
var helmPolicies = map[string]string{"before-hook-creation": beforeCreation, "hook-succeeded": afterSuccess, "hook-failed": afterFailure}

// policies are the delete policies that an object carries, Argo CD's own and Helm's: Argo CD follows both. Without any that it knows
// it deletes the old hook before it creates the new one.
func policies(o evidence.Object) []string {
	var out []string
	add := func(p string) {
		if p != "" && !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	for p := range strings.SplitSeq(o.Annotation(policyAnnotation), ",") {
		if p = strings.TrimSpace(p); slices.Contains([]string{beforeCreation, afterSuccess, afterFailure}, p) {
			add(p)
		}
	}
	for p := range strings.SplitSeq(o.Annotation(helmAnnotation), ",") {
		add(helmPolicies[strings.TrimSpace(p)])
	}
	return out
}

// policyNote says what the hook's delete policy does with its old object, so whether a person has to delete it.
func (h *run) policyNote() string {
	has := policies(h.job)
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
	has := policies(h.job)
	return h.job != nil && (len(has) == 0 || slices.Contains(has, beforeCreation))
}

// replaceOld is the step that lets Argo CD delete the old object itself. Other policies that the hook has stay.
func replaceOld(o evidence.Object, text string) diagnose.Fix {
	has := append([]string{beforeCreation}, slices.DeleteFunc(policies(o), func(p string) bool { return p == beforeCreation })...)
	return diagnose.Fix{Text: text, Patch: "metadata:\n  annotations:\n    " + policyAnnotation + ": " + strings.Join(has, ",") + "\n"}
}
