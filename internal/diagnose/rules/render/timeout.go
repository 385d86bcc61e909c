package render

import (
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/text"
)

var Timeout = &diagnose.Rule{
	ID: "render/timeout",
	Doc: diagnose.Doc{
		Title:    "Rendering takes longer than Argo CD waits",
		What:     "The manifests are produced too slowly: a big repository, a heavy chart or plugin, or a repo-server with too little CPU and too many requests at once.",
		Decisive: "A deadline while generating: a command stopped by its exec timeout, or gRPC DeadlineExceeded; not a network error to a host.",
		Example:  "rpc error: code = DeadlineExceeded desc = context deadline exceeded",
		Fix:      "Raise the limits (repo-server timeout, ARGOCD_EXEC_TIMEOUT), scale the repo-server, or make the repository smaller.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/faq/#why-is-my-app-out-of-sync-even-after-syncing", "https://argo-cd.readthedocs.io/en/stable/operator-manual/high_availability/"},
	},
	Sync: nothingRenders,
	Check: rendering(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		slow := f.Command != nil && f.Command.TimedOut()
		deadline := f.Code == "DeadlineExceeded" || f.Has("context deadline exceeded", "deadlineexceeded", "signal: killed")
		if !slow && !deadline || peerOf(in, s) == peerGit && (f.Host() != "" || f.Has("git ")) || f.Has("client.timeout", "awaiting headers") {
			return diagnose.Finding{}, false
		}
		out := diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      "rendering takes longer than Argo CD waits",
			Why:        "Argo CD gave up waiting for the manifests: " + text.Sentence(f.Line(message.MaxClause)),
			Fix: []diagnose.Fix{
				{Text: "Let the controller and the server wait longer for the repo-server (they read it when they start: restart both)", Command: diagnose.Shell(`kubectl -n %s patch cm argocd-cmd-params-cm --type merge -p '{"data":{"controller.repo.server.timeout.seconds":"180","server.repo.server.timeout.seconds":"180"}}'`, advice.ArgoNamespace(in))},
				{Text: "Give the repo-server more CPU or replicas; it renders one application of a repository at a time where parameters are overridden", Command: diagnose.Shell("kubectl -n %s top pods -l app.kubernetes.io/name=argocd-repo-server", advice.ArgoNamespace(in))},
			},
		}
		switch {
		case slow:
			out.Title = fmt.Sprintf("%s takes longer than Argo CD waits (%s)", toolOf(f.Command), f.Command.Result)
			out.Why = fmt.Sprintf("The repo-server stopped `%s` after its time-out%s.", text.Clip(f.Command.Line, message.MaxClause), sourceOf(s))
			out.Fix = append([]diagnose.Fix{{Text: "Give the command more time", Command: diagnose.Shell("kubectl -n %s set env deploy/argocd-repo-server ARGOCD_EXEC_TIMEOUT=3m", advice.ArgoNamespace(in))}}, out.Fix...)
		case f.Has("signal: killed"):
			out.Confidence = diagnose.Likely
			out.Title = "the command that renders was killed"
			out.Why = "Something killed the command: a time-out of the repo-server or, more often, the kernel for lack of memory. " + text.Sentence(f.Line(message.MaxClause))
		case f.Plugin:
			out.Title = "the plugin takes longer than Argo CD waits"
		}
		return out, true
	}),
}

func toolOf(c *message.Command) string {
	if c.Verb == "" {
		return c.Tool
	}
	return c.Tool + " " + c.Verb
}
