package apply

import (
	"fmt"
	"slices"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/evidence"
)

var APIServerTimeout = &diagnose.Rule{
	ID: "apply/api-server-timeout",
	Doc: diagnose.Doc{
		Title:    "API server did not respond in time",
		What:     "The destination's API server was overloaded, restarting or electing a new etcd leader while the sync ran. The manifest is not the problem, and a retry usually succeeds.",
		Decisive: "A time-out, \"too many requests\", \"leader changed\" or a broken connection while applying.",
		Example:  "the server was unable to return a response in the time allotted, but may still be processing the request",
		Fix:      "Wait and sync again. If it keeps happening, check the load of the API server and the webhooks that slow it down.",
	},
	Sync:  diagnose.Advice{Verdict: diagnose.SyncSafe, Why: "it repeats the request that failed"},
	Needs: statement.RefusalNeeds,
	Check: refused(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		if s.Refusal && f.Code != "" || f.Has("is invalid:", "webhook", "syncwavehook", "operation terminat", "strict decoding", "unknown field") ||
			!f.Has("in the time allotted", "too many requests", "leader changed", "etcdserver:", "deadline exceeded", "request did not complete", "client rate limiter", "connection lost", "when reading response body", "currently unable to handle the request", "the server is currently", "timeout: ", "request timed out", "please retry", "http2: ", "goaway", "keepalive ping") && f.Code != "Unavailable" && f.Code != "DeadlineExceeded" &&
				f.Network() == message.NetworkOK {
			return diagnose.Finding{}, false
		}
		var verdict diagnose.Advice // the rule's own where a task of the sync failed
		if f.Stage != message.StageApply {
			verdict = diagnose.Advice{Verdict: diagnose.SyncUnknown, Why: "the message does not say which request failed"}
		}
		fix := []diagnose.Fix{
			{Text: "Check that the API server is ready", Command: "kubectl get --raw '/readyz?verbose'"},
			advice.Sync(in, "Sync again"),
		}
		if f.Has("unable to handle the request") && !evidence.BuiltIn(statement.Subject(s).Group) { // perhaps another server serves the kind
			fix = slices.Insert(fix, 1, diagnose.Fix{Text: "If an aggregated API serves the kind, fix the service behind it; this shows which are unavailable", Command: "kubectl get apiservices"})
		}
		out := diagnose.Finding{
			Confidence: diagnose.Certain, Sync: verdict,
			Shared: "the API server" + advice.OnCluster(in),
			Title:  "API server did not respond in time",
			Why:    fmt.Sprintf("It was overloaded or unavailable while Argo CD applied %s. The manifest is not the problem.", statement.Name(s)),
			Says:   statement.Says(s),
			Fix:    fix,
		}
		if gaveUp(f) {
			out.Why = fmt.Sprintf("Argo CD stopped waiting for the answer while it applied %s: the API server was overloaded, or could not be reached in time. The manifest is not the problem.", statement.Name(s))
			out.Says.Who = "Argo CD says"
		}
		return out, true
	}),
}

// gaveUp reports whether the words are those of Argo CD's own client, which got no answer.
func gaveUp(f *message.Failure) bool {
	return f.Has("client.timeout", "awaiting headers", "i/o timeout", "client rate limiter", "context deadline exceeded", "tls handshake timeout")
}
