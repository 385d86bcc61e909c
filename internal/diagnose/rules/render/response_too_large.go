package render

import (
	"fmt"
	"regexp"
	"strconv"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
)

var ResponseTooLarge = &diagnose.Rule{
	ID: "render/response-too-large",
	Doc: diagnose.Doc{
		Title:    "Rendered manifests are too large",
		What:     "The repo-server's response, or the files sent to a plugin, exceed the size limit of one gRPC message.",
		Decisive: "gRPC code ResourceExhausted, \"message larger than max\".",
		Example:  "rpc error: code = ResourceExhausted desc = grpc: received message larger than max (28602193 vs. 4194304)",
		Fix:      "Raise the limit (ARGOCD_GRPC_MAX_SIZE_MB on all components, manifest size limits of the repo-server), or split the application.",
	},
	Sync: nothingRenders,
	Check: rendering(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		if s.Failure.Code != "ResourceExhausted" && !s.Failure.Has("message larger than max", "message larger", "manifest size", "max combined manifest", "size exceeds") {
			return diagnose.Finding{}, false
		}
		if s.Failure.Has("max combined manifest") {
			return directoryTooLarge(in, s), true
		}
		out := diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      "Rendered manifests exceed the message size limit",
			Why:        inSource(s) + "They do not fit in one message between Argo CD's components.",
			Says:       said(s),
			Fix: []diagnose.Fix{
				{Text: "Raise the limit on all components of Argo CD", Command: diagnose.Shell("kubectl -n %s set env deploy/argocd-repo-server deploy/argocd-server statefulset/argocd-application-controller ARGOCD_GRPC_MAX_SIZE_MB=%d", advice.ArgoNamespace(in), enough(&s.Failure))},
				{Text: "Or split the application into smaller ones"},
			},
		}
		if m := sizes.FindStringSubmatch(s.Failure.Text); m != nil {
			out.Why = fmt.Sprintf("%sThey are %s; one message between Argo CD's components can be at most %s.", inSource(s), megabytes(m[1]), megabytes(m[2]))
			out.Says = diagnose.Said{}
		}
		return out, true
	}),
}

// directoryTooLarge is the finding about a directory of plain manifests that is larger than the repo-server reads.
func directoryTooLarge(in *diagnose.In, s *diagnose.Statement) diagnose.Finding {
	src := in.App().Source(s.Failure.Source)
	return diagnose.Finding{
		Confidence: diagnose.Certain, OutsideGit: true,
		Title: "Manifests" + inPath("in", src.Path) + " exceed the size limit",
		Why:   inSource(s) + "The repo-server reads at most 10 MB of YAML and JSON files from one directory by default.",
		Fix: []diagnose.Fix{
			{Text: "If large files there are not manifests, exclude them (spec.source.directory.exclude), or split the application"},
			{Text: "Or raise the limit of the repo-server", Command: diagnose.Shell("kubectl -n %s set env deploy/argocd-repo-server ARGOCD_REPO_SERVER_MAX_COMBINED_DIRECTORY_MANIFESTS_SIZE=50M", advice.ArgoNamespace(in))},
		},
	}
}

var sizes = regexp.MustCompile(`\((\d+) vs\. (\d+)\)`)

// megabytes is a number of bytes for a sentence: "28.6 MB".
func megabytes(bytes string) string {
	n, _ := strconv.ParseFloat(bytes, 64) // digits by the expression
	return fmt.Sprintf("%.1f MB", n/1_000_000)
}

// enough is a limit in MB that the message would fit into, with a quarter to grow; at least Argo CD's default of 200.
func enough(f *message.Failure) int {
	if m := sizes.FindStringSubmatch(f.Text); m != nil {
		if n, err := strconv.Atoi(m[1]); err == nil {
			return max(200, n/1_000_000*5/4)
		}
	}
	return 200
}
