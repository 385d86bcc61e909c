package outofsync

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/drift"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// maxIgnored is how many resources a patch names one by one.
const maxIgnored = 10

const respectIgnored = "RespectIgnoreDifferences=true"

// ignore is the step that tells Argo CD to ignore exactly these fields. With respect, a sync leaves them alone as well: without
// it they are not shown as different and are still overwritten. The lists contain what the application has already, because a
// merge replaces them.
func (g *explained) ignore(respect bool) diagnose.Fix {
	spec := g.in.App().Spec
	if g.ignored {
		return g.respect(respect)
	}
	patch := patchSpec{IgnoreDifferences: g.picture.repairedEntries(g.in)}
	entries := g.ignoreEntries()
	patch.IgnoreDifferences = withEntries(patch.IgnoreDifferences, entries[:min(len(entries), maxIgnored)]...)
	n := g.countFields()
	step := fmt.Sprintf("Tell Argo CD to ignore %s when it compares", strings.Replace(g.fieldsLabel(), "an entry of", "that entry of", 1))
	if n > 1 {
		step = "Tell Argo CD to ignore these " + text.Count(n, "field", "fields") + " when it compares"
	}
	later := fmt.Sprintf("if Git changes %s later, only the next sync applies that", them(n))
	if respect {
		step += " and syncs"
		later = fmt.Sprintf("if Git changes %s later, that is not applied either", them(n))
		patch.SyncPolicy = &patchSyncPolicy{SyncOptions: respecting(spec)}
	}
	if more := len(entries) - maxIgnored; more > 0 {
		step += ", with an entry each for " + text.Count(more, "more resource", "more resources")
	}
	if list := g.replacedList(); respect && list != "" {
		later = fmt.Sprintf("nothing that Git changes in the list %s is applied then: of a custom resource, Argo CD keeps the whole list", list)
	}
	if g.othersIgnore() {
		later += "; put the entries of all findings into one list"
	}
	return mergeInto(g.in, step+" ("+later+")", applicationPatch{Spec: &patch})
}

// respect is the step where the application ignores the fields already: that syncs leave them alone as well. None where they do, or are
// not to.
func (g *explained) respect(wanted bool) diagnose.Fix {
	if !wanted || g.keepsLive() {
		return diagnose.Fix{}
	}
	return mergeInto(g.in, "Make syncs leave what ignoreDifferences cover as it is",
		applicationPatch{Spec: &patchSpec{SyncPolicy: &patchSyncPolicy{SyncOptions: respecting(g.in.App().Spec)}}})
}

// manyResources is how many resources are ignored by their kind instead of one by one, where they are all that the application has of it.
const manyResources = 4

// ignoreEntries are the entries for all resources.
func (g *explained) ignoreEntries() []evidence.IgnoredDifference {
	out := make([]evidence.IgnoredDifference, 0, len(g.resources))
	for _, r := range g.resources {
		out = withEntries(out, forAll(g.in, ignoreEntry(r, g.fieldsOf(r))))
	}
	if len(out) < manyResources {
		return out
	}
	ofKind := 0
	for _, s := range g.in.App().Status.Resources {
		if s.Group == out[0].Group && s.Kind == out[0].Kind {
			ofKind++
		}
	}
	one := out[0]
	one.Name, one.Namespace = "", ""
	for _, e := range out {
		e.Name, e.Namespace = "", ""
		if ofKind != len(out) || !reflect.DeepEqual(e, one) {
			return out
		}
	}
	return []evidence.IgnoredDifference{one}
}

// replacedList is the list that holds one of the fields and that a sync would take from the cluster as a whole.
func (g *explained) replacedList() string {
	for _, r := range g.resources {
		for _, f := range g.fieldsOf(r) {
			if list := outerList(f.Path); list != nil && replacesLists(r.Ref) {
				return list.String()
			}
		}
	}
	return ""
}

// othersIgnore reports whether other findings have a list of ignored fields as well: merged one after the other, the last list would
// replace the others.
func (g *explained) othersIgnore() bool {
	var never []string // what a person, a commit or a conversion changed is not to be ignored
	for _, by := range []precedence{byPerson, byCommit, byConversion, byPrediction, byNothing} {
		never = append(never, g.picture.ruleFor(by))
	}
	return slices.ContainsFunc(g.picture.resources, func(r *resource) bool {
		others := -len(g.fieldsOf(r))
		for id, fields := range r.byRule {
			if !slices.Contains(never, id) {
				others += len(fields)
			}
		}
		return others > 0
	})
}

// or makes a step an alternative to those before it.
func or(step diagnose.Fix) diagnose.Fix {
	if step.Text == "" {
		return step
	}
	step.Text = "Or " + text.LowerFirst(step.Text)
	return step
}

// respecting are the application's sync options with the one that makes syncs respect ignoreDifferences.
func respecting(spec evidence.ApplicationSpec) []string {
	var out []string
	if spec.SyncPolicy != nil {
		out = slices.DeleteFunc(slices.Clone(spec.SyncPolicy.SyncOptions), func(o string) bool { return o == "RespectIgnoreDifferences=false" })
	}
	if !slices.Contains(out, respectIgnored) {
		out = append(out, respectIgnored)
	}
	return out
}

const compareOptions = "argocd.argoproj.io/compare-options"

// compareWith is the step that adds comparison options to the application.
func compareWith(in *diagnose.In, step string, options ...string) diagnose.Fix {
	all := []string{}
	for _, o := range strings.Split(in.App().Metadata.Annotations[compareOptions], ",") {
		name, _, _ := strings.Cut(strings.TrimSpace(o), "=")
		again := slices.ContainsFunc(options, func(n string) bool { return strings.HasPrefix(n, name+"=") })
		if name != "" && !again {
			all = append(all, strings.TrimSpace(o))
		}
	}
	patch := applicationPatch{Metadata: &patchMetadata{Annotations: map[string]string{compareOptions: strings.Join(append(all, options...), ",")}}}
	return mergeInto(in, step, patch)
}

// serverSideDiff reports whether the application is compared by the API server.
func serverSideDiff(in *diagnose.In) bool {
	return strings.Contains(in.App().Metadata.Annotations[compareOptions], "ServerSideDiff=true")
}

// syncOnly is the command that syncs these resources; all of them where there are too many to name.
func syncOnly(in *diagnose.In, list []*resource) string {
	out := diagnose.Shell("argocd app sync %s", advice.AppName(in))
	if len(list) > maxIgnored {
		return out
	}
	for _, r := range list {
		out += diagnose.Shell(" --resource %s", resourceArgument(r))
	}
	return out
}

// resourceArgument is a resource as `argocd app sync --resource` takes it.
func resourceArgument(r *resource) string {
	name := r.Ref.Name
	if r.Ref.Namespace != "" {
		name = r.Ref.Namespace + "/" + name
	}
	return r.Ref.Group + ":" + r.Ref.Kind + ":" + name
}

// commit is the step that writes the live values into Git: the lines to change.
func (g *explained) commit(step string) diagnose.Fix {
	r := g.resources[0]
	fix := diagnose.Fix{Text: fmt.Sprintf("%s in %s", step, g.manifest())}
	fields := slices.DeleteFunc(slices.Clone(g.fieldsOf(r)), func(f drift.Field) bool {
		return f.Live == nil || f.Path.Has("status") || f.Path.Last() == "creationTimestamp" // only the API server may set these
	})
	fragment, err := yaml.Marshal(drift.Fragment(fields, true))
	hides := slices.ContainsFunc(g.fieldsOf(r), func(f drift.Field) bool { return isConfidential(r, f) })
	switch {
	case hides || err != nil || string(fragment) == "{}\n":
	case len(fragment) > maxFragment:
		fix.Text += ": " + g.paths()
	case isChart(g.in):
		fix.Text += ", so that its manifest contains"
		fallthrough
	default:
		fix.Patch = string(fragment)
	}
	return fix
}

// maxFragment is the longest part of a manifest that a step contains, in bytes: a screen.
const maxFragment = 2000

// isChart reports whether the application is a chart out of a repository of charts: nobody here can change its manifests.
func isChart(in *diagnose.In) bool { return source(in).Chart != "" }

// source is the only one that manifests come from, empty where several do. One that only holds the values of another has neither a
// chart nor a path.
func source(in *diagnose.In) evidence.ApplicationSource {
	return in.App().Rendered()
}

// either are two alternatives: to change the manifests, or to tell Argo CD about the difference. What nobody here may be able to change
// comes last.
func (g *explained) either(manifest, argo diagnose.Fix) []diagnose.Fix {
	if isChart(g.in) {
		return []diagnose.Fix{argo, or(manifest)}
	}
	return []diagnose.Fix{manifest, or(argo)}
}

// overwrites is the verdict where a sync replaces the live values by Git's.
func overwrites(why string) diagnose.Advice {
	return diagnose.Advice{Verdict: diagnose.SyncOverwritesLive, Why: why}
}

// seeDiff is the command that shows the whole difference.
func seeDiff(in *diagnose.In) diagnose.Fix {
	return diagnose.Fix{Text: "Show the whole diff", Command: diagnose.Shell("argocd app diff %s", advice.AppName(in))}
}

// inGit names the place where the manifests are, for a step that changes them.
func inGit(in *diagnose.In) string {
	s := source(in)
	switch {
	case s.Chart != "":
		return fmt.Sprintf(" (chart %s)", s.Chart)
	case s.Path == ".":
		return fmt.Sprintf(" (the root of %s)", cmp.Or(s.RepoURL, "the repository"))
	case s.Path != "":
		return fmt.Sprintf(" (%s in %s)", s.Path, cmp.Or(s.RepoURL, "the repository"))
	}
	return ""
}
