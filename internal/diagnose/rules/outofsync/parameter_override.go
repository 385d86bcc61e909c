package outofsync

import (
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/drift"
	"github.com/argo-why/argo-why/internal/evidence"
)

var ParameterOverride = &diagnose.Rule{
	ID:    "drift/parameter-override",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "Application parameter overrides Git",
		What:     "Someone ran `argocd app set` or changed the parameters in Argo CD's UI, or the image updater writes them. The desired state then differs from the files in Git. Where the Application itself is deployed from Git, its parent is out of sync as well, and syncing the parent removes the override.",
		Decisive: "The desired value is that of a parameter or image in the Application's own source, and was not applied yet; or the differing field is the source of an Application resource, and Argo CD's API server or the image updater wrote it.",
		Example:  "spec.source.helm.parameters: not set in Git, [{image.tag 1.4}] in the cluster, written by argocd-server",
		Fix:      "Write the parameter into Git, or ignore the field together with RespectIgnoreDifferences=true.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/parameters/"},
	},
	Sync:       overwrites("it removes what was set outside Git"),
	Recognises: explains{{byField, overridesChild}, {byOverride, overridesValue}},
	Check: reporting(func(g *explained) diagnose.Finding {
		_, field := g.firstField()
		o, strange := foreignWriter(&field)
		if !strange {
			return g.overrideFinding(&field)
		}
		f := diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      fmt.Sprintf("%s: %s set outside Git", g.subject(), g.fieldsLabel()),
			Why:        fmt.Sprintf("%s. %s.", g.valuesClause(), lastWritten(g.in, o)),
			Sync:       overwrites(g.resets()),
			Fix:        []diagnose.Fix{g.commit("To keep it, set it"), or(g.ignore(true))},
		}
		if o.Manager == imageUpdater {
			f.Fix = []diagnose.Fix{g.ignore(true), {
				Text:  "Or have the image updater commit to Git instead: annotate " + g.manifest(),
				Patch: "metadata:\n  annotations:\n    argocd-image-updater.argoproj.io/write-back-method: git\n",
			}}
		}
		return f
	}),
}

// overridesChild: argocd-server writes to Applications for people who use its UI and command.
func overridesChild(_ *diagnose.In, _ *picture, r *resource, f *drift.Field) bool {
	o, ok := foreignWriter(f)
	return ok && r.Ref.Kind == "Application" && r.Ref.Group == "argoproj.io" && f.Path.Under("spec") &&
		(f.Path.Has("source") || f.Path.Has("sources")) && (o.Manager == "argocd-server" || o.Manager == imageUpdater)
}

const imageUpdater = "argocd-image-updater"

// overrideFinding is the finding about a value that the application's own parameters set.
func (g *explained) overrideFinding(f *drift.Field) diagnose.Finding {
	name, source := overrideOf(g.in, f)
	return diagnose.Finding{
		Confidence: diagnose.Likely,
		Title:      fmt.Sprintf("%s: %s not synced yet", g.subject(), overrideText(name)),
		Why:        fmt.Sprintf("%s. The Application itself sets %s, which overrides the files in Git.", desiredState(g.valuesClause()), name),
		Sync:       diagnose.Advice{Verdict: diagnose.SyncSafe, Why: "it applies the parameter that is set on the Application"},
		Fix: []diagnose.Fix{
			advice.Sync(g.in, "Sync to apply the parameter"),
			unsetFix(g.in, name, source),
		},
	}
}

// desiredState is a clause about both values without the claim that the desired one is in Git.
func desiredState(values string) string {
	if clause, ok := strings.CutSuffix(values, " in Git"); ok {
		return clause + " in the desired state"
	}
	return values
}

// overrideText is an override in a title: "parameter image.tag".
func overrideText(name string) string {
	if image, ok := strings.CutPrefix(name, kustomizeImage); ok {
		return kustomizeImage + image[strings.LastIndexByte(image, '/')+1:]
	}
	return "parameter " + name
}

// unsetFix is the step that removes an override from a source: by a command, except where that would be undone.
func unsetFix(in *diagnose.In, name string, source int) diagnose.Fix {
	fix := diagnose.Fix{Text: "Or remove it to go back to the files in Git"}
	if set, parent := in.App().Metadata.ApplicationSet(), parentOf(in.App()); set != "" || parent != "" {
		where := "the manifest of the Application in Git, which application " + parent + " deploys"
		if set != "" {
			where = "the template of ApplicationSet " + set
		}
		fix.Text = fmt.Sprintf("Or remove it from %s, to go back to the files in Git", where)
		return fix
	}
	if image, ok := strings.CutPrefix(name, kustomizeImage); ok {
		fix.Command = diagnose.Shell("argocd app unset %s --kustomize-image %s", advice.AppName(in), image)
	} else {
		fix.Command = diagnose.Shell("argocd app unset %s -p %s", advice.AppName(in), name)
	}
	if len(in.App().Spec.Sources) > 0 {
		fix.Command += fmt.Sprintf(" --source-position %d", source)
	}
	return fix
}

// kustomizeImage is the prefix of the image that an override of Kustomize sets.
const kustomizeImage = "Kustomize image "

// overridesValue: the same commit was synced, and the desired state now has a value that the application's own source sets.
func overridesValue(in *diagnose.In, _ *picture, r *resource, f *drift.Field) bool {
	name, source := overrideOf(in, f)
	return name != "" && isRenderedDifferently(r, f) && (!gitMoved(in) || setSince(in, name, source))
}

// setSince reports whether a parameter has another value in a source, counted from 1, than when the application was synced last.
func setSince(in *diagnose.In, name string, source int) bool {
	deployed := in.App().LastDeployment()
	if deployed == nil {
		return false
	}
	now, last := in.App().Spec.Source, deployed.Source
	if several := in.App().Spec.Sources; len(several) > 0 && len(several) == len(deployed.Sources) {
		now, last = &several[source-1], &deployed.Sources[source-1]
	}
	if now == nil || last == nil {
		return false
	}
	if image, ok := strings.CutPrefix(name, kustomizeImage); ok {
		return last.Kustomize == nil || !slices.Contains(last.Kustomize.Images, image)
	}
	value := func(s *evidence.ApplicationSource) string {
		if s.Helm != nil {
			for _, p := range s.Helm.Parameters {
				if p.Name == name {
					return p.Value
				}
			}
		}
		return ""
	}
	return value(now) != value(last)
}

// overrideOf is the parameter whose value the field has in Git's rendering and not live, and the source that sets it, counted from 1.
func overrideOf(in *diagnose.In, f *drift.Field) (name string, source int) {
	if !f.InDesired {
		return "", 0
	}
	spec := in.App().Spec
	sources := spec.Sources
	if spec.Source != nil {
		sources = append([]evidence.ApplicationSource{*spec.Source}, sources...)
	}
	desired, live := drift.Show(f.Desired), drift.Show(f.Live)
	sets := func(v string) bool { return holdsWord(desired, v) && !holdsWord(live, v) }
	for i, s := range sources {
		if s.Helm != nil {
			for _, p := range s.Helm.Parameters {
				if sets(p.Value) {
					return p.Name, i + 1
				}
			}
		}
		if s.Kustomize != nil {
			for _, image := range s.Kustomize.Images {
				if _, to, renamed := strings.Cut(image, "="); sets(image) || renamed && sets(to) {
					return kustomizeImage + image, i + 1
				}
			}
		}
	}
	return "", 0
}

// holdsWord reports whether a value is in a text as a word of its own: "1" is not in "128Mi".
func holdsWord(text, word string) bool {
	if word == "" {
		return false
	}
	for i := strings.Index(text, word); i >= 0; {
		before, after := text[:i], text[i+len(word):]
		if !endsWord(before) && !beginsWord(after) {
			return true
		}
		next := strings.Index(after, word)
		if next < 0 {
			return false
		}
		i += len(word) + next
	}
	return false
}

const wordLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789."

func endsWord(s string) bool { return s != "" && strings.ContainsRune(wordLetters, rune(s[len(s)-1])) }

func beginsWord(s string) bool { return s != "" && strings.ContainsRune(wordLetters, rune(s[0])) }
