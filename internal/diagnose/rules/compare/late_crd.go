package compare

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
)

// unknownField is a field that the API server does not know, in a server-side and in a client-side apply.
var unknownField = pattern.MustCompile(`(?:^|[\s:(])\.?([A-Za-z][A-Za-z0-9_.\[\]="'-]*): field not declared in schema|unknown field "([^"]+)"`)

// lateCRD is about a server-side diff that fails on a field which the same application's CRD is about to bring: the manifest is right, and
// the live CRD is old.
func lateCRD(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
	m := unknownField.FindStringSubmatch(s.Failure.Text)
	if m == nil {
		return diagnose.Finding{}, false
	}
	field := m[1] + m[2]
	ref := statement.Resolve(in, statement.Subject(s))
	crd, adds := statement.LateCRD(in, ref, field[strings.LastIndexByte(field, '.')+1:])
	if !adds {
		return diagnose.Finding{}, false
	}
	out := diagnose.Finding{
		Resource: ref, Confidence: diagnose.Certain,
		Title: "Server-side diff fails: the live CRD is older than Git",
		Why:   fmt.Sprintf("Git sets %s of %s, which the live CRD does not know. This application's own %s adds the field, and is out of sync.", field, ref, crd),
		Sync:  advice.Pointless("Argo CD applies nothing, not even the CRD, while it cannot compute the diff"),
		Fix: []diagnose.Fix{
			compareOption(in, "Let Argo CD compute the diff itself until the CRD is applied", "ServerSideDiff=false"),
			advice.SyncOnly(in, crd, "Sync the CRD alone, which does not touch its objects; then remove the option again"),
		},
	}
	if in.App().HasSyncOption("ServerSideApply=true") { // then its own diff needs the schema of the live CRD, too
		out.Fix = []diagnose.Fix{{
			Text: "Apply the CRD of this application manually, which does not touch its objects (needs yq)",
			Command: diagnose.Shell("argocd app manifests %s", advice.AppName(in)) +
				diagnose.Shell(" | yq %s", fmt.Sprintf("select(.kind == %q and .metadata.name == %q)", crd.Kind, crd.Name)) + " | kubectl apply --server-side --force-conflicts -f -",
		}, advice.Refresh(in, "Then compare again")}
	}
	out.Fix = append(out.Fix, diagnose.Fix{Text: "So that it does not happen with the next field, put the CRDs in an application of their own that is synced before this one"})
	out.OutsideGit = true
	return out, true
}
