package message

import "strings"

// Call is the command or request that failed while the desired state was produced, as the wrapping names it. It decides what the
// failure can be about; the words within only decide between these: a "context deadline exceeded" that a key service reports within a
// plugin is no time-out of Argo CD's.
type Call string

// The calls of the repo-server.
const (
	// CallUnknown: the wrapping names none.
	CallUnknown Call = ""
	// CallGit is a fetch, a checkout or the list of refs of a repository; CallGitExtra its submodules or LFS objects.
	CallGit      Call = "git"
	CallGitExtra Call = "git submodule or lfs"
	// CallCharts fetches a chart or an OCI artifact, its index or its tags; CallDependency the charts that a chart depends on.
	CallCharts     Call = "charts"
	CallDependency Call = "helm dependency"
	CallHelm       Call = "helm template"
	CallKustomize  Call = "kustomize"
	CallJsonnet    Call = "jsonnet"
	CallPlugin     Call = "plugin"
)

// wrappers are the words with which Argo CD wraps the error of a call, where it quotes no command. The telling ones come first.
var wrappers = []struct {
	call  Call
	words []string
}{
	{CallDependency, []string{"error building helm chart dependencies", "failed to build helm dependencies", "helm dependency build"}},
	{CallCharts, []string{
		"error fetching chart: ", "error untarring chart: ", "error logging into oci registry: ", "error pulling oci chart: ", "failed to get index: ",
		"error getting helm index", "unable to get tags: ", "failed to get tags: ", "cannot get digest for revision ", "oci layer", "oci content layer", "oci artifact",
		"could not save oci digest", "cannot extract contents of oci image", "error extracting oci image", "chart contains out-of-bounds",
	}},
	{CallHelm, []string{"failed to execute helm template command: ", "error resolving helm value", "value file '", "error resolving set-file path: ", "source referenced \"$"}},
	{CallJsonnet, []string{"failed to evaluate jsonnet "}},
	{CallGit, []string{
		"failed to list refs: ", "failed to fetch default: ", "failed to fetch revision ", "failed to checkout revision ", "failed to checkout fetch_head: ",
		"failed to initialize git repo: ", "error testing repository connectivity: ", "unable to checkout git repo ", "failed to get git client for repo ", "failed to authenticate to git repository",
	}},
}

// callOf finds the call: the command, else the words of the wrapping.
func (f *Failure) callOf() Call {
	if f.Command != nil {
		return f.Command.call(f.Plugin)
	}
	if f.Plugin {
		return CallPlugin
	}
	for _, w := range wrappers {
		if HasAny(f.lower, w.words...) {
			return w.call
		}
	}
	return CallUnknown
}

// call is what a command does. Other tools than Argo CD's own are run by plugins only.
func (c *Command) call(plugin bool) Call {
	switch c.Tool {
	case "git":
		if c.Verb == "submodule" || c.Verb == "lfs" {
			return CallGitExtra
		}
		return CallGit
	case "helm":
		switch {
		case strings.HasPrefix(c.Verb, "dep"):
			return CallDependency
		case plugin:
			return CallPlugin
		case c.FetchesCharts():
			return CallCharts
		}
		return CallHelm
	case "kustomize":
		return CallKustomize
	case "jsonnet":
		return CallJsonnet
	case "gpg", "kubectl", "":
		return CallUnknown
	}
	return CallPlugin
}

// FetchesCharts reports whether a helm command talks to a repository rather than render. Helm 2 and early Helm 3 had "helm chart pull".
func (c *Command) FetchesCharts() bool {
	switch c.Verb {
	case "pull", "fetch", "repo", "registry", "chart", "dependency", "dep":
		return c.Tool == "helm"
	}
	return false
}
