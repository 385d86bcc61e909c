package outofsync

import (
	"reflect"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/drift"
	"github.com/argo-why/argo-why/internal/evidence"
)

// maxIgnored is how many resources a patch names one by one.
const maxIgnored = 10

// applicationPatch is a part of an Application, to be merged into it.
type applicationPatch struct {
	Metadata *patchMetadata `json:"metadata,omitempty"`
	Spec     *patchSpec     `json:"spec,omitempty"`
}

type patchMetadata struct {
	Annotations map[string]string `json:"annotations"`
}

type patchSpec struct {
	IgnoreDifferences []evidence.IgnoredDifference `json:"ignoreDifferences"`
	SyncPolicy        *patchSyncPolicy             `json:"syncPolicy,omitempty"`
}

type patchSyncPolicy struct {
	SyncOptions []string `json:"syncOptions"`
}

func (p applicationPatch) yaml() string {
	out, err := yaml.Marshal(p)
	if err != nil {
		return "" // strings and lists of strings: cannot fail
	}
	return string(out)
}

const respectIgnored = "RespectIgnoreDifferences=true"

// ignore is the step that makes Argo CD overlook exactly these fields. With respect, a sync leaves them alone, too: without
// it they are not shown as different and still overwritten. The lists hold what the application has already, because a
// merge replaces them.
func (g *explained) ignore(respect bool) diagnose.Fix {
	spec := g.in.App().Spec
	patch := patchSpec{IgnoreDifferences: slices.DeleteFunc(slices.Clone(spec.IgnoreDifferences), func(e evidence.IgnoredDifference) bool {
		return slices.ContainsFunc(g.misses, func(m evidence.IgnoredDifference) bool { return reflect.DeepEqual(e, m) })
	})}
	for _, r := range g.resources[:min(len(g.resources), maxIgnored)] {
		patch.IgnoreDifferences = append(patch.IgnoreDifferences, ignored(r, r.explainedBy(g.rule)))
	}
	text := "Or have Argo CD overlook exactly that: in the Application's spec"
	if respect {
		text = "Have Argo CD overlook exactly that, when it compares and when it syncs: in the Application's spec"
		patch.SyncPolicy = &patchSyncPolicy{SyncOptions: withOption(spec, respectIgnored)}
	}
	if len(g.resources) > maxIgnored {
		text += " (the first " + diagnose.Shell("%d", maxIgnored) + " resources; the others likewise)"
	}
	return diagnose.Fix{Text: text, Patch: applicationPatch{Spec: &patch}.yaml()}
}

// ignoreReplicas is the step that leaves the replicas of a resource to an autoscaler.
func ignoreReplicas(in *diagnose.In, ref evidence.Ref) diagnose.Fix {
	spec := in.App().Spec
	patch := patchSpec{
		IgnoreDifferences: append(slices.Clone(spec.IgnoreDifferences), evidence.IgnoredDifference{
			Group: ref.Group, Kind: ref.Kind, Name: ref.Name, Namespace: ref.Namespace, JSONPointers: []string{"/spec/replicas"},
		}),
		SyncPolicy: &patchSyncPolicy{SyncOptions: withOption(spec, respectIgnored)},
	}
	return diagnose.Fix{Text: "Leave the replicas to the autoscaler: in the Application's spec", Patch: applicationPatch{Spec: &patch}.yaml()}
}

func ignored(r *resource, fields []drift.Field) evidence.IgnoredDifference {
	out := evidence.IgnoredDifference{Group: r.Ref.Group, Kind: r.Ref.Kind, Name: r.Ref.Name, Namespace: r.Ref.Namespace}
	for _, f := range fields {
		if pointer, ok := f.Path.Pointer(); ok {
			out.JSONPointers = append(out.JSONPointers, pointer)
		} else {
			out.JQPathExpressions = append(out.JQPathExpressions, f.Path.JQ())
		}
	}
	return out
}

// withOption are the application's sync options and one more.
func withOption(spec evidence.ApplicationSpec, option string) []string {
	var out []string
	if spec.SyncPolicy != nil {
		out = slices.Clone(spec.SyncPolicy.SyncOptions)
	}
	if !slices.Contains(out, option) {
		out = append(out, option)
	}
	return out
}

const compareOptions = "argocd.argoproj.io/compare-options"

// compareWith is the step that adds comparison options to the application.
func compareWith(in *diagnose.In, text string, options ...string) diagnose.Fix {
	all := []string{}
	for _, o := range strings.Split(in.App().Metadata.Annotations[compareOptions], ",") {
		name, _, _ := strings.Cut(strings.TrimSpace(o), "=")
		again := slices.ContainsFunc(options, func(n string) bool { return strings.HasPrefix(n, name+"=") })
		if name != "" && !again {
			all = append(all, strings.TrimSpace(o))
		}
	}
	patch := applicationPatch{Metadata: &patchMetadata{Annotations: map[string]string{compareOptions: strings.Join(append(all, options...), ",")}}}
	return diagnose.Fix{Text: text, Patch: patch.yaml()}
}

// serverSideDiff reports whether the application is compared by the API server.
func serverSideDiff(in *diagnose.In) bool {
	return strings.Contains(in.App().Metadata.Annotations[compareOptions], "ServerSideDiff=true")
}
