package render

import (
	"cmp"
	"fmt"
	"path"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/text"
)

// kustomizeFaults are how a build fails, by what Kustomize says: https://github.com/kubernetes-sigs/kustomize/tree/master/api.
var kustomizeFaults = []fault{
	{pattern.MustCompile(`must specify --enable-helm`), missingOption("--enable-helm", "inflates Helm charts (helmCharts)")},
	{pattern.MustCompile(`external plugins disabled|plugins disabled; unable`), missingOption("--enable-alpha-plugins", "uses an external plugin")},
	{pattern.MustCompile(`must specify --enable-exec|exec plugins? (?:is|are) not enabled|--enable-exec`), missingOption("--enable-exec", "runs an exec function")},
	{pattern.MustCompile(`unable to run: '(\S+) .*executable file not found`), noHelm},
	{pattern.MustCompile(`unable to find plugin root`), noPluginRoot},
	{pattern.MustCompile(`^(.*?)(?:Error: )?failure in plugin configured via`), execPluginFails},
	{pattern.MustCompile(`unable to make loader at .*permission denied`), noPermission},
	{pattern.MustCompile(`kustomize version (\S+) is not registered`), versionUnknown},
	{pattern.MustCompile(`fork/exec (\S+): no such file`), binaryMissing},
	{pattern.MustCompile(`security; file '([^']+)' is not in or below '([^']+)'`), loadsOutside},
	{pattern.MustCompile(`unable to find one of 'kustomization\.yaml', .*? in directory '([^']*)'`), noKustomization},
	{pattern.MustCompile(`Missing kustomization file|kustomization file not found in the path`), noKustomization},
	{pattern.MustCompile(`may not add resource with an already registered id: ([^'"\s:]+)`), definedTwice},
	{pattern.MustCompile(`updating name reference in '([^']+)' field of '([^']+)'.*: (.*)`), noReference},
	{pattern.MustCompile(`multiple matches for Id ([^'";\s]+)`), severalTargets},
	{pattern.MustCompile(`(?:no matches for Id|failed to find unique target for patch) ([^'";\s]+)`), noTarget},
	{pattern.MustCompile(`invalid Kustomization: .*unknown field "([^"]+)"`), unknownField},
	{pattern.MustCompile(`expected '(\w+)' field in kustomization\.yaml to be (\S+?),? but got (.+)`), overridden},
	{pattern.MustCompile(`cycle detected: candidate root '([^']*)' contains visited root '([^']*)'`), cycle},
	{pattern.MustCompile(`nothing selected by (\S+?)(?::(\S+))?$`), nothingSelected},
	{pattern.MustCompile(`unable to find field "([^"]+)" in replacement target`), noReplacedField},
	{pattern.MustCompile(`(add|remove|replace|test|copy|move) operation does not apply: doc is missing (?:path|key): "?([^\s":]+)`), patchPathMissing},
	{pattern.MustCompile(`unable to parse SM or JSON patch from`), malformedPatch},
	{pattern.MustCompile(`missing metadata\.name in object|missing Resource metadata`), noName},
	{pattern.MustCompile(`namespace transformation produces ID conflict: (.*)`), sameName},
	{pattern.MustCompile(`Kind:"(\w+)".*?Name:"([^"]+)".*does not exist; cannot merge or replace`), nothingToMerge},
	{pattern.MustCompile(`cannot unmarshal (\w+) into Go struct field Kustomization\.(\w+)`), wrongType},
	{pattern.MustCompile(`unknown (?:shorthand )?flag: (?:'\w' in )?(-\S+)`), unknownOption},
	{pattern.MustCompile(`(annotation|label) (\S+) already in kustomization file`), setTwice},
	{pattern.MustCompile(`yaml: line (\d+): (.*?) in File: ([^\s']+)`), malformed},
	{pattern.MustCompile(`chart "([^"]+)" (?:version|matching) "?([^" ]*)"? not found in (\S+?)(?: repository| index|$)`), inflatedChartMissing},
	{pattern.MustCompile(`.*accumulating (?:resources|components) from '([^']+)': .*no such file or directory`), missingResource},
	{pattern.MustCompile(`(?:file sources: \[([^\]]+)\]|env source files?: \[?([^\]:]+)).*no such file or directory`), missingSource},
}

// missingOption is about an option that the build needs and kustomize.buildOptions does not have.
func missingOption(name, because string) func(rendered, []string) diagnose.Finding {
	return func(r rendered, _ []string) diagnose.Finding {
		options := strings.TrimSpace(buildOptions(r) + " " + name)
		out := diagnose.Finding{
			OutsideGit: true,
			Title:      "Kustomize needs the option " + name,
			Why:        fmt.Sprintf("The overlay %s, and kustomize.buildOptions in argocd-cm does not have this option.", because),
			Fix:        []diagnose.Fix{setOptions(r, "Add it to kustomize.buildOptions, which applies to all applications", options)},
		}
		if r.s.Failure.Plugin {
			out.Why = fmt.Sprintf("The overlay %s, and the plugin runs kustomize build without this option.", because)
			out.Fix = advice.Steps("Add " + name + " to the kustomize command of the plugin (generate.command or args of its ConfigManagementPlugin)")
		}
		return out
	}
}

// settingName is what a ConfigMap takes in the name of a key. The application names the version.
var settingName = pattern.MustCompile(`^[-._a-zA-Z0-9]+$`)

func versionUnknown(r rendered, m []string) diagnose.Finding {
	register := diagnose.Fix{Text: "Or install the binary in the repo-server and register it as kustomize.path.VERSION in " + advice.Config("kustomize.path.VERSION").Place(r.in)}
	if settingName.MatchString(m[1]) {
		register = advice.Config("kustomize.path."+m[1]).Apply(r.in, "Or install the binary in the repo-server and register it", "/custom-tools/kustomize")
	}
	return diagnose.Finding{
		Title: fmt.Sprintf("Argo CD has no Kustomize %s", m[1]),
		Why:   "The application asks for this version (" + r.field("kustomize.version") + "), and argocd-cm registers no binary for it.",
		Fix: []diagnose.Fix{
			{Text: "Remove " + r.edited("kustomize.version") + ", to use the Kustomize that Argo CD contains"},
			register,
		},
	}
}

func binaryMissing(r rendered, m []string) diagnose.Finding {
	return diagnose.Finding{
		OutsideGit: true,
		Title:      fmt.Sprintf("The repo-server has no %s", m[1]),
		Why:        "argocd-cm registers this file as a version of Kustomize (kustomize.path.…), but it does not exist in the container.",
		Fix:        advice.Steps("Install it with the init container of the repo-server, or remove the version from the application and in " + advice.Config("kustomize.path.VERSION").Place(r.in)),
	}
}

func loadsOutside(r rendered, m []string) diagnose.Finding {
	file, dir := relative(m[1]), relative(m[2])
	return diagnose.Finding{
		Title: "Kustomize may not load files from outside the overlay",
		Why:   fmt.Sprintf("%s is not below %s.", file, cmp.Or(dir, "the overlay")),
		Fix: []diagnose.Fix{
			{Text: "Move the file below the directory of its kustomization.yaml, or make its directory a base"},
			// No command: an error text that an application brings along would open the repo-server to all of them.
			{Text: "Or, only if you trust every repository that Argo CD renders, add --load-restrictor LoadRestrictionsNone to kustomize.buildOptions: any overlay can then read any file of the repo-server"},
		},
	}
}

func noKustomization(r rendered, m []string) diagnose.Finding {
	dir := sourcePath(r.src)
	if len(m) > 1 {
		dir = path.Clean(cmp.Or(inRepository(r, m[1]), dir))
	}
	out := diagnose.Finding{
		Title: fmt.Sprintf("%s has no kustomization.yaml", where(dir)),
		Fix: []diagnose.Fix{
			{Text: "Add the file, or correct " + r.edited("path")},
			{Text: "In a clone, list the files that exist", Command: listTree(r.src.TargetRevision, "-r") + " | grep -i kustomization"},
		},
	}
	if dir != path.Clean(sourcePath(r.src)) {
		out.Why = "Another kustomization.yaml, or the Application, lists this directory."
		out.Fix[0].Text = "Add the file, or correct the entry that leads there (resources or components)"
	} else if r.src.Kustomize != nil {
		out.Why = "The Application has kustomize settings for this source, so Argo CD runs Kustomize there."
		out.Fix[0].Text = "Add the file, correct " + r.edited("path") + ", or remove " + r.field("kustomize") + " if these are plain manifests"
	}
	return out
}

// where is a directory at the start of a sentence.
func where(dir string) string {
	if dir == "." {
		return "The root of the repository"
	}
	return dir
}

// resourceID is Kustomize's name of a resource, "Deployment.v1.apps/web.[noNs]".
var resourceID = pattern.MustCompile(`^([A-Za-z]+)[^/]*/([^\[\]]+?)\.(?:\[no\w+\]|[a-z0-9-]+)$`)

// oldID is the same of Kustomize 3, "apps_v1_Deployment|shop|web".
var oldID = pattern.MustCompile(`^(?:[^|]*_)?([A-Za-z]+)\|[^|]*\|([^|\s]+)$`)

// shortID is such a name as people write it: "Deployment/web".
func shortID(id string) string {
	if m := oldID.FindStringSubmatch(id); m != nil {
		return m[1] + "/" + m[2]
	}
	if m := resourceID.FindStringSubmatch(strings.TrimRight(id, ".,;")); m != nil {
		return m[1] + "/" + m[2]
	}
	return id
}

// fullID is Kustomize's name of a resource with everything that counts: "Deployment.v1.apps/web.shop".
var fullID = pattern.MustCompile(`^[A-Za-z]+\.(v\w+)\.([\w.-]+|\[noGrp\])/[^\[\]]+?\.(\[noNs\]|[\w-]+)$`)

// identity says what else than kind and name a resource must have to be the one that is looked for.
func identity(id string) string {
	m := fullID.FindStringSubmatch(strings.TrimRight(id, ".,;"))
	if m == nil {
		return ""
	}
	version, namespace := m[2]+"/"+m[1], "namespace "+m[3]
	if m[2] == "[noGrp]" {
		version = m[1]
	}
	if m[3] == "[noNs]" {
		namespace = "no namespace"
	}
	return fmt.Sprintf(" The patch has apiVersion %s and %s.", version, namespace)
}

func definedTwice(r rendered, m []string) diagnose.Finding {
	why := "Two of its resources, bases or components contain it."
	if from := addedBy.FindStringSubmatch(r.s.Failure.Flat()); from != nil {
		why = path.Join(path.Dir(faultyKustomization(r)), relative(from[1])) + " contains it, and so does a resource, base or component that is listed before."
	}
	return diagnose.Finding{
		Title: shortID(m[1]) + " is defined twice in the overlay",
		Short: "A resource is in the overlay twice",
		Why:   why,
		Fix:   advice.Steps("Remove it from one of the files, or list it under patches if it is meant to change the other"),
	}
}

// addedBy is the entry that brings what is there already.
var addedBy = pattern.MustCompile(`merging (?:resources|components) from '([^']+)': may not add`)

func noTarget(_ rendered, m []string) diagnose.Finding {
	return diagnose.Finding{
		Title: "Kustomize patch for " + shortID(m[1]) + " has no target",
		Short: "A Kustomize patch has no target",
		Why:   "No resource of the overlay has this kind, name and namespace: it was renamed or removed in a base, or a prefix or namespace is set before the patch applies." + identity(m[1]),
		Fix:   advice.Steps("Correct kind, name, namespace or API version in the patch (or its target), or remove the patch"),
	}
}

func unknownField(r rendered, m []string) diagnose.Finding {
	file := faultyKustomization(r)
	return diagnose.Finding{
		Title: fmt.Sprintf("kustomization.yaml has an unknown field: %s", m[1]),
		Short: "kustomization.yaml has an unknown field",
		Why:   "It is misspelled, or only another version of Kustomize knows it. The file is " + file + ".",
		Fix: []diagnose.Fix{
			{Text: "Correct or remove the field in " + file},
			ofRepoServer(r.in, "Show the version that Argo CD uses", "exec deploy/PART -- kustomize version"),
		},
	}
}

func wrongType(r rendered, m []string) diagnose.Finding {
	file := faultyKustomization(r)
	out := diagnose.Finding{
		Title: fmt.Sprintf("kustomization.yaml: %s has the wrong type (%s)", m[2], m[1]),
		Why:   fmt.Sprintf("This Kustomize expects another form of the field in %s; older ones may have accepted it.", file),
		Fix:   advice.Steps(fmt.Sprintf("Correct %s in %s", m[2], file)),
	}
	if m[1] == "string" && (m[2] == "patches" || m[2] == "replacements") {
		out.Why = fmt.Sprintf("In %s an entry of %s is only a name. patchesStrategicMerge took names; %s takes a map.", file, m[2], m[2])
		if m[2] != "patches" {
			out.Why = fmt.Sprintf("In %s an entry of %s is only a name, and Kustomize takes a map.", file, m[2])
		}
		out.Fix = []diagnose.Fix{{Text: fmt.Sprintf("Write each entry of %s in %s as a map", m[2], file), Patch: m[2] + ":\n- path: FILE\n"}}
	}
	return out
}

// setTwice is about an annotation or label that both the Application and kustomization.yaml set for all resources.
func setTwice(r rendered, m []string) diagnose.Finding {
	field := "commonAnnotations"
	if m[1] == "label" {
		field = "commonLabels"
	}
	set := r.field("kustomize." + field)
	return diagnose.Finding{
		Title: fmt.Sprintf("Kustomize %s %s is set twice", m[1], m[2]),
		Short: text.UpperFirst(m[1]) + " is set twice",
		Why:   fmt.Sprintf("The Application sets it (%s), and kustomization.yaml already does.", set),
		Fix: []diagnose.Fix{
			{Text: fmt.Sprintf("Remove it from one of the two: %s, or %s", r.edited("kustomize."+field), path.Join(sourcePath(r.src), "kustomization.yaml"))},
			{Text: "Or let the Application's value win, in " + r.place(), Patch: "kustomize:\n  force" + strings.ToUpper(field[:1]) + field[1:] + ": true\n"},
		},
	}
}
