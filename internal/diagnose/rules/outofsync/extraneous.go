package outofsync

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/drift"
	"github.com/argo-why/argo-why/internal/text"
)

var Extraneous = &diagnose.Rule{
	ID:    "drift/extraneous",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "Object of another tool is tracked by Argo CD",
		What:     "An operator created an object and copied the labels or annotations of its parent onto it, including Argo CD's tracking label or annotation. Argo CD takes it for a resource that was removed from Git, and a prune would delete what the operator needs.",
		Decisive: "The resource requires pruning, and Argo CD never wrote anything in it.",
		Example:  "Secret/idp-client-secret: OutOfSync (requires pruning), written only by authentication-operator",
		Fix:      "Stop the tool from copying the tracking label or annotation, track by annotation, or annotate the object with IgnoreExtraneous.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/compare-options/#ignoring-resources-that-are-extraneous", "https://argo-cd.readthedocs.io/en/stable/user-guide/resource_tracking/"},
	},
	Sync:       diagnose.Advice{Verdict: diagnose.SyncDestructive, Why: "with prune deletes what another tool created; without prune that stays"},
	Recognises: presence{},
	Check: func(in *diagnose.In) diagnose.Outcome {
		return checkExtras(in, true, func(in *diagnose.In, list []*resource) diagnose.Finding {
			r := list[0]
			maker := r.owners()[0]
			by, n := makerNames(list), len(list)
			mark, exempt := markOf(r), "Exempt "
			if isByHand(maker) {
				exempt = "Or exempt "
			}
			f := diagnose.Finding{
				Confidence: diagnose.Certain,
				Title:      subjectText(list) + ": tracked but not in Git",
				Why: fmt.Sprintf("%s written by %s%s, never by Argo CD. %s Argo CD's %s, so Argo CD treats %s as removed from Git.",
					verb(n, "It was", "They were"), by, agoClause(in, maker.Time), verb(n, "It carries", "They carry"), mark, them(n)),
				Evidence: []diagnose.Quote{{From: "managedFields of " + r.Ref.String(), Text: "written by " + writerText(in, maker) + ", never by Argo CD"}},
				Sync:     diagnose.Advice{Verdict: diagnose.SyncDestructive, Why: fmt.Sprintf("with prune deletes %s, which Argo CD did not create; without prune %s", subjectText(list), verb(n, "it stays", "they stay"))},
				Fix: []diagnose.Fix{
					exemptStep(list, exempt),
					stopCopying(list, maker, by, mark),
				},
			}
			f.Short = r.Ref.Kind + ": tracked but not in Git"
			if origin := originOf(r); origin != "" {
				f.Why += " " + verb(n, "Its ", "Their ") + origin
			}
			if isByHand(maker) {
				slices.Reverse(f.Fix) // a copied mark is a slip
			} else if mark != trackingAnnotation {
				f.Fix = append(f.Fix, trackByAnnotation(in, "Or, if it copies labels, track all resources by annotation instead"))
			}
			return f
		})
	},
}

// isByHand reports whether a person made a resource. With a client library people write operators as well, and those copy marks.
func isByHand(o drift.Owner) bool { return isPerson(o) && clientNote(o) == "" }

// exemptStep is the step that makes Argo CD leave the resources alone.
func exemptStep(list []*resource, exempt string) diagnose.Fix {
	fix := diagnose.Fix{Text: fmt.Sprintf("%s%s from comparison and pruning", exempt, them(len(list)))}
	if len(list) > maxIgnored {
		fix.Text += ": annotate each like the first"
		list = list[:1]
	}
	fix.Command = keepCommand(list)
	return fix
}

// origins are parts of the names of annotations and labels in which tools that copy or generate objects note where they come from:
// ClusterSecret, Reflector, Replicator, kubed, Kyverno, and whatever has an own "created-by".
var origins = []string{"created-by", "emberstack.com/reflects", "replicator.v1.mittwald.de/replicated-from", "kubed.appscode.com/origin", "generate.kyverno.io/policy-name", "app.kubernetes.io/managed-by", "app.kubernetes.io/created-by"}

// originOf is what a resource itself says about who made it, as the end of a sentence; empty where it says nothing.
func originOf(r *resource) string {
	for _, o := range r.Live.List("metadata", "ownerReferences") {
		return fmt.Sprintf("owner is %s/%s.", o.Text("kind"), o.Text("name"))
	}
	for _, name := range origins {
		for _, where := range []string{"annotations", "labels"} {
			entries, _ := r.Live.At("metadata", where).(map[string]any)
			for _, k := range slices.Sorted(maps.Keys(entries)) {
				if v, ok := entries[k].(string); ok && strings.Contains(k, name) && v != "" {
					return fmt.Sprintf("%s %s says %s.", strings.TrimSuffix(where, "s"), k, text.OneLine(v))
				}
			}
		}
	}
	return ""
}

// What marks a resource as one of an application.
const (
	trackingAnnotation = "tracking annotation"
	trackingLabel      = "tracking label"
	trackingMark       = "tracking label or annotation"
)

// markOf is the mark that a resource carries.
func markOf(r *resource) string {
	_, label := r.Live.At("metadata", "labels", "app.kubernetes.io/instance").(string)
	annotation := r.Live.Annotation("argocd.argoproj.io/tracking-id") != ""
	switch {
	case annotation && !label:
		return trackingAnnotation
	case label && !annotation:
		return trackingLabel
	}
	return trackingMark
}

// makerNames are the tools that made the resources, each once.
func makerNames(list []*resource) string {
	var out []string
	for _, r := range list {
		owner := r.owners()[0]
		o := managerText(owner) + clientNote(owner)
		if isByHand(owner) {
			o = whoWrote(owner)
		}
		if !slices.Contains(out, o) && len(out) < shownFields {
			out = append(out, o)
		}
	}
	return text.List(out, shownFields)
}

// stopCopying is the step against the mark on what a tool creates.
func stopCopying(list []*resource, maker drift.Owner, by, mark string) diagnose.Fix {
	r := list[0]
	others := doTheSame(len(list) - 1)
	switch {
	case maker.Manager == "kube-controller-manager":
		return diagnose.Fix{Text: fmt.Sprintf("Then remove Argo CD's %s from the template that Kubernetes copies (jobTemplate, volumeClaimTemplates)", mark)}
	case isByHand(maker) && mark == trackingAnnotation:
		return diagnose.Fix{Text: "Remove the tracking annotation that was copied along" + others, Command: diagnose.Shell("kubectl %sannotate %s argocd.argoproj.io/tracking-id-", advice.InNamespace(r.Ref), r.Ref.Resource())}
	case isByHand(maker):
		return diagnose.Fix{Text: "Remove the tracking label that was copied along" + others, Command: diagnose.Shell("kubectl %slabel %s app.kubernetes.io/instance-", advice.InNamespace(r.Ref), r.Ref.Resource())}
	}
	if clientNote(maker) != "" {
		by = "that program"
	}
	return diagnose.Fix{Text: fmt.Sprintf("Then stop %s from copying Argo CD's %s", by, mark)}
}
