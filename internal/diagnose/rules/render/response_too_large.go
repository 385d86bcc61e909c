package render

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
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
				raiseMessages(in, &s.Failure),
				{Text: "Or split the application into smaller ones"},
			},
		}
		if m := sizes.FindStringSubmatch(s.Failure.Text); m != nil {
			out.Why = fmt.Sprintf("%sThey are %s; one message between Argo CD's components can be at most %s.", inSource(s), mebibytes(m[1]), mebibytes(m[2]))
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
			{Text: "If large files there are not manifests, exclude them (" + renderedOf(in, s).field("directory.exclude") + "), or split the application"},
			set(in, "Or raise the limit of the repo-server", setting{"repo-server", "", "ARGOCD_REPO_SERVER_MAX_COMBINED_DIRECTORY_MANIFESTS_SIZE", "50M"}),
		},
	}
}

var sizes = pattern.MustCompile(`\((\d+) vs\. (\d+)\)`)

// mebibytes is a number of bytes for a sentence, in the unit of the setting: "27.3 MiB".
func mebibytes(bytes string) string {
	n, _ := strconv.ParseFloat(bytes, 64) // digits by the expression
	return strings.TrimSuffix(fmt.Sprintf("%.1f", n/(1<<20)), ".0") + " MiB"
}

// raiseMessages is the step that raises the limit on all that send and receive manifests.
func raiseMessages(in *diagnose.In, f *message.Failure) diagnose.Fix {
	size := strconv.Itoa(enough(f))
	const env = "ARGOCD_GRPC_MAX_SIZE_MB"
	if f.Plugin {
		return set(in, "Raise the limit of the repo-server and its sidecars", setting{"repo-server", "", env, size})
	}
	return set(in, "Raise the limit on all components of Argo CD",
		setting{"repo-server", "", env, size}, setting{"server", "", env, size}, setting{"application-controller", "", env, size})
}

// enough is a limit in MiB that the message would fit into, with a quarter to grow; at least Argo CD's default of 200.
func enough(f *message.Failure) int {
	if m := sizes.FindStringSubmatch(f.Text); m != nil {
		if n, err := strconv.Atoi(m[1]); err == nil {
			return max(200, n>>20*5/4+1)
		}
	}
	return 200
}
