package render

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/repourl"
	"github.com/argo-why/argo-why/internal/text"
)

// gitAuthFaults are how Git hosts refuse, by what has to be changed.
var gitAuthFaults = []fault{
	{pattern.MustCompile(`'?([\w.-]+)'? organization has an IP allow list enabled`), addressNotAllowed},
	{pattern.MustCompile("[`']?([\\w.-]+)' organization has enabled or enforced SAML SSO"), ssoRequired},
	{pattern.MustCompile(`could not refresh installation id (\d+)'s token: .*?(?:status "?(\d{3})|$)`), appRefused},
	{pattern.MustCompile(`password authentication was removed`), passwordsRefused},
	{pattern.MustCompile(`using ssh-rsa|RSA key with SHA-1|ssh-rsa that is (?:about to be )?deprecated|key type ssh-rsa, which is no longer`), sha1Refused},
	{pattern.MustCompile(`Repository '([^']+)' is disabled`), repositoryDisabled},
	{pattern.MustCompile(`(?i)failed to get azure access token|(?:ManagedIdentity|WorkloadIdentity|DefaultAzure)Credential`), noAzureToken},
	{pattern.MustCompile(`(?i)account (?:is|has been) (?:suspended|disabled|blocked)`), accountSuspended},
	{pattern.MustCompile(`(?i)token (?:is|has) expired|expired token|ssh key has expired|app password which has expired`), credentialsExpired},
	{pattern.MustCompile(`SSH_AUTH_SOCK|no credentials matched this URL|could not read Username|could not read Password|terminal prompts disabled|attempted methods \[none\]`), withoutCredentials},
	{pattern.MustCompile(`ssh: no key found|error in libcrypto|invalid format|passphrase protected|cannot decode encrypted private keys|error loading key|[Ll]oad key`), keyUnusable},
	{loginPage, sentToLogin},
	{pattern.MustCompile(`Write access to repository not granted|Permission to \S+ denied to|does not have (?:read )?access to (?:this|the) repository|not allowed to download code`), noRight},
	{pattern.MustCompile(`SPNEGO token required|git-codecommit\.\S+\.amazonaws\.com`), codeCommit},
	{pattern.MustCompile(`authentication required: Repository not found|TF401019|(?i)does not exist or you do not have permission|may not have access to this repository or it no longer exists|could not be found or you don't have permission`), denied},
	{pattern.MustCompile(`(?i)attempted methods \[none publickey\]|permission denied \(public`), keyRejected},
}

func addressNotAllowed(r rendered, m []string) diagnose.Finding {
	return diagnose.Finding{
		Title: fmt.Sprintf("%s does not allow Argo CD's IP address", host(r.in, r.s)),
		Why:   fmt.Sprintf("Organization %s accepts requests only from the addresses on its allow list. The credentials are not the reason.", m[1]),
		Fix:   []diagnose.Fix{{Text: "Add the address from which the cluster reaches the internet to the allow list of the organization"}},
	}
}

func ssoRequired(r rendered, m []string) diagnose.Finding {
	return diagnose.Finding{
		Title: fmt.Sprintf("Organization %s requires SSO for Argo CD's credentials", m[1]),
		Why:   "The token or SSH key is valid, but it is not authorized for this organization.",
		Fix:   []diagnose.Fix{{Text: "Authorize the token or key for the organization (GitHub, Settings, Configure SSO), or use a GitHub App"}},
	}
}

func appRefused(r rendered, m []string) diagnose.Finding {
	repo := repository(r.in, r.s)
	out := diagnose.Finding{
		Title: fmt.Sprintf("GitHub App installation %s cannot get a token", m[1]),
		Why:   "GitHub refuses the App that Argo CD's credentials name.",
		Says:  said(r.s),
		Fix: []diagnose.Fix{{
			Text:    "Store the ID, the installation ID and a current private key of the App",
			Command: diagnose.Shell("argocd repo add %s --github-app-id APPID --github-app-installation-id %s --github-app-private-key-path KEY.pem%s --upsert", repo, m[1], enterprise(r)),
		}},
	}
	if repo == unnamedRepository {
		out.Fix[0].Command = listRepositories
	}
	switch m[2] {
	case "401", "404", "403":
		out.Says = diagnose.Said{}
	}
	switch m[2] {
	case "401":
		out.Why = "GitHub does not accept the signature: the private key or the App ID is wrong, or the clock of the repo-server is."
	case "404":
		out.Why = "GitHub knows no such installation of this App: it was uninstalled, or the ID is wrong."
		out.Fix[0].Text = "Install the App in the organization, and store the ID of the new installation (the number at the end of its settings page's URL)"
		out.Fix[0].Command = strings.Replace(out.Fix[0].Command, m[1], "INSTALLATIONID", 1)
	case "403":
		out.Why = "The installation is suspended, or the App has no permission to read contents."
	}
	return out
}

// enterprise is the flag for a GitHub of one's own. What is signed with the key of the App is sent there, so it is the host of the repository
// and not one that the text names.
func enterprise(r rendered) diagnose.Raw {
	repo := repository(r.in, r.s)
	h := repourl.Authority(repo)
	if h == "" || repo == unnamedRepository || hostIn(repo, "github.com") {
		return ""
	}
	return diagnose.Raw(diagnose.Shell(" --github-app-enterprise-base-url https://%s/api/v3", h))
}

func passwordsRefused(r rendered, _ []string) diagnose.Finding {
	repo := repository(r.in, r.s)
	out := rejected(r)
	out.Title, out.Says = fmt.Sprintf("Git host %s no longer accepts passwords", host(r.in, r.s)), diagnose.Said{}
	out.Fix = []diagnose.Fix{storeGitCredentials(repo, "Store an access token in place of the password")}
	return out
}

func repositoryDisabled(r rendered, m []string) diagnose.Finding {
	return diagnose.Finding{
		Title: fmt.Sprintf("%s has disabled repository %s", host(r.in, r.s), m[1]),
		Short: "The Git host has disabled the repository",
		Why:   "Nobody can read it until it is enabled again. The credentials are not the reason.",
		Fix:   []diagnose.Fix{{Text: "Have the owner of the repository ask the host why (billing, a limit, a violation of its terms), or use a copy on another host"}},
	}
}

// noAzureToken is about credentials of the kind workload identity, for which the repo-server asks Azure for a token.
func noAzureToken(r rendered, _ []string) diagnose.Finding {
	return diagnose.Finding{
		Title: "Argo CD's repo-server gets no token from Azure",
		Why:   "The credentials of the repository use workload identity, and Azure does not give the repo-server a token for it.",
		Says:  said(r.s),
		Fix: []diagnose.Fix{
			ofRepoServer(r.in, "Check that the repo-server's service account has the annotation azure.workload.identity/client-id, and its pods the label azure.workload.identity/use", "get pods -l PODS --show-labels"),
			{Text: "Check that a federated credential of that identity names this service account and the issuer of this cluster, then restart the repo-server"},
		},
	}
}

func accountSuspended(r rendered, _ []string) diagnose.Finding {
	out := rejected(r)
	out.Title = fmt.Sprintf("The account of Argo CD's credentials for %s is suspended", host(r.in, r.s))
	out.Short = "The account of Argo CD's Git credentials is suspended"
	out.Fix[0].Text = "Have the account reactivated, or store credentials of another one"
	return out
}

func credentialsExpired(r rendered, _ []string) diagnose.Finding {
	out := rejected(r)
	out.Title = fmt.Sprintf("Argo CD's credentials for %s have expired", host(r.in, r.s))
	return out
}

func withoutCredentials(r rendered, _ []string) diagnose.Finding {
	repo := repository(r.in, r.s)
	h := host(r.in, r.s)
	out := diagnose.Finding{
		Title: fmt.Sprintf("Argo CD has no credentials for %s", shortRepository(repo)),
		Why:   fmt.Sprintf("%s does not serve it to anonymous callers, and no stored credential has a URL that is its repoURL or a prefix of it.", text.UpperFirst(h)),
		Fix:   []diagnose.Fix{storeGitCredentials(repo, "Store credentials for this URL"), compareURLs},
	}
	if repo == unnamedRepository {
		out.Title = "Argo CD has no credentials for a Git repository"
	}
	if repourl.IsSSH(repo) {
		out.Why = "The URL is for SSH, and no stored credential with a private key has a URL that is its repoURL or a prefix of it."
		out.Fix[1].Text = "Or compare the URLs that have credentials: those for HTTPS do not count for SSH, and user, host and port must be the same"
	}
	if registrationOf(r.in, repo) == listedWithUser {
		out.Title = fmt.Sprintf("Git gets no credentials for %s", shortRepository(repo))
		out.Why = "Argo CD has an entry with a user name for this URL, but git did not get its password: it is empty, or for another transport."
		out.Fix[0].Text = "Store the credentials again"
	}
	return out
}

func keyUnusable(r rendered, _ []string) diagnose.Finding {
	repo := repository(r.in, r.s)
	out := diagnose.Finding{
		Title: "The SSH key stored for " + shortRepository(repo) + " cannot be read",
		Why:   "It is cut off, has a passphrase, has lost its line breaks, or is a public key.",
		Says:  said(r.s),
		Fix:   []diagnose.Fix{{Text: "Store the private key as a file with all its lines, without a passphrase", Command: diagnose.Shell("argocd repo add %s --ssh-private-key-path KEYFILE --upsert", repo)}},
	}
	if r.s.Failure.Has("passphrase protected", "cannot decode encrypted private keys") {
		out.Title, out.Says = "The SSH key stored for "+shortRepository(repo)+" has a passphrase", diagnose.Said{}
		out.Why = "Argo CD cannot use keys with a passphrase."
		out.Fix[0].Text = "Remove the passphrase (ssh-keygen -p -f KEYFILE), or make a key without one, and store it"
	}
	if repo == unnamedRepository {
		out.Title, out.Fix[0].Command = strings.Replace(out.Title, shortRepository(repo), "a repository", 1), listRepositories
	}
	return out
}

func denied(r rendered, _ []string) diagnose.Finding {
	out := rejected(r)
	repo := repository(r.in, r.s)
	out.Title, out.Says = fmt.Sprintf("Git host %s denies access to %s", host(r.in, r.s), shortRepository(repo)), diagnose.Said{}
	out.Why = inSource(r.s) + "It gives the same answer where credentials are missing or not valid and where the repository does not exist."
	out.Fix = append([]diagnose.Fix{tryYourself(repo, "Check with your own credentials whether it exists; if not, correct repoURL or create it")}, out.Fix...)
	out.Fix[1].Text = "If it is private, store valid credentials; their URL must be the repoURL or a prefix of it"
	return out
}

// noRight is about credentials that the host knows, and that have no right to this repository.
func noRight(r rendered, _ []string) diagnose.Finding {
	repo := repository(r.in, r.s)
	out := rejected(r)
	out.Title = fmt.Sprintf("Argo CD's credentials have no access to %s", shortRepository(repo))
	out.Short = "Argo CD's Git credentials have no access to the repository"
	out.Why = inSource(r.s) + fmt.Sprintf("%s knows the credentials, but they do not include this repository.", host(r.in, r.s))
	out.Fix[0].Text = "Give the token or key read access to this repository, or store one that has it"
	if hostIn(repo, "github.com") {
		out.Fix[0].Text = "Give the token access to this repository (fine-grained: Repository access and Contents, read-only; classic: scope repo), or store one that has it"
	}
	return out
}

// codeCommit is about AWS, which takes neither the password of an account nor an access key as Git credentials.
func codeCommit(r rendered, _ []string) diagnose.Finding {
	repo := theRepository(repository(r.in, r.s))
	out := rejected(r)
	if !hostIn(repo, "amazonaws.com") && !hostIn(repo, "amazonaws.com.cn") { // the text may be made up, and the credentials would go elsewhere
		return out
	}
	out.Title, out.Short, out.Says = "AWS CodeCommit rejects Argo CD's Git credentials", "CodeCommit rejects Argo CD's credentials", diagnose.Said{}
	out.Why = inSource(r.s) + fmt.Sprintf("Argo CD cannot read %s. It needs Git credentials of an IAM user: the Git client built into Argo CD calls no credential helper, so the role of its pods does not count.", repo)
	out.Fix[0].Text = "Generate HTTPS Git credentials for CodeCommit in IAM (or use an SSH key), and store them"
	if repourl.IsSSH(repo) {
		out.Why = inSource(r.s) + fmt.Sprintf("Argo CD cannot read %s. For SSH, CodeCommit takes the ID of the key in IAM as user name.", repo)
		out.Fix[0].Text = "Upload the public key to an IAM user that may read the repository, write the ID of that key in front of the host in repoURL (ssh://KEYID@git-codecommit…), and store the private key under the same URL"
	}
	return out
}

func keyRejected(r rendered, _ []string) diagnose.Finding {
	out := rejected(r)
	out.Title = text.UpperFirst(host(r.in, r.s)) + " rejects Argo CD's SSH key"
	if !strings.Contains(r.s.Failure.Flat(), "[none publickey]") { // git says the same where it was given no key
		out.Title = text.UpperFirst(host(r.in, r.s)) + " refuses Argo CD's SSH login"
		out.Why += " The host does not know the key that Argo CD has for this URL, or Argo CD has none: no stored key has this URL or a prefix of it."
	}
	out.Fix[0].Text = "Add the public key to the repository as a deploy key, or store another private key under the repoURL or a prefix of it"
	return out
}

func sentToLogin(r rendered, _ []string) diagnose.Finding {
	out := rejected(r)
	out.Title, out.Says = fmt.Sprintf("Git host %s asks Argo CD to log in", host(r.in, r.s)), diagnose.Said{}
	out.Why = inSource(r.s) + "It answers with a redirect or a login page, so the stored credentials are missing, expired or have no access; or repoURL is not the URL for cloning."
	return out
}

// sha1Refused is about a host that refuses signatures with SHA-1, whatever the key.
func sha1Refused(r rendered, _ []string) diagnose.Finding {
	repo := repository(r.in, r.s)
	out := diagnose.Finding{
		Title: fmt.Sprintf("%s refuses SSH with ssh-rsa (SHA-1)", text.UpperFirst(host(r.in, r.s))),
		Short: "Git host refuses SSH with ssh-rsa (SHA-1)",
		Why:   inSource(r.s) + "The SSH client of this Argo CD signs with SHA-1, which the host blocks. The network and the repository are not the reason.",
		Fix: []diagnose.Fix{
			{Text: "Upgrade Argo CD: current releases sign with rsa-sha2 (2.9.11 and 2.10.7 do)"},
			{Text: "Or use HTTPS with a token: store it for the HTTPS URL of the repository, and set repoURL to that"},
		},
	}
	if https, ok := httpsURL(repo); ok {
		out.Fix[1] = diagnose.Fix{Text: "Or use HTTPS with a token, and set repoURL to the same URL", Command: diagnose.Shell("argocd repo add %s --username USER --password TOKEN --upsert", https)}
	}
	if !hostIn(repo, "azure.com") { // which takes RSA keys only
		out.Fix[1] = diagnose.Fix{Text: "Or store a key of type ed25519, and add its public key on the host", Command: diagnose.Shell("argocd repo add %s --ssh-private-key-path KEYFILE --upsert", repo)}
	}
	return out
}
