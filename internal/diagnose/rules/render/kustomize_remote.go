package render

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/repourl"
)

// Kustomize fetches remote bases itself, by git, with whatever credentials Argo CD passes on: those of the application's own repository.
var (
	fetching = pattern.MustCompile(`'\S*git fetch --depth=1 (\S+) ([^\s']+)'(?:: )?(.*)`)
	// submodules is the update of a base's submodules: whether it hit Kustomize's limit, and what git says.
	submodules = pattern.MustCompile(`^(?:hit (\S+) timeout running|failed to run|git cmd =) '\S*git submodule update[^']*'(?:: )?(.*)`)
	download   = pattern.MustCompile(`HTTP (?:Error: )?status(?: code)? ?\(?(\d{3})`)
	exited     = pattern.MustCompile(`(?:^|: )exit status \d+$`)
	gitURL     = pattern.MustCompile(`(?:https?|ssh|git)://[^\s'"]+|[\w-]+@[\w.-]+:[^\s'"]+|github\.com/[^\s'"]+`)
)

// unread is a file by URL that Kustomize could not read, before it took the URL for one of a repository.
var unread = pattern.MustCompile(`Get "(https?://[^"]+)": (.+?)'?(?:: failed to run|: hit |$)`)

// remoteFile is the finding about a file by URL whose host cannot be reached.
func remoteFile(r rendered) (diagnose.Finding, bool) {
	m := unread.FindStringSubmatch(r.s.Failure.Flat())
	if m == nil {
		return diagnose.Finding{}, false
	}
	f := message.Parse(`Get "` + m[1] + `": ` + m[2])
	if f.Network() == message.NetworkOK {
		return diagnose.Finding{}, false
	}
	out := diagnose.Finding{
		Confidence: diagnose.Certain, OutsideGit: true,
		Title: f.Network().Trouble("host " + f.Host()),
		Why:   inSource(r.s) + fmt.Sprintf("Kustomize downloads %s while it builds the overlay.", m[1]),
		Fix:   append(reachGit(&f, r, f.Host(), ""), diagnose.Fix{Text: "Or commit the file to the repository, so that rendering does not depend on another host"}),
	}
	out.Says = diagnose.Said{Who: "Kustomize says", Text: requested.ReplaceAllString(resolver.ReplaceAllString(m[2], ""), "")}
	return out, true
}

// remoteBase is the finding about a base in another repository, or a file by URL, that cannot be fetched.
func remoteBase(r rendered, cause, from string) (diagnose.Finding, bool) {
	if out, ok := remoteFile(r); ok {
		return out, true
	}
	if m := fetching.FindStringSubmatch(cause); m != nil && !strings.Contains(cause, "HTTP status") {
		url := m[1]
		if url == "origin" {
			url = gitURL.FindString(from)
		}
		return remoteFetch(r, baseRepository(url), m[2], strings.TrimRight(exited.ReplaceAllString(m[3], ""), " :"), strings.HasPrefix(cause, "hit ")), true
	}
	if m := submodules.FindStringSubmatch(cause); m != nil && gitURL.MatchString(from) {
		return baseSubmodules(r, from, m), true
	}
	if m := download.FindStringSubmatch(cause); m != nil && strings.HasPrefix(from, "http") {
		return diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      fmt.Sprintf("Kustomize cannot download a remote resource (HTTP %s)", m[1]),
			Why:        inSource(r.s) + fmt.Sprintf("It is %s.", from),
			Fix:        advice.Steps("Correct the URL in kustomization.yaml, or commit the file to the repository, so that rendering does not depend on another host"),
		}, true
	}
	return diagnose.Finding{}, false
}

// baseSubmodules is the finding about a base that was fetched, and its submodules not. By default Kustomize fetches them all.
func baseSubmodules(r rendered, from string, m []string) diagnose.Finding {
	url := gitURL.FindString(from)
	out := diagnose.Finding{
		Confidence: diagnose.Certain,
		Title:      "Submodules of remote base " + shortRepository(baseRepository(url)) + " cannot be fetched",
		Short:      "Submodules of a remote base cannot be fetched",
		Why:        inSource(r.s) + fmt.Sprintf("Kustomize fetches %s while it builds the overlay, and then its submodules.", url),
		Fix: advice.Steps("If the base does not need its submodules, append submodules=false to the parameters of its URL in kustomization.yaml",
			"Otherwise check that the repo-server can reach each URL in .gitmodules of the base, and that the credentials of the application's own repository can read it: Kustomize gets no others",
			"Or copy the base into the application's repository"),
	}
	if m[1] != "" {
		out.Why += fmt.Sprintf(" The submodules took longer than Kustomize's limit of %s: most often they are large, or a host does not answer.", m[1])
		out.Fix = append(out.Fix[:2:2], diagnose.Fix{Text: "If they are only large, raise Kustomize's limit (append timeout=120s to the parameters of the URL), or copy the base into the application's repository"})
		return out
	}
	if f := message.Parse(strings.TrimRight(exited.ReplaceAllString(m[2], ""), " :")); m[2] != "" {
		out.Says = diagnose.Said{Who: "Git says", Text: strings.TrimPrefix(f.Line(message.MaxClause), "fatal: ")}
	}
	return out
}

// baseRepository is the URL of a remote base without the directory and the parameters.
func baseRepository(url string) string {
	url, _, _ = strings.Cut(url, "?")
	scheme, rest, ok := strings.Cut(url, "://")
	if !ok {
		scheme, rest = "", url
	} else {
		scheme += "://"
	}
	rest, _, _ = strings.Cut(rest, "//")
	if i := strings.Index(rest, ".git/"); i >= 0 {
		rest = rest[:i+len(".git")]
	}
	rest = strings.TrimSuffix(rest, "/")
	if strings.HasPrefix(rest, "github.com/") { // what follows owner and repository is a directory
		rest = strings.Join(strings.SplitN(rest+"///", "/", 4)[:3], "/")
		scheme = cmp.Or(scheme, "https://")
	}
	return scheme + strings.TrimRight(rest, "/")
}

// unnamedBase is the finding about a base that the message does not name.
func unnamedBase(r rendered, git message.Failure) diagnose.Finding {
	return diagnose.Finding{
		Confidence: diagnose.Certain,
		Title:      "Kustomize cannot fetch a remote base",
		Why:        inSource(r.s) + "It fetches bases with the credentials of the application's own repository.",
		Says:       diagnose.Said{Who: "Git says", Text: strings.TrimPrefix(git.Line(message.MaxClause), "fatal: ")},
		Fix:        advice.Steps("Check that each repository under resources in kustomization.yaml, and in its bases, exists at its ref and can be read with these credentials"),
	}
}

// remoteFetch says why git could not fetch a base.
func remoteFetch(r rendered, repo, ref, git string, timedOut bool) diagnose.Finding {
	f := message.Parse(git)
	if repo == "" {
		return unnamedBase(r, f)
	}
	base := "Remote base " + shortRepository(repo)
	out := diagnose.Finding{
		Confidence: diagnose.Certain,
		Title:      base + " cannot be fetched",
		Short:      "A remote base of Kustomize cannot be fetched",
		Why:        inSource(r.s) + fmt.Sprintf("Kustomize fetches %s at %s while it builds the overlay.", repo, ref),
		Says:       diagnose.Said{Who: "Git says", Text: strings.TrimPrefix(f.Line(message.MaxClause), "fatal: ")},
	}
	exists := diagnose.Fix{Text: "Check with your own credentials whether the repository of the base and its ref exist", Command: diagnose.Shell("git ls-remote %s", repo)}
	switch {
	case timedOut:
		out.Title = base + " takes too long to fetch"
		out.Says = diagnose.Said{}
		out.Fix = advice.Steps("Raise Kustomize's limit for it in kustomization.yaml (append timeout=120s to the URL's parameters), or copy the base into the repository")
	case f.Has("couldn't find remote ref", "not our ref", "no such ref"):
		out.Title = fmt.Sprintf("%s has no ref %s", base, ref)
		out.Says = diagnose.Said{}
		out.Fix = []diagnose.Fix{{Text: "Correct ref in the URL of the base in kustomization.yaml, and push"}, exists}
	case f.AuthRefused() || repositoryMissing(f.Lower()) || git == "" && repourl.IsSSH(repo):
		out.Confidence = diagnose.CertainIf(f.AuthRefused())
		out.Title = base + " cannot be read"
		out.Why = inSource(r.s) + fmt.Sprintf("Kustomize fetches %s with the credentials of the application's own repository. Argo CD uses no others, even where it has them.", repo)
		out.Fix = []diagnose.Fix{{Text: "Give these credentials access to the base's repository, or copy the base into the application's repository"}, exists}
		if repositoryMissing(f.Lower()) {
			out.Title = base + " not found"
		}
	default: // git's exit status alone
		out.Confidence = diagnose.CertainIf(git != "")
		out.Fix = []diagnose.Fix{{Text: "If the repository is private, give the credentials of the application's own repository access to it, or copy the base into that repository: Kustomize gets no others"}, exists}
	}
	if r.s.Failure.Plugin && !timedOut && !f.Has("couldn't find remote ref", "not our ref", "no such ref") {
		out.Why = inSource(r.s) + fmt.Sprintf("The plugin's kustomize fetches %s at %s. A sidecar has no Git credentials, unless its plugin asks for them.", repo, ref)
		out.Fix = []diagnose.Fix{
			{Text: "If the repository is private, give the plugin the credentials of the application's repository, in spec of its ConfigManagementPlugin (they must cover the base too), or copy the base into that repository", Patch: "provideGitCreds: true\n"},
			exists,
		}
	}
	return out
}
