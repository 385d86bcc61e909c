package render

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/repourl"
	"github.com/argo-why/argo-why/internal/evidence"
)

// Argo CD's entry for a repository, in argocd-cm, may take the credentials from a Secret: while it reads the entry it asks Kubernetes for
// that Secret, and says what Kubernetes answers and nothing else.
var (
	noSecret    = pattern.MustCompile(`^(?:[A-Za-z][^:"'\x60]*(?:["'][^"']*["'][^:"'\x60]*)?: )*secrets? "([a-z0-9][a-z0-9.-]*)" not found\.?$`)
	noSecretKey = pattern.MustCompile(`^(?:[A-Za-z][^:"'\x60]*(?:["'][^"']*["'][^:"'\x60]*)?: )*(?:secret "?([a-z0-9][a-z0-9.-]*)"? (?:does not have|has no) (?:the )?(?:key|field) "?([\w.-]+)"?|[kK]ey "([\w.-]+)" (?:does not exist|not found) in secret "?([a-z0-9][a-z0-9.-]*)"?)\.?$`)
)

// missingCredentials is the Secret that Argo CD did not find, and the key in it where only that is missing.
func missingCredentials(f *message.Failure) (name, key string) {
	if f.Command != nil || f.Plugin {
		return "", ""
	}
	said := strings.TrimSpace(f.Cause)
	if m := noSecret.FindStringSubmatch(said); m != nil && !strings.HasPrefix(m[1], "argocd-secret") {
		return m[1], ""
	}
	if m := noSecretKey.FindStringSubmatch(said); m != nil {
		return m[1] + m[4], m[2] + m[3]
	}
	return "", ""
}

// credentialsMissing is the finding about an entry whose Secret does not exist. It is certain where Argo CD says the same of the repository.
func credentialsMissing(r rendered, name, key string) diagnose.Finding {
	argo, repo := advice.ArgoNamespace(r.in), repository(r.in, r.s)
	missing := fmt.Sprintf("Secret %s", name)
	out := diagnose.Finding{
		Confidence: diagnose.CertainIf(saysOfRepository(r.in, name)),
		OutsideGit: true,
		Shared:     missing + " of Argo CD",
		Title:      missing + " for " + withoutScheme(shortRepository(repo)) + " not found",
		Short:      missing + " of a repository not found",
		Why:        inSource(r.s) + fmt.Sprintf("Argo CD's entry for %s takes the credentials from this Secret, which does not exist in namespace %s.", theRepository(repo), argo),
	}
	if key != "" {
		out.Title = fmt.Sprintf("%s for %s has no key %s", missing, withoutScheme(shortRepository(repo)), key)
		out.Why = inSource(r.s) + fmt.Sprintf("Argo CD's entry for %s takes a credential from this key.", theRepository(repo))
	}
	if repo == unnamedRepository {
		out.Title = strings.Replace(out.Title, " for "+withoutScheme(shortRepository(repo)), "", 1)
	}
	out.Fix = []diagnose.Fix{
		{Text: "Find the entry, and which keys of the Secret it takes (usernameSecret, passwordSecret, sshPrivateKeySecret)", Command: diagnose.Shell("kubectl -n %s get cm argocd-cm -o yaml | grep -B8 -A3 -F %s", argo, name)},
		advice.Config("repositories").Edit(r.in, "If the repository is public, remove these fields from the entry (in Git if Argo CD is installed from there)"),
		{Text: "Otherwise create the Secret with those keys", Command: diagnose.Shell("kubectl -n %s create secret generic %s --from-literal=username=USER --from-literal=password=TOKEN", argo, name)},
	}
	if repourl.IsSSH(repo) {
		out.Fix[2].Command = diagnose.Shell("kubectl -n %s create secret generic %s --from-file=KEY=KEYFILE", argo, name)
	}
	if key != "" {
		out.Fix[2] = diagnose.Fix{Text: "Otherwise add the key to the Secret", Command: diagnose.Shell("kubectl -n %s edit secret %s", argo, name)}
	}
	return out
}

// saysOfRepository reports whether Argo CD's last test of the connection to a repository of the application ended in the same error.
func saysOfRepository(in *diagnose.In, name string) bool {
	repos, _ := repositories(in)
	for _, r := range repos {
		if !strings.Contains(r.ConnectionState.Message, name) {
			continue
		}
		for i := range max(1, len(in.App().Spec.Sources)) {
			if src := in.App().Source(i + 1); src.RepoURL != "" && repourl.Normal(src.RepoURL) == repourl.Normal(r.Repo) {
				return true
			}
		}
	}
	return false
}

// makingSource is the source that a failure names; where it names none, the only one that makes manifests.
func makingSource(in *diagnose.In, f *message.Failure) evidence.ApplicationSource {
	if f.Source > 0 {
		return in.App().Source(f.Source)
	}
	return in.App().Rendered()
}
