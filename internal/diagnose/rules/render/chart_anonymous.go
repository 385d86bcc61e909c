package render

import (
	"fmt"
	"slices"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/evidence"
)

// askedAnonymously completes the finding about a registry that Argo CD asked without credentials: none was rejected, and where one is
// stored for the host, it was not used. A render gets only the Helm repositories that the application's project permits.
func askedAnonymously(r rendered, host, url string, out *diagnose.Finding) {
	out.Title = "Argo CD asked " + registryName(host) + " without credentials"
	entry, user := loginOnHost(r, url)
	if entry == "" {
		out.Why += " It asked as an anonymous user: no stored URL matches the repository, or the project does not permit the one that does."
		return
	}
	project, _ := diagnose.Look(r.in, evidence.FactProject)
	out.Why = fmt.Sprintf("Argo CD cannot fetch %s%s. It asked as an anonymous user, so it did not use what it has for this host: %s (user %s).", wantedChart(r), sourceOf(r.s, r.s.Failure.Source), entry, user)
	name := advice.Project(r.in)
	check := diagnose.Fix{Text: "Check that its URL is that of the dependency (without oci://)", Command: "argocd repo list"}
	permit := diagnose.Fix{Text: fmt.Sprintf("Let project %s use it", name), Command: diagnose.Shell("argocd proj add-source %s %s", name, entry)}
	switch {
	case project == nil || project.Metadata.Name == "":
		out.Why += fmt.Sprintf(" Either its URL does not match, or sourceRepos of project %s do not permit it.", name)
		permit.Text = "If its URL is right, let project " + name.String() + " use it"
		out.Fix = []diagnose.Fix{check, permit}
	case project.PermitsSource(entry):
		out.Why += " So its URL does not match that of the dependency."
		check.Text = "Give it the URL of the dependency (without oci://), or that a beginning of it; this lists what is stored"
		out.Fix = []diagnose.Fix{check, out.Fix[0]}
		out.Fix[1].Text = "Or store credentials for the dependency's own URL"
	default:
		out.Why += fmt.Sprintf(" The sourceRepos of project %s do not permit it, and Argo CD leaves such credentials out.", name)
		out.Fix = []diagnose.Fix{permit, check}
	}
	out.Fix = slices.Clip(out.Fix)
}
