package render

import (
	"fmt"
	"path"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/evidence"
)

var HelmDependency = &diagnose.Rule{
	ID:    "render/helm-dependency",
	Needs: []evidence.Kind{evidence.KindRepositories},
	Doc: diagnose.Doc{
		Title:    "Helm dependency build fails",
		What:     "Before Argo CD renders a chart, it builds the chart's dependencies. One is missing from charts/, the lock file does not match Chart.yaml, or its repository is unknown to Argo CD.",
		Decisive: "helm dependency build fails because of the chart itself, or helm template misses a chart that Chart.yaml lists.",
		Example:  "`helm dependency build` failed exit status 1: Error: no repository definition for https://charts.example.com. Please add the missing repos via 'helm repo add'",
		Fix:      "Add the dependency's repository to Argo CD, run helm dependency update and commit Chart.lock, or vendor the charts.",
		Links:    []string{"https://helm.sh/docs/helm/helm_dependency/"},
	},
	Sync: nothingRenders,
	Check: during(message.CallDependency, message.CallHelm, message.CallPlugin).rendering(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		missing := f.Mentions("missing in charts/", "but missing in charts", "no repository definition", "chart.lock", "requirements.lock", "is out of sync with", "dependencies are missing")
		building := f.Call == message.CallDependency || f.Has("helm dependency", "dependency build", "dependency update")
		if f.Plugin && f.Has("permission denied") { // the sidecar, not the chart
			out, ok := firstOf(pluginFaults, renderedOf(in, s), f.Flat())
			return out.ReportedAs(Plugin), ok
		}
		if notGzip.MatchString(f.Flat()) && ownRepository(renderedOf(in, s)) || !missing && !(building && !remoteFails(f)) || f.Command != nil && (f.Command.TimedOut() || f.Command.Killed()) {
			return diagnose.Finding{}, false
		}
		r := renderedOf(in, s)
		if out, ok := firstOf(dependencyFaults, r, relative(f.Flat())); ok {
			return withRequirements(r, out), true
		}
		out := diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      "Dependencies" + inPath("of", sourcePath(r.src)) + " cannot be built",
			Why:        inSource(s) + "Argo CD builds the dependencies before it renders the chart.",
			Says:       said(s),
			Fix:        []diagnose.Fix{updateDependencies(r)},
		}
		if url := f.URL(); url != "" {
			out.Fix = append(out.Fix, diagnose.Fix{Text: "If this repository is private, add it with its credentials", Command: addRepository(url, "") + " --username USER --password TOKEN"})
		}
		out.Says.Text = relative(out.Says.Text)
		return withRequirements(r, out), true
	}),
}

// dependencyFaults are how helm dependency build fails because of the chart.
var dependencyFaults = []fault{
	{pattern.MustCompile(`((?:Chart|requirements)\.lock)\)? is out of sync with (?:the dependencies file \()?((?:Chart|requirements)\.yaml)`), lockDiffers},
	{pattern.MustCompile(`but missing in charts/? ?(?:directory)?: ([\w., -]+)`), notVendored},
	{pattern.MustCompile(`error reading helm chart from (.*?Chart\.yaml): .*no such file`), noChart},
	{pattern.MustCompile(`validation: (.*)`), invalidChart},
	{pattern.MustCompile(`no repository definition for `), noDefinition},
	{pattern.MustCompile(`(?i)can't get a valid version for (?:repositories|dependency) "?([\w-]+)`), noDependencyVersion},
	{pattern.MustCompile(`could not find protocol handler for: (\w+)`), noProtocol},
	{noScheme, dependencyWithoutScheme},
	{pattern.MustCompile(`dependency "([^"]+)" has an invalid version/constraint format(?:: improper constraint: *(\S*))?`), dependencyConstraint},
	{pattern.MustCompile(`directory (\S+) not found`), noDirectory},
	{pattern.MustCompile(`(\S*?)-index\.yaml: empty index\.yaml file|empty index\.yaml file`), emptyIndex},
	{pattern.MustCompile(`no cached repository for \S+ found|-index\.yaml: no such file`), noIndex},
}

// updateDependencies is the step that resolves the dependencies again.
func updateDependencies(r rendered) diagnose.Fix {
	if !ownRepository(r) {
		return otherVersion(r, "")
	}
	return diagnose.Fix{Text: "Update the dependencies in a clone, and commit Chart.yaml and Chart.lock", Command: diagnose.Shell("helm dependency update %s", sourcePath(r.src))}
}

func lockDiffers(r rendered, m []string) diagnose.Finding {
	step := updateDependencies(r)
	if ownRepository(r) {
		step.Text = "Update the lock file in a clone, commit it and push"
	}
	out := diagnose.Finding{
		Title: fmt.Sprintf("%s does not match %s%s", m[1], m[2], inPath("in", sourcePath(r.src))),
		Why:   "The dependencies were changed without updating the lock file.",
		Fix:   []diagnose.Fix{step},
	}
	if byHelm2(r) {
		out.Why = "The dependencies were changed without updating the lock file, or Helm 3 wrote it."
	}
	return out
}

func notVendored(r rendered, m []string) diagnose.Finding {
	out := diagnose.Finding{
		Title: "Chart dependencies are missing: " + strings.Trim(m[1], " .,"),
		Why:   "Chart.yaml" + inPath("of", sourcePath(r.src)) + " lists them, but they are not in its directory charts/.",
		Fix:   []diagnose.Fix{updateDependencies(r)},
	}
	if ownRepository(r) {
		out.Fix = append(out.Fix, diagnose.Fix{Text: "If charts/ is committed, commit the new archives as well; check that .gitignore and .helmignore do not exclude them"})
	} else {
		out.Why = "The published chart lists them, and its archive does not contain them."
	}
	return out
}

func noDependencyVersion(r rendered, m []string) diagnose.Finding {
	return diagnose.Finding{
		Title: fmt.Sprintf("No version of dependency %s matches Chart.yaml", m[1]),
		Why:   "The repository of the dependency has no version in the range that Chart.yaml" + inPath("of", sourcePath(r.src)) + " asks for.",
		Fix:   []diagnose.Fix{{Text: "Set the version of the dependency in Chart.yaml to one that exists"}, updateDependencies(r)},
	}
}

func noDirectory(r rendered, m []string) diagnose.Finding {
	return diagnose.Finding{
		Title: "Dependency " + relative(m[1]) + " is not in the repository",
		Why:   "Chart.yaml" + inPath("of", sourcePath(r.src)) + " takes the dependency from this directory (its repository begins with file://).",
		Fix:   advice.Steps("Commit the chart there, or correct the path in Chart.yaml (it is relative to the chart that depends on it)"),
	}
}

func noProtocol(r rendered, m []string) diagnose.Finding {
	return diagnose.Finding{
		Title: fmt.Sprintf("Argo CD's Helm cannot use %s:// repositories", m[1]),
		Why:   "Chart.yaml" + inPath("of", sourcePath(r.src)) + " has one for a dependency, and the plugin for it is not installed in the repo-server.",
		Fix:   advice.Steps("Use the https:// or oci:// URL of the repository in Chart.yaml, update Chart.lock and push", "Or install the Helm plugin in the repo-server, with an init container and HELM_PLUGINS"),
	}
}

// dependencyWithoutScheme is about a dependency whose repository says where it is and not how to read it.
func dependencyWithoutScheme(r rendered, _ []string) diagnose.Finding {
	file := path.Join(sourcePath(r.src), "Chart.yaml")
	return diagnose.Finding{
		Title: "A dependency's repository has no scheme",
		Why:   fmt.Sprintf("%s has a dependency whose repository begins with neither https:// nor oci://.", file),
		Fix: []diagnose.Fix{{
			Text:    "Write the scheme in front of repository in " + file + " (oci:// for an OCI registry, without the name of the chart), update Chart.lock and push",
			Command: diagnose.Shell("helm dependency update %s", sourcePath(r.src)),
		}},
	}
}

func dependencyConstraint(r rendered, m []string) diagnose.Finding {
	file := path.Join(sourcePath(r.src), "Chart.yaml")
	out := diagnose.Finding{
		Title: fmt.Sprintf("Dependency %s has no valid version", m[1]),
		Why:   fmt.Sprintf("In %s its version is neither a version nor a range of versions.", file),
		Fix:   []diagnose.Fix{{Text: fmt.Sprintf("Correct the version of %s in %s, update Chart.lock and push", m[1], file), Command: diagnose.Shell("helm dependency update %s", sourcePath(r.src))}},
	}
	if m[2] != "" {
		out.Why = fmt.Sprintf("%s asks for %s, which is neither a version nor a range of versions.", file, m[2])
	}
	return out
}

func noIndex(r rendered, _ []string) diagnose.Finding {
	if r.s.Failure.Plugin {
		return diagnose.Finding{
			Title: "Helm has no index of a dependency's repository",
			Why:   "A plugin runs helm dependency build itself. It has neither the repositories nor the indexes of Argo CD.",
			Fix: []diagnose.Fix{
				{Text: "In a clone, list the repositories of the dependencies", Command: diagnose.Shell("helm dependency list %s", sourcePath(r.src))},
				{Text: "Have the plugin's init command add each of them (helm repo add NAME URL) and run helm repo update, before helm dependency build"},
			},
		}
	}
	return diagnose.Finding{
		OutsideGit: true,
		Title:      "Helm has no index of a dependency's repository",
		Why:        "The index was not downloaded, most often because the repository is private or its URL in Chart.yaml differs from the one in Argo CD.",
		Fix: []diagnose.Fix{
			{Text: "In a clone, list the repositories of the dependencies", Command: diagnose.Shell("helm dependency list %s", sourcePath(r.src))},
			{Text: "Compare them with those of Argo CD, and add what is missing", Command: "argocd repo list"},
		},
	}
}

// emptyIndex is about an index that was downloaded and has nothing in it. Helm names its file after the URL, with hyphens for slashes.
func emptyIndex(r rendered, m []string) diagnose.Finding {
	out := diagnose.Finding{
		OutsideGit: true,
		Title:      "Helm's copy of a chart repository's index is empty",
		Why:        "The repo-server downloaded it, but the file has nothing in it: most often several helm processes wrote it at the same time. Nothing is known to be wrong with the chart.",
		Fix: []diagnose.Fix{
			ofRepoServer(r.in, "If a refresh without the cache does not download it again, restart the repo-server, which empties its directories", "rollout restart deploy/PART"),
			set(r.in, "If it happens again, let the repo-server render fewer applications at the same time, or commit the dependencies in charts/", setting{"repo-server", "reposerver.parallelism.limit", "ARGOCD_REPO_SERVER_PARALLELISM_LIMIT", "5"}),
		},
	}
	if _, file := m[0], m[1]; file != "" {
		name := file[strings.LastIndexByte(file, '/')+1:]
		out.Why = strings.Replace(out.Why, "downloaded it", "downloaded "+name+"-index.yaml", 1)
	}
	return out
}
