package spec

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/text"
)

var Invalid = &diagnose.Rule{
	ID: "spec/invalid",
	Doc: diagnose.Doc{
		Title:    "Application spec is not valid",
		What:     "Argo CD cannot use the spec: it has no source or destination, names an unknown cluster or project, or has both a server and a name. Argo CD does not compare such an application, and sends no notification about it.",
		Decisive: "Condition InvalidSpecError.",
		Example:  "unable to find destination server: there are no clusters with this name: prod-eu",
		Fix:      "Correct the Application, or register the cluster.",
	},
	Sync: advice.Blocked("the spec of the application is not valid"),
	Check: statement.Each(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		if f.Stage != message.StageSpec && !clusterUnknown(f) && !f.Has("multiple application sources defined", "unable to determine app source type") && !noProject(f) {
			return diagnose.Finding{}, false
		}
		correct := diagnose.Fix{Text: "Correct the spec where the Application is defined; this prints it", Command: diagnose.Shell("argocd app get %s -o yaml", advice.AppName(in))}
		out := diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      "Application spec is not valid",
			Why:        "Argo CD does not compare the application until its spec is valid.",
			Says:       diagnose.Said{Who: "Argo CD says", Text: f.Line(message.MaxClause)},
			Fix:        []diagnose.Fix{correct},
		}
		switch {
		case clusterUnknown(f):
			d := in.App().Spec.Destination
			correct.Text = "Correct spec.destination (this prints it), or register the cluster with argocd cluster add"
			out.Short = "Destination cluster is unknown to Argo CD"
			out.Title = "Cluster " + strings.TrimPrefix(cmp.Or(unknownCluster(f), d.Name, d.Server), "https://") + " is unknown to Argo CD"
			out.Why = "No cluster is registered under this name or server URL, so Argo CD does not compare the application."
			out.Says = diagnose.Said{}
			out.Fix = []diagnose.Fix{correct, {Text: "List the clusters that Argo CD knows, by server URL and name", Command: "argocd cluster list"}}
			if d.Server != "" && !strings.Contains(d.Server, "://") {
				out.Title, out.Short = "Destination server "+d.Server+" is not a URL", "Destination server is not a URL"
				out.Why = "A server is written as https://HOST:PORT, the way Argo CD lists its clusters. Argo CD does not compare the application until it knows the cluster."
				out.Fix[0].Text = "Correct spec.destination.server where the Application is defined (this prints it), or give the name of the cluster instead"
			}
		case twoClusters.MatchString(f.Text):
			out.Title = fmt.Sprintf("%s clusters are named %s", twoClusters.FindStringSubmatch(f.Text)[1], cmp.Or(in.App().Spec.Destination.Name, "the same"))
			out.Why = "Argo CD cannot tell which one is the destination, and does not compare the application."
			out.Says = diagnose.Said{}
			if servers := serversNamed(f.Text); servers != "" {
				out.Why = text.Paragraph(fmt.Sprintf("They are %s.", servers), out.Why)
			}
			correct.Text = "Set spec.destination.server instead of the name, give the clusters different names, or remove the one that is no longer used (argocd cluster rm); this prints the spec"
			out.Fix = []diagnose.Fix{correct, {Text: "List the clusters that Argo CD knows, by server URL and name", Command: "argocd cluster list"}}
		case f.Has("destination server missing") && in.App().Spec.Destination.Name != "":
			name := in.App().Spec.Destination.Name
			correct.Text = "If it has another name, correct spec.destination (this prints it); if it is missing, register it with argocd cluster add"
			out.Confidence = diagnose.Likely
			out.Title, out.Short = fmt.Sprintf("Argo CD has no server URL for cluster %s", name), "Destination cluster has no server URL"
			out.Why = "The application names its cluster, and Argo CD did not find one of that name when it last looked: it is not registered under it, or its Secret could not be read at that moment. Argo CD does not compare the application until it finds it."
			out.Says = diagnose.Said{}
			out.Fix = []diagnose.Fix{
				{Text: "Check whether a cluster of that name is registered", Command: "argocd cluster list"},
				correct,
				advice.Refresh(in, "If it is registered, refresh the application"),
			}
		case f.Has("destination server missing"):
			out.Title = "Destination has neither a server nor a name"
			out.Why = "Argo CD does not compare the application until one is set."
			out.Says = diagnose.Said{}
			out.Fix = []diagnose.Fix{{Text: "Set spec.destination.server or name, in Git if the Application is defined there; this lists the clusters", Command: "argocd cluster list"}}
		case f.HasAll("both name and server"):
			out.Title = "Destination has both a name and a server"
			out.Why = "Argo CD accepts only one of them, and does not compare the application until one is removed."
			out.Says = diagnose.Said{}
			out.Fix[0].Text = "Remove either name or server from spec.destination where the Application is defined"
		case noProject(f):
			p := advice.Project(in)
			out.Title = "Project " + p.String() + " does not exist"
			out.Says = diagnose.Said{}
			out.Why = "Argo CD does not compare the application until it has a project that exists."
			correct.Text = "Create the project, or correct spec.project where the Application is defined"
			out.Fix = []diagnose.Fix{correct, {Text: "List the projects", Command: "argocd proj list"}}
		}
		return out, true
	}),
}

// noProject reports whether the application's project does not exist.
func noProject(f *message.Failure) bool {
	return f.HasAll("project", "does not exist") && f.Has("references project", "referencing project") || f.HasAll("error getting app project", "not found")
}

// twoClusters: a name is no longer one of a cluster if several have it.
var twoClusters = pattern.MustCompile(`there are (\d+) clusters with the same name`)

// bracketed are the servers of these clusters, as Argo CD lists them.
var bracketed = pattern.MustCompile(`with the same name: \[([^\]]+)\]`)

// serversNamed names the servers of clusters of one name; empty where the message does not tell them apart.
func serversNamed(said string) string {
	m := bracketed.FindStringSubmatch(said)
	if m == nil {
		return ""
	}
	servers := strings.Fields(m[1])
	slices.Sort(servers)
	if len(slices.Compact(slices.Clone(servers))) < len(servers) {
		return ""
	}
	return text.List(servers, 6)
}

func clusterUnknown(f *message.Failure) bool {
	if f.Stage == message.StageApply {
		return false
	}
	return f.Has("unable to find destination server", "no clusters with this name", "error getting cluster by server", "error getting cluster name by server", "error getting cluster by name", "has not been configured", "is not configured in argo", "no clusters with this url") && !twoClusters.MatchString(f.Text) ||
		f.HasAll("cluster \"", "\" not found") || f.HasAll("references destination cluster", "does not exist")
}

var clusterNamed = pattern.MustCompile(`(?:[Cc]luster ["']([^"']+)["'] (?:not found|has not been)|clusters? with this (?:name|URL): ([^\s,;]+)|destination cluster (\S+) which)`)

// unknownCluster is the cluster that was looked for; empty where the message does not name it.
func unknownCluster(f *message.Failure) string {
	m := clusterNamed.FindStringSubmatch(f.Text)
	if m == nil {
		return ""
	}
	return strings.TrimRight(cmp.Or(m[1], m[2], m[3]), ".:")
}
