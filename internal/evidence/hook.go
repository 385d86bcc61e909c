package evidence

import (
	"slices"
	"strings"
)

// The delete policies of a hook, as Argo CD's annotation has them.
const (
	BeforeHookCreation = "BeforeHookCreation"
	HookSucceeded      = "HookSucceeded"
	HookFailed         = "HookFailed"
)

// Where a hook has them.
const (
	DeletePolicyAnnotation     = "argocd.argoproj.io/hook-delete-policy"
	HelmDeletePolicyAnnotation = "helm.sh/hook-delete-policy"
)

// helmPolicies are Helm's words for them.
var helmPolicies = map[string]string{"before-hook-creation": BeforeHookCreation, "hook-succeeded": HookSucceeded, "hook-failed": HookFailed}

// DeletePolicies are those that a hook carries, Argo CD's own and Helm's: Argo CD follows both. Without any that it knows it deletes the old hook
// before it creates the new one.
func (o Object) DeletePolicies() []string {
	var out []string
	add := func(p string) {
		if p != "" && !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	for p := range strings.SplitSeq(o.Annotation(DeletePolicyAnnotation), ",") {
		if p = strings.TrimSpace(p); slices.Contains([]string{BeforeHookCreation, HookSucceeded, HookFailed}, p) {
			add(p)
		}
	}
	for p := range strings.SplitSeq(o.Annotation(HelmDeletePolicyAnnotation), ",") {
		add(helmPolicies[strings.TrimSpace(p)])
	}
	return out
}

// HasDeadline reports whether something that runs is ended after a time: a Job or its pods, a pod, or a workflow.
func (o Object) HasDeadline() bool {
	const seconds = "activeDeadlineSeconds"
	_, own := o.Number("spec", seconds)
	_, pods := o.Number("spec", "template", "spec", seconds)
	return own || pods
}

// Hook is a hook of an application's last sync as it is in the cluster.
type Hook struct {
	// AppNamespace and App are whose it is.
	AppNamespace, App string
	Ref
	// NoDeadline: it can run forever, and keep the sync from ending. NoDeletePolicy: it says nothing of when it is to be deleted.
	NoDeadline, NoDeletePolicy bool
}

// ProjectWindow is a sync window of a project.
type ProjectWindow struct {
	Project string
	SyncWindow
	// Of is what of the project it is for, such as "applications web-*"; "" is all.
	Of string
}
