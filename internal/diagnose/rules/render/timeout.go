package render

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
)

var Timeout = &diagnose.Rule{
	ID: "render/timeout",
	Doc: diagnose.Doc{
		Title:    "Rendering times out",
		What:     "The manifests are rendered too slowly: a big repository, a heavy chart or plugin, or a repo-server with too little CPU for its requests.",
		Decisive: "A deadline during rendering: a command stopped by its time-out, or gRPC DeadlineExceeded; not a network error to a host.",
		Example:  "rpc error: code = DeadlineExceeded desc = context deadline exceeded",
		Fix:      "Raise the limits (time-out of the repo-server, ARGOCD_EXEC_TIMEOUT), scale the repo-server, or make the repository smaller.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/operator-manual/high_availability/"},
	},
	Sync: nothingRenders,
	Check: rendering(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		slow := f.Command != nil && f.Command.TimedOut()
		if !slow && !outOfTime(f) || peerOf(in, s) == peerGit && (f.Host() != "" || f.Has("git ")) && !killed(f) || f.Has("client.timeout", "awaiting headers") || f.Command == nil && f.Network() == message.NetworkTimeout && f.URL() != "" {
			return diagnose.Finding{}, false
		}
		if f.Code == "Canceled" {
			return canceled(in, s), true
		}
		cpu := ofRepoServer(in, "Check the load of the repo-server, and give it more CPU or replicas", "top pods -l PODS --containers")
		out := diagnose.Finding{
			Confidence: diagnose.Certain, OutsideGit: true,
			Title: "Rendering takes longer than Argo CD waits",
			Why:   inSource(s) + "The repository or chart may be too big, or the repo-server overloaded.",
			Says:  said(s),
			Fix:   []diagnose.Fix{waitLonger(in), cpu},
		}
		switch {
		case slow:
			out.Title = fmt.Sprintf("%s timed out%s", toolOf(f.Command), strings.TrimRight(strings.TrimPrefix(f.Command.Result, "timeout"), "."))
			out.Why = inSource(s) + "The repo-server stops every command after ARGOCD_EXEC_TIMEOUT (90 s by default)."
			out.Says = diagnose.Said{}
			more := set(in, "Give the command more time", setting{"repo-server", "", "ARGOCD_EXEC_TIMEOUT", "3m"})
			out.Fix = []diagnose.Fix{more, waitLonger(in), cpu}
			switch f.Command.Tool {
			case "git":
				out.Why += " The repository is large, or the Git host is slow."
				out.Fix[2] = diagnose.Fix{Text: "If the repository is large, move the manifests into a repository of their own"}
				if repo := repository(in, s); repo != unnamedRepository {
					out.Fix[2] = diagnose.Fix{Text: out.Fix[2].Text + "; this shows how large a clone is", Command: diagnose.Shell("git clone --bare %s clone.git && du -sh clone.git", repo)}
				}
			case "kustomize":
				out.Why += " Kustomize downloads remote bases at each build."
				out.Fix = append([]diagnose.Fix{{Text: "If kustomization.yaml has remote bases, copy them into the repository"}}, out.Fix...)
			}
			if f.Command.FetchesCharts() {
				out.Why += " It downloads: the repository is slow or cannot be reached, or its index is large."
				if src := in.App().Source(f.Source); src.Chart != "" && strings.HasPrefix(src.RepoURL, "http") {
					test := diagnose.Fix{Text: "See whether the same download works now, and how long it takes, from the repo-server's pod", Command: inRepoServer(in, diagnose.Shell("helm show chart %s --repo %s --version %s", src.Chart, src.RepoURL, src.TargetRevision))}
					out.Fix = append([]diagnose.Fix{test}, out.Fix[:2]...)
				}
			}
			if f.Plugin {
				out.Why = inSource(s) + "The plugin's sidecar stops every command after ARGOCD_EXEC_TIMEOUT (90 s by default)."
				out.Fix[0] = sidecarTime(in)
			}
		case killed(f):
			out.Confidence = diagnose.Likely
			out.Title = "Rendering command was killed"
			if f.Command != nil {
				out.Title = toolOf(f.Command) + " was killed"
			}
			out.Why = inSource(s) + "Most often the kernel does this because memory ran out. A time-out of the repo-server is also possible."
			out.Says = diagnose.Said{}
			memory := ofRepoServer(in, "Compare the repo-server's memory with its limit, and raise the limit if it is close", "top pods -l PODS --containers")
			out.Fix = []diagnose.Fix{memory, waitLonger(in)}
			if f.Plugin {
				out.Why = inSource(s) + "It runs in the plugin's sidecar of the repo-server. Most often the kernel kills it because the memory of the sidecar ran out; its time may also be over."
				out.Fix = []diagnose.Fix{
					{Text: "Compare the memory of the plugin's sidecar with its limit, and raise the limit if it is close", Command: memory.Command},
					sidecarTime(in), waitLonger(in),
				}
			}
		case f.Has("metadata to cmp-server", "tgz file to cmp-server", "sending file", "sending stream"):
			out.Title = "Sending the files to the plugin takes too long"
			out.Why = inSource(s) + "Argo CD sends the repository to the plugin's sidecar before it renders. The repository is large, or the sidecar is busy."
			out.Fix = append([]diagnose.Fix{sendLess(in)}, out.Fix...)
		case f.Plugin:
			out.Title = "Plugin takes longer than Argo CD waits"
			out.Fix = append([]diagnose.Fix{sidecarTime(in)}, out.Fix...)
		}
		return out, true
	}),
}

// outOfTime reports whether Argo CD's own time ran out. What a command reports before it ends by itself is about something that the
// command waited for.
func outOfTime(f *message.Failure) bool {
	if f.Command != nil && !killed(f) {
		return false
	}
	return killed(f) || f.Code == "DeadlineExceeded" || f.Code == "Canceled" && f.URL() == "" && f.Call != message.CallPlugin || f.Has("context deadline exceeded", "deadlineexceeded")
}

func killed(f *message.Failure) bool {
	return f.Command != nil && f.Command.Killed() || f.Command == nil && f.Has("signal: killed")
}

// canceled is the finding about a request to the repo-server that its caller gave up.
func canceled(in *diagnose.In, s *diagnose.Statement) diagnose.Finding {
	return diagnose.Finding{
		Confidence: diagnose.Likely, OutsideGit: true,
		Title: "Rendering was canceled before it finished",
		Why:   inSource(s) + "The caller of the repo-server gave up: it was restarted, or it no longer needed the answer. Nothing is known to be wrong with the manifests.",
		Fix: []diagnose.Fix{{
			Text:    "If it happens again, check whether components of Argo CD restart",
			Command: diagnose.Shell("kubectl -n %s get pods", advice.ArgoNamespace(in)),
		}},
	}
}

// waitLonger is the step that raises what the callers of the repo-server wait.
func waitLonger(in *diagnose.In) diagnose.Fix {
	return set(in, "Let the application controller and the server wait longer for the repo-server (60 s by default)",
		setting{"application-controller", "controller.repo.server.timeout.seconds", "ARGOCD_APPLICATION_CONTROLLER_REPO_SERVER_TIMEOUT_SECONDS", "180"},
		setting{"server", "server.repo.server.timeout.seconds", "ARGOCD_SERVER_REPO_SERVER_TIMEOUT_SECONDS", "180"})
}

// sidecarTime is the step that gives the command of a plugin more time.
func sidecarTime(in *diagnose.In) diagnose.Fix {
	return setInSidecar(in, "Give the command more time: set ARGOCD_EXEC_TIMEOUT=3m on the plugin's sidecar in the repo-server's pod (CONTAINER)", "ARGOCD_EXEC_TIMEOUT=3m")
}

// sendLess is the step that makes what a plugin gets smaller.
func sendLess(in *diagnose.In) diagnose.Fix {
	return set(in, "Send less: leave out .git, and send only what the annotation argocd.argoproj.io/manifest-generate-paths of the Application lists (in Argo CD 3 and later versions of 2)",
		setting{"repo-server", "reposerver.plugin.tar.exclusions", "ARGOCD_REPO_SERVER_PLUGIN_TAR_EXCLUSIONS", ".git/*"},
		setting{"repo-server", "reposerver.plugin.use.manifest.generate.paths", "ARGOCD_REPO_SERVER_PLUGIN_USE_MANIFEST_GENERATE_PATHS", "true"})
}

// toolOf is a command without its arguments.
func toolOf(c *message.Command) string {
	if c.Verb == "" {
		return c.Tool
	}
	if after, ok := strings.CutPrefix(c.Verb, "dep"); ok && strings.Contains(c.Line, " dep"+after+" build") {
		return c.Tool + " " + c.Verb + " build"
	}
	return c.Tool + " " + c.Verb
}
