package outofsync

import (
	"fmt"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
)

// applicationPatch is a part of an Application, to be merged into it.
type applicationPatch struct {
	Metadata *patchMetadata `json:"metadata,omitempty"`
	Spec     *patchSpec     `json:"spec,omitempty"`
}

// automate is the step that changes how Argo CD syncs by itself: a command, or where an ApplicationSet or a parent application would
// undo it, a patch.
func automate(in *diagnose.In, step, command string, automated map[string]bool) diagnose.Fix {
	if in.App().Metadata.ApplicationSet() == "" && parentOf(in.App()) == "" {
		return diagnose.Fix{Text: step, Command: command}
	}
	return mergeInto(in, step, applicationPatch{Spec: &patchSpec{SyncPolicy: &patchSyncPolicy{Automated: automated}}})
}

type patchMetadata struct {
	Annotations map[string]string `json:"annotations"`
}

type patchSpec struct {
	IgnoreDifferences []evidence.IgnoredDifference `json:"ignoreDifferences,omitempty"`
	SyncPolicy        *patchSyncPolicy             `json:"syncPolicy,omitempty"`
}

type patchSyncPolicy struct {
	Automated   map[string]bool `json:"automated,omitempty"`
	SyncOptions []string        `json:"syncOptions,omitempty"`
}

// template is a patch of the ApplicationSet that generates an Application.
type template struct {
	Spec struct {
		Template applicationPatch `json:"template"`
	} `json:"spec"`
}

// mergeInto is the step that changes the Application itself, where that lasts: an ApplicationSet writes its template over what is
// changed in an Application that it generates, and a parent application what Git has.
func mergeInto(in *diagnose.In, step string, patch applicationPatch) diagnose.Fix {
	if set := in.App().Metadata.ApplicationSet(); set != "" {
		var t template
		t.Spec.Template = patch
		return diagnose.Fix{Text: fmt.Sprintf("%s: merge this into ApplicationSet %s, whose template overwrites the Application", step, set), Patch: marshal(t)}
	}
	where := "merge this into the Application"
	if parent := parentOf(in.App()); parent != "" {
		where = fmt.Sprintf("merge this into the manifest of the Application in Git, which application %s deploys", parent)
	}
	merged := marshal(patch)
	if len(merged) > maxPatch {
		return diagnose.Fix{Text: step + ": " + where + " (the lists that the Application has already are too long to be printed here)"}
	}
	return diagnose.Fix{Text: step + ": " + where, Patch: merged}
}

// maxPatch is the longest patch that is printed: it repeats the lists of the Application, which a merge replaces.
const maxPatch = 16 << 10

// parentOf is the application that deploys this one: the one that its tracking mark names.
func parentOf(app *evidence.Application) string {
	m := app.Metadata
	name, rest, ok := strings.Cut(m.Annotations["argocd.argoproj.io/tracking-id"], ":")
	if !ok || !strings.HasPrefix(rest, "argoproj.io/Application:") {
		name = ""
	}
	if name == m.Name {
		return ""
	}
	return name
}

func marshal(v any) string {
	out, err := yaml.Marshal(v)
	if err != nil {
		return "" // strings and lists of strings: cannot fail
	}
	return string(out)
}
