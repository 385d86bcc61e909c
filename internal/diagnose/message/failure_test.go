package message_test

import (
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/diagnose/message"
)

func TestParsePeelsTheWrapping(t *testing.T) {
	for name, tc := range map[string]struct {
		text  string
		cause string
		stage message.Stage
	}{
		"a cached rendering error of one source": {
			text:  "Failed to load target state: failed to generate manifest for source 1 of 2: rpc error: code = Unknown desc = Manifest generation error (cached): web: app path does not exist",
			cause: "web: app path does not exist", stage: message.StageRender,
		},
		"the operation repeats the ComparisonError": {
			text:  "ComparisonError: Failed to load target state: failed to generate manifest for source 1 of 1: rpc error: code = Unknown desc = repository not found",
			cause: "repository not found", stage: message.StageRender,
		},
		"an older version wraps next to nothing": {
			text:  "ComparisonError: rpc error: code = Unknown desc = authentication required",
			cause: "authentication required", stage: message.StageRender,
		},
		"an RPC error inside another": {
			text:  "rpc error: code = Unknown desc = failed to initialize repository resources: rpc error: code = Internal desc = Failed to fetch default: `git fetch origin` failed exit status 128: fatal: nope",
			cause: "`git fetch origin` failed exit status 128: fatal: nope", stage: message.StageRender,
		},
		"cut off at the front": {
			text:  "…led to update revision for paths: rpc error: code = Internal desc = unable to checkout git repo https://git.example.com/x: boom",
			cause: "unable to checkout git repo https://git.example.com/x: boom", stage: message.StageRender,
		},
		"the API server refused one object": {
			text:  `one or more objects failed to apply, reason: error when patching "/dev/shm/154518234": Deployment.apps "web" is invalid: spec.selector: field is immutable`,
			cause: `Deployment.apps "web" is invalid: spec.selector: field is immutable`, stage: message.StageApply,
		},
		"the retries are noted apart": {
			text:  "one or more objects failed to apply, reason: boom. Retrying attempt #3 at 11:40AM.",
			cause: "boom", stage: message.StageApply,
		},
		"the condition of a failed automated sync": {
			text:  "Failed sync attempt to 61a00d8: one or more objects failed to apply, reason: boom (retried 5 times).",
			cause: "boom", stage: message.StageApply,
		},
		"the same, as Argo CD 3 writes it": {
			text:  "Failed last sync attempt to [61a00d8]: one or more objects failed to apply, reason: boom (retried 5 times).",
			cause: "boom", stage: message.StageApply,
		},
		"a dry run for a server-side diff": {
			text:  "Failed to compare desired state to live state: failed to calculate diff: error calculating server side diff: serverSideDiff error: error running server side apply in dryrun mode for resource Pooler/db: refused",
			cause: "refused", stage: message.StageCompare,
		},
		"nothing but wrapping": {
			text: "one or more synchronization tasks completed unsuccessfully (retried 5 times).",
		},
		"nothing but wrapping, retried": {
			text: "one or more synchronization tasks are not valid. Retrying attempt #1 at 10:28AM.",
		},
		"plain words": {text: "something new", cause: "something new"},
		"empty":       {},
	} {
		t.Run(name, func(t *testing.T) {
			f := message.Parse(tc.text)
			if f.Cause != tc.cause {
				t.Errorf("cause is %q, want %q", f.Cause, tc.cause)
			}
			if tc.cause != "" && f.Stage != tc.stage {
				t.Errorf("stage is %q, want %q", f.Stage, tc.stage)
			}
			if f.IsWrapper() != (tc.cause == "") {
				t.Errorf("IsWrapper is %v for cause %q", f.IsWrapper(), f.Cause)
			}
		})
	}
}

func TestParseKeepsWhatTheWrappingTells(t *testing.T) {
	f := message.Parse("Failed to load target state: failed to generate manifest for source 2 of 3: rpc error: code = DeadlineExceeded desc = context deadline exceeded")
	if f.Source != 2 || f.Sources != 3 || f.Code != "DeadlineExceeded" {
		t.Errorf("source %d of %d, code %s", f.Source, f.Sources, f.Code)
	}
	f = message.Parse("boom. Retrying attempt #3 at 11:40AM.")
	if f.Retry.Attempt != 3 || f.Retry.At != "11:40AM" || f.Text != "boom" {
		t.Errorf("retry %+v, text %q", f.Retry, f.Text)
	}
	f = message.Parse("boom (retried 5 times).")
	if f.Retry.Retried != 5 || f.Text != "boom" {
		t.Errorf("retry %+v, text %q", f.Retry, f.Text)
	}
	f = message.Parse("error running server side apply in dryrun mode for resource Deployment/web: refused")
	if !f.DryRun || f.Subject != "Deployment/web" {
		t.Errorf("dry run %v of %q", f.DryRun, f.Subject)
	}
}

func TestCommand(t *testing.T) {
	for said, want := range map[string]message.Command{
		"`helm template . --name-template web` failed exit status 1: Error: boom":         {Tool: "helm", Verb: "template", Result: "exit status 1", Output: "Error: boom"},
		"`kustomize build /tmp/x --enable-helm` failed timeout after 1m30s":               {Tool: "kustomize", Verb: "build", Result: "timeout after 1m30s"},
		"`helm dependency build` failed signal: killed":                                   {Tool: "helm", Verb: "dependency", Result: "signal: killed"},
		"`sh -c helm dependency build -n $X` failed exit status 1: no":                    {Tool: "helm", Verb: "dependency", Result: "exit status 1", Output: "no"},
		"`helm2 dependency build` failed exit status 1: no":                               {Tool: "helm", Verb: "dependency", Result: "exit status 1", Output: "no"},
		"`argocd-lovely-plugin` failed exit status 1: no":                                 {Tool: "argocd-lovely-plugin", Result: "exit status 1", Output: "no"},
		"git fetch origin --tags --force --prune failed timeout after 1m30s":              {Tool: "git", Verb: "fetch", Result: "timeout after 1m30s"},
		"`git fetch origin` failed exit status 128: fatal: could not read from: x":        {Tool: "git", Verb: "fetch", Result: "exit status 128", Output: "fatal: could not read from: x"},
		"`helm template .` failed: Error: found in Chart.yaml, but missing in charts/: y": {Tool: "helm", Verb: "template", Output: "Error: found in Chart.yaml, but missing in charts/: y"},
	} {
		c := message.Parse(said).Command
		if c == nil {
			t.Errorf("%s: no command", said)
			continue
		}
		if c.Tool != want.Tool || c.Verb != want.Verb || c.Result != want.Result || c.Output != want.Output {
			t.Errorf("%s:\n got %+v\nwant %+v", said, *c, want)
		}
	}
	for _, said := range []string{"", "`", "a ` b", "no command failed here"} {
		if c := message.Parse(said).Command; c != nil {
			t.Errorf("%q: command %+v", said, *c)
		}
	}
}

func TestNetwork(t *testing.T) {
	for said, want := range map[string]message.Network{
		"dial tcp: lookup git.example.com: no such host":                         message.NetworkDNS,
		"dial tcp: lookup git.example.com on 10.0.0.10:53: i/o timeout":          message.NetworkDNS,
		`Get "https://charts.example.com/index.yaml": context deadline exceeded`: message.NetworkTimeout,
		"rpc error: code = DeadlineExceeded desc = context deadline exceeded":    message.NetworkOK,
		"dial tcp 10.0.0.1:443: connect: connection refused":                     message.NetworkRefused,
		"read: connection reset by peer":                                         message.NetworkReset,
		"dial tcp 10.0.0.1:443: i/o timeout":                                     message.NetworkTimeout,
		"x509: certificate signed by unknown authority":                          message.NetworkTLS,
		"net/http: TLS handshake timeout":                                        message.NetworkTLS,
		"ssh: handshake failed: knownhosts: key is unknown":                      message.NetworkHostKey,
		"proxyconnect tcp: dial tcp 10.0.0.1:3128: connect: no route to host":    message.NetworkProxy,
		"the requested URL returned error: 503":                                  message.NetworkUnavailable,
		"relation \"orders\" does not exist":                                     message.NetworkOK,
		`Certificate "web" is invalid`:                                           message.NetworkOK,
	} {
		f := message.Parse(said)
		if got := f.Network(); got != want {
			t.Errorf("%s: got %q, want %q", said, got, want)
		}
	}
}

func TestAuthRefusedDoesNotReadHashesAndPorts(t *testing.T) {
	for _, said := range []string{
		"fatal: remote error: upload-pack: not our ref f4034504594cf85d36681e064d2932d66608d401",
		"dial tcp 10.0.0.1:4031: connect: connection refused",
		"chart web version 4.03.1 not found",
	} {
		f := message.Parse(said)
		if f.AuthRefused() {
			t.Errorf("%s: is taken for a refusal of credentials", said)
		}
	}
	for _, said := range []string{"unexpected status: 401 Unauthorized", "unexpected status 403", "HTTP status: 403.", "git@github.com: Permission denied (publickey)"} {
		f := message.Parse(said)
		if !f.AuthRefused() {
			t.Errorf("%s: is not taken for a refusal of credentials", said)
		}
	}
}

func TestAPIServerRefusals(t *testing.T) {
	f := message.Parse(`Ingress.networking.k8s.io "web" is invalid: spec.rules[0].http.paths[0].pathType: Required value: pathType must be specified`)
	v, ok := f.Invalid()
	if !ok || v.Kind != "Ingress" || v.Group != "networking.k8s.io" || v.Name != "web" || v.Field != "spec.rules[0].http.paths[0].pathType" || !strings.HasPrefix(v.Reason, "Required value") {
		t.Errorf("Invalid: %+v %v", v, ok)
	}
	f = message.Parse(`Service "argocd-repo-server" is invalid: [metadata.resourceVersion: Invalid value: "": must be specified for an update, spec.clusterIP: field is immutable]`)
	if v, _ := f.Invalid(); v.Field != "metadata.resourceVersion" {
		t.Errorf("first of several fields: %+v", v)
	}
	f = message.Parse(`secrets is forbidden: User "system:serviceaccount:argocd:ctl" cannot create resource "secrets" in API group "" in the namespace "payments"`)
	w, ok := f.Forbidden()
	if !ok || w.User != "system:serviceaccount:argocd:ctl" || w.Verb != "create" || w.Resource != "secrets" || w.Namespace != "payments" {
		t.Errorf("Forbidden: %+v %v", w, ok)
	}
	f = message.Parse(`failed calling webhook "webhook.cert-manager.io": Post "https://cert-manager-webhook.cert-manager.svc:443/mutate?timeout=10s": EOF`)
	if name, service, ns := f.Webhook(); name != "webhook.cert-manager.io" || service != "cert-manager-webhook" || ns != "cert-manager" {
		t.Errorf("Webhook: %s %s %s", name, service, ns)
	}
}

func TestWhereLinesBreakTellsNothing(t *testing.T) {
	f := message.Parse("pods \"web-0\" is forbidden:\n  PodSecurityPolicy:\n  unable to admit pod: [spec.volumes[0]: Invalid value: \"emptyDir\"]")
	if !f.Has("podsecuritypolicy: unable to admit") {
		t.Errorf("not found in %q", f.Lower())
	}
	if ns := message.Parse("namespaces\n\"x\" not found"); ns.Quoted("namespaces") != "x" {
		t.Errorf("got %q", ns.Quoted("namespaces"))
	}
}

func TestAnAnswerWithoutWrappingHasTheStageOfItsWords(t *testing.T) {
	for said, want := range map[string]message.Stage{
		"rpc error: code = Unknown desc = Unable to resolve 'x' to a commit SHA":                                    message.StageRender,
		"rpc error: code = PermissionDenied desc = permission denied: repositories, get, https://example.com/helm ": message.StageNone,
		"rpc error: code = FailedPrecondition desc = another operation is already in progress":                      message.StageNone,
	} {
		if f := message.ParseRefusal(said); f.Stage != want {
			t.Errorf("%s: stage %q, want %q", said, f.Stage, want)
		}
	}
}
