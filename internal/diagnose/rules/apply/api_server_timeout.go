package apply

import (
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
)

var APIServerTimeout = &diagnose.Rule{
	ID: "apply/api-server-timeout",
	Doc: diagnose.Doc{
		Title:    "The API server did not answer in time",
		What:     "The destination's API server was overloaded, restarting, or changed its etcd leader while the sync ran. The request was good; a new attempt most often succeeds.",
		Decisive: "A time-out, \"too many requests\", \"leader changed\" or a broken connection while applying.",
		Example:  "the server was unable to return a response in the time allotted, but may still be processing the request",
		Fix:      "Wait and sync again; if it stays, look at the API server and at webhooks that slow it down.",
	},
	Sync:  diagnose.Advice{Verdict: diagnose.SyncSafe, Why: "the request was good, the API server was busy"},
	Needs: statement.RefusalNeeds,
	Check: statement.Refused(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		if s.Refusal && f.Code != "" || f.Has("is invalid:", "webhook", "operation terminat", "strict decoding", "unknown field") ||
			!f.Has("in the time allotted", "too many requests", "leader changed", "etcdserver:", "deadline exceeded", "request did not complete", "client rate limiter", "connection lost", "when reading response body", "currently unable to handle the request", "the server is currently", "timeout: ", "request timed out", "please retry", "http2: ", "goaway", "keepalive ping") && f.Code != "Unavailable" && f.Code != "DeadlineExceeded" &&
				f.Network() == message.NetworkOK {
			return diagnose.Finding{}, false
		}
		var verdict diagnose.Advice // the rule's own where a task of the sync failed
		if f.Stage != message.StageApply {
			verdict = diagnose.Advice{Verdict: diagnose.SyncUnknown, Why: "what was being asked for is not known"}
		}
		return diagnose.Finding{
			Confidence: diagnose.Certain, Sync: verdict,
			Shared: "the API server" + advice.OnCluster(in),
			Title:  "the API server did not answer in time",
			Why:    fmt.Sprintf("Applying %s failed because the API server was busy or away, not because of the manifest: %s", statement.Name(s), statement.Words(s)),
			Fix: []diagnose.Fix{
				{Text: "Is it back?", Command: "kubectl get --raw '/readyz?verbose'"},
				advice.Sync(in, "Sync again"),
			},
		}, true
	}),
}
