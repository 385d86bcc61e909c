package spec

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// refusedDestination completes the finding about a destination that the project does not allow. Argo CD compares names with names and
// URLs with URLs, and one entry that denies (its pattern begins with "!") counts more than all that allow.
func refusedDestination(in *diagnose.In, f *message.Failure, out diagnose.Finding) diagnose.Finding {
	p, dst := advice.Project(in), in.App().Spec.Destination
	if m := serverNamed.FindStringSubmatch(f.Text); m != nil && dst.Server == "" { // Argo CD has found the URL of the name
		dst.Server = m[1]
	}
	project, known := diagnose.Get(in, evidence.FactProject)
	if !known || project == nil {
		return out
	}
	for _, d := range project.Spec.Destinations {
		if what, pattern := denial(d, dst); pattern != "" {
			return denied(in, out, d, what, pattern)
		}
	}
	for _, d := range project.Spec.Destinations {
		if !evidence.Matches(d.Namespace, dst.Namespace) {
			continue
		}
		switch {
		case dst.Name == "" && d.Server == "" && d.Name != "" && d.Name != "*":
			out.Why = fmt.Sprintf("Project %s allows this namespace on cluster %s by name, and the application gives the server URL: Argo CD does not match one with the other. %s", p, d.Name, out.Why)
			out.Fix = append([]diagnose.Fix{{
				Text:  fmt.Sprintf("If %s is that cluster, give its name in place of the server, %s", dst.Server, definedIn(in)),
				Patch: fmt.Sprintf("destination:\n  name: %s\n  namespace: %s\n", d.Name, dst.Namespace),
			}}, out.Fix...)
			out.Fix[1].Text = "Or add" + strings.TrimPrefix(out.Fix[1].Text, "Add")
			return out
		case dst.Server == "" && d.Name == "" && d.Server != "" && d.Server != "*":
			out.Why = fmt.Sprintf("Project %s allows this namespace on %s by server URL, and the application gives the cluster's name: Argo CD does not match one with the other. %s", p, d.Server, out.Why)
			out.Fix = append([]diagnose.Fix{{
				Text:  fmt.Sprintf("If cluster %s has that URL, give it in place of the name, %s", dst.Name, definedIn(in)),
				Patch: fmt.Sprintf("destination:\n  server: %s\n  namespace: %s\n", d.Server, dst.Namespace),
			}}, out.Fix...)
			out.Fix[1].Text = "Or add" + strings.TrimPrefix(out.Fix[1].Text, "Add")
			return out
		}
	}
	if allowed := project.NamespacesOn(dst); len(allowed) > 0 && len(allowed) <= maxAllowed {
		out.Why = text.Paragraph(fmt.Sprintf("On this cluster the project allows only %s.", text.List(allowed, maxAllowed)), out.Why)
	}
	return out
}

// maxAllowed is how many namespaces a sentence lists.
const maxAllowed = 4

// definedIn says where the destination is written.
func definedIn(in *diagnose.In) string {
	for _, o := range in.App().Metadata.OwnerReferences {
		if o.Kind == "ApplicationSet" {
			return "in the template of ApplicationSet " + o.Name
		}
	}
	return "in Git if the Application is defined there"
}

// denial is the part of an entry that denies a destination, and its pattern; empty where it denies it not.
func denial(d, dst evidence.Destination) (what, pattern string) {
	denies := func(pattern, value string) bool {
		rest, ok := strings.CutPrefix(pattern, "!")
		return ok && value != "" && evidence.Matches(rest, value)
	}
	switch {
	case denies(d.Namespace, dst.Namespace):
		return "namespace " + dst.Namespace, d.Namespace
	case denies(d.Server, dst.Server):
		return "server " + dst.Server, d.Server
	case denies(d.Name, dst.Name):
		return "cluster " + dst.Name, d.Name
	}
	return "", ""
}

// denied is the finding about a destination that an entry of the project denies.
func denied(in *diagnose.In, out diagnose.Finding, d evidence.Destination, what, pattern string) diagnose.Finding {
	p := advice.Project(in)
	out.Title = fmt.Sprintf("Project %s denies %s (%s)", p, what, pattern)
	kind, _, _ := strings.Cut(what, " ")
	out.Short = "Project denies the " + kind
	out.Why = fmt.Sprintf("The entry of its destinations with server %s and namespace %s counts more than every entry that allows, so adding one does not help.", cmp.Or(d.Server, d.Name), d.Namespace)
	out.Says = diagnose.Said{}
	remove := diagnose.Fix{Text: "Remove or narrow that entry, in Git if the project is defined there", Command: diagnose.Shell("argocd proj remove-destination %s %s %s", p, d.Server, d.Namespace)}
	if d.Server == "" {
		remove.Command = diagnose.Shell("argocd proj edit %s", p)
	}
	out.Fix = []diagnose.Fix{remove, {Text: "Or move the application to another namespace or project, " + definedIn(in)}, out.Fix[len(out.Fix)-1]}
	return out
}
