package render

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
)

var VersionSkew = &diagnose.Rule{
	ID: "render/version-skew",
	Doc: diagnose.Doc{
		Title:    "Argo CD component versions differ",
		What:     "One component of Argo CD calls a method that another does not have: an upgrade is incomplete, or one image is pinned.",
		Decisive: "gRPC code Unimplemented, or a message that cannot be decoded, between Argo CD's own components.",
		Example:  "rpc error: code = Unimplemented desc = unknown method UpdateRevisionForPaths for service repository.RepoServerService",
		Fix:      "Finish the upgrade: all components of Argo CD must have the same version.",
	},
	Sync: nothingRenders,
	Check: statement.Each(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		if s.Result != nil {
			return diagnose.Finding{}, false
		}
		ours := s.Failure.Has("reposerverservice", "applicationservice", "repository.", "service plugin", "repo-server", "repo server") || s.Failure.Mentions("reposerverservice")
		if !(s.Failure.Code == "Unimplemented" && ours) && !s.Failure.HasAll("unknown method", "service") && !s.Failure.HasAll("unknown service", "unimplemented") && !s.Failure.Has("proto: wrong wiretype", "grpc: error unmarshalling") {
			return diagnose.Finding{}, false
		}
		out := diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      "Argo CD's components have different versions",
			Why:        "One component calls a method that another does not have: an upgrade is incomplete, or one image is pinned.",
			Says:       said(s),
			Fix: []diagnose.Fix{{
				Text:    "Compare the images, and bring all of them to the same version",
				Command: diagnose.Shell("kubectl -n %s get pods -o custom-columns='NAME:.metadata.name,IMAGE:.spec.containers[*].image'", advice.ArgoNamespace(in)),
			}},
		}
		if m := unknownMethod.FindStringSubmatch(s.Failure.Text); m != nil {
			if owner := ownerOf(m[2]); owner != "" {
				what := "service " + m[2]
				if m[1] != "" {
					what = "method " + m[1]
				}
				out.Why = fmt.Sprintf("%s does not have %s, so it is most likely older than what calls it: an upgrade is incomplete, or its image is pinned.", owner, what)
				out.Says = diagnose.Said{}
				out.Fix[0].Text = "Compare the images, and bring all of them to the same version, in the manifests or chart that Argo CD is installed with"
			}
		}
		return out, true
	}),
}

// unknownMethod is how a gRPC server refuses a method that it does not have.
var unknownMethod = pattern.MustCompile(`unknown (?:method (\w+) for )?service ([\w.]+)`)

// ownerOf is the component that serves a gRPC service; empty for a foreign one.
func ownerOf(service string) string {
	switch name, _, _ := strings.Cut(service, "."); name {
	case "repository":
		if strings.HasSuffix(service, "RepoServerService") {
			return "The repo-server"
		}
		return "argocd-server"
	case "plugin":
		return "The argocd-cmp-server in a plugin's sidecar"
	case "commit", "commitserver":
		return "The commit server"
	case "application", "project", "cluster", "session", "settings", "version", "account", "certificate", "gpgkey", "repocreds", "applicationset", "notification":
		return "argocd-server"
	}
	return ""
}
