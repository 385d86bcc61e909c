package render

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
)

// listed is an entry of a kustomization.yaml that an error is about.
var listed = pattern.MustCompile(`accumulating (?:resources|components) from '([^']+)'`)

// missingInBase is the finding about an entry that the kustomization.yaml of a remote base lists: its paths belong to the repository of
// the base, not to that of the application.
func missingInBase(r rendered, entry string) (diagnose.Finding, bool) {
	flat := r.s.Failure.Flat()
	end := strings.LastIndex(flat, "from '"+entry+"'")
	if end < 0 || strings.Contains(entry, "://") {
		return diagnose.Finding{}, false
	}
	within := target.FindAllStringSubmatch(flat[:end], -1)
	inBase := len(within) > 0 && clonedBase.MatchString(within[len(within)-1][1])
	name, escapes := strings.TrimLeft(strings.TrimLeft(entry, "./"), "/"), false
	for _, at := range lookedFor.FindAllStringSubmatch(flat[end:], -1) {
		if strings.HasSuffix("/"+at[1], "/"+name) {
			inBase, escapes = inBase || clonedBase.MatchString(at[1]), !clonedBase.MatchString(at[1])
			break
		}
	}
	if !inBase {
		return diagnose.Finding{}, false
	}
	base := remoteEntry(flat[:end])
	called := "a remote base"
	if base != "" {
		called = "remote base " + base
	}
	out := diagnose.Finding{
		Title: fmt.Sprintf("Kustomize cannot find %s of a remote base", entry),
		Short: "Kustomize cannot find a file of a remote base",
		Why:   fmt.Sprintf("The kustomization.yaml of %s lists it, and that repository does not have it at this place.", called),
		Fix:   advice.Steps("Correct the URL of the base in the overlay (its path and ?ref=), or use a version of the base that has the file"),
	}
	switch {
	case !escapes:
	case clonedAlone(flat, within):
		out.Why = fmt.Sprintf("The kustomization.yaml of %s lists it. This Kustomize fetches only the directory of the base and not the rest of its repository, so that %s leads out of what it fetched.", called, entry)
		out.Fix = advice.Steps("Use Kustomize 4 or later, which clones the whole repository: upgrade Argo CD, or install it in the repo-server as a custom version and name that in spec.source.kustomize.version",
			"Or copy the base, with what it refers to, into the application's repository")
		if url, ok := withRoot(base); ok {
			out.Fix = append(out.Fix[:1:1], diagnose.Fix{Text: "In the overlay, mark in the URL of the base where its repository ends (//), and pin its version", Patch: "resources:\n- " + url + "\n"}, out.Fix[1])
		}
	default:
		out.Why = fmt.Sprintf("The kustomization.yaml of %s lists it, and %s leads out of the clone of that repository.", called, entry)
		out.Fix = advice.Steps("In the overlay, write // in the URL of the base between its repository and the directory, and a ?ref= whose version refers to nothing outside the repository",
			"Or copy the base, with what it refers to, into the application's repository")
	}
	return out, true
}

// clonedAlone reports whether Kustomize had fetched a directory without the rest of its repository, as it did before version 4: into a
// directory "repo".
func clonedAlone(flat string, within [][]string) bool {
	return strings.Contains(flat, "invalid source string") || len(within) > 0 && strings.HasSuffix(within[len(within)-1][1], "/repo")
}

// remoteEntry is the last entry that is a URL of a repository; empty where the text has none.
func remoteEntry(flat string) string {
	out := ""
	for _, m := range listed.FindAllStringSubmatch(flat, -1) {
		if gitURL.MatchString(m[1]) {
			out = m[1]
		}
	}
	return out
}

// withRoot is the URL of a base on GitHub with the mark behind its repository, where it has none.
func withRoot(base string) (url string, ok bool) {
	repo, ref, hasRef := strings.Cut(base, "?")
	rest := strings.TrimPrefix(repo, "https://")
	parts := strings.SplitN(rest, "/", 4)
	if len(parts) < 4 || parts[0] != "github.com" || strings.Contains(rest, "//") {
		return "", false
	}
	if !hasRef {
		ref = "ref=REF"
	}
	return fmt.Sprintf("%s/%s/%s//%s?%s", parts[0], parts[1], strings.TrimSuffix(parts[2], ".git"), parts[3], ref), true
}
