package render

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/text"
)

// withRendered tells a parser's error that names no file. Where Argo CD reads plain manifests it names the file, so what it could not read
// is the output of a chart, an overlay or a plugin, which has lines of its own.
func withRendered(r rendered, out diagnose.Finding) diagnose.Finding {
	if plainManifests(r) {
		return out
	}
	path := sourcePath(r.src)
	line := ""
	if m := atLine.FindStringSubmatch(r.s.Failure.Text); m != nil {
		line = fmt.Sprintf(" Line %s counts in one rendered document, not in a file of the repository.", m[1])
	}
	out.Title = strings.Replace(out.Title, "A manifest"+inPath("in", path), "A manifest rendered"+inPath("from", path), 1)
	out.Why = inSource(r.s) + "Argo CD names no file, as it does for plain manifests: this is what a chart, overlay or plugin renders to." + line
	out.Fix = whereRendered(r, "prints this document")
	return out
}

// whereRendered are the steps that lead to what renders to a document, by what renders the source; all of them where that is not known.
func whereRendered(r rendered, what string) []diagnose.Fix {
	chart := diagnose.Fix{Text: "Render the chart with the application's values, and correct the template that " + what, Command: renderLocally(r)}
	overlay := diagnose.Fix{Text: "Build the overlay in a clone of the repository, and correct the file that " + what, Command: diagnose.Shell("kustomize build %s", sourcePath(r.src))}
	switch kind := r.renders(); {
	case plainManifests(r):
		return []diagnose.Fix{
			{Text: "Correct the file that " + strings.Replace(what, "prints", "has", 1) + "; in a clone of the repository, kubectl reports what it cannot read", Command: readsManifests(r, "the file")},
			exclude(r, "If it is not a Kubernetes manifest, exclude it", "the file"),
		}
	case !r.known():
		return advice.Steps("Render the source that fails in a clone of the repository, and correct what " + what)
	case kind == "Helm" || r.src.Helm != nil || r.src.Chart != "":
		return []diagnose.Fix{chart}
	case kind == "Kustomize" || r.src.Kustomize != nil:
		return []diagnose.Fix{overlay}
	case kind == "Plugin" || r.src.Plugin != nil:
		return advice.Steps("Run the plugin's command in a clone of the repository, and correct what " + what)
	}
	chart.Text, overlay.Text = "If it is a chart, render it in a clone of the repository with the application's values, and correct the template that "+what, "If it is an overlay, build it there, and correct the file that "+what
	return []diagnose.Fix{chart, overlay}
}

// plainManifests reports whether Argo CD reads the files of the source as they are: the Application says so, or Argo CD found nothing else.
func plainManifests(r rendered) bool { return r.src.Directory != nil || r.renders() == "Directory" }

// objectFaults are what a manifest lacks to be an object of Kubernetes, and templates that are read as manifests.
var objectFaults = []fault{
	{pattern.MustCompile(`Failed to unmarshal "([^"]+)": .*` + unfilled), templateAsManifest},
	{pattern.MustCompile(`Object 'Kind' is missing in '(.*?)'?$`), noKind},
	{pattern.MustCompile(`from target object \S*, Kind=(\S+) (\S+): (\S+) accessor error: contains non-string (?:key|value) in the map[^:]*?(?:under key "([^"]+)")?: (\S+) is of the type`), labelNoString},
}

// templateAsManifest is about a file with braces, read as it is.
func templateAsManifest(r rendered, m []string) diagnose.Finding {
	out := diagnose.Finding{
		Title: fmt.Sprintf("%s has {{%s}}, which nothing fills in", m[1], m[2]),
		Short: m[1] + " is a template, not a manifest",
		Whole: true,
		Why:   "Argo CD reads the directory as plain manifests, so the braces stay as they are.",
		Fix: []diagnose.Fix{
			{Text: "If it is a Helm template, point " + r.edited("path") + " to the directory with Chart.yaml, above templates/ (commit Chart.yaml if there is none)"},
			exclude(r, "If it is meant for something else, exclude it", m[1]),
		},
	}
	if !strings.HasPrefix(m[2], ".") && !strings.HasPrefix(m[2], "include") {
		out.Fix[0].Text = "Write the value itself, or use Helm or an ApplicationSet to fill it in"
	}
	return out
}

// noKind is about a document that is YAML or JSON, but no object.
func noKind(r rendered, m []string) diagnose.Finding {
	begins, said, file := text.Clip(strings.Trim(strings.TrimSpace(m[1]), "'"), 80), r.s.Failure.Text, ""
	if named := unreadable.FindStringSubmatch(said); named != nil {
		file = named[1]
	} else if plainManifests(r) || !strings.Contains(said, "ailed to unmarshal manifest") {
		file = "A file" + inPath("in", sourcePath(r.src))
	}
	if file == "" {
		return diagnose.Finding{
			Title: "A document rendered" + inPath("from", sourcePath(r.src)) + " has no kind",
			Short: "A rendered document has no kind",
			Why:   "It begins with " + begins + ".",
			Fix:   whereRendered(r, "prints this document"),
		}
	}
	out := diagnose.Finding{
		Title: file + " is not a Kubernetes manifest",
		Why:   "It has no kind, and Argo CD reads every YAML and JSON file in the directory as manifests.",
		Fix: []diagnose.Fix{
			exclude(r, "If it is not meant to be one, exclude it", file),
			{Text: "If it is, add apiVersion and kind"},
		},
	}
	if strings.HasPrefix(file, "A file") {
		out.Why += " It begins with " + begins + "."
		out.Fix[0] = exclude(r, "If it is not meant to be one, such as the values of a chart, exclude it", "the file")
		out.Fix = append([]diagnose.Fix{{Text: "In a clone of the repository, list the files without a kind", Command: filesWithoutKind(r)}}, out.Fix...)
	}
	return out
}

// filesWithoutKind is the command that lists the files that Argo CD reads and that have no kind.
func filesWithoutKind(r rendered) string {
	if !r.known() {
		return ""
	}
	path := sourcePath(r.src)
	if r.src.Directory != nil && r.src.Directory.Recurse {
		return diagnose.Shell("grep -rL --include=%s --include=%s --include=%s -e %s -e %s %s", "*.yaml", "*.yml", "*.json", "^kind:", `"kind":`, path)
	}
	return diagnose.Shell("find %s -maxdepth 1 '(' -name %s -o -name %s -o -name %s ')' -exec grep -L -e %s -e %s {} +", path, "*.yaml", "*.yml", "*.json", "^kind:", `"kind":`)
}

// labelNoString is about a label or annotation that Argo CD cannot add its own to, since another one has no text as value.
func labelNoString(r rendered, m []string) diagnose.Finding {
	kind := strings.TrimPrefix(m[3], ".metadata.")
	_, name, _ := strings.Cut(m[2], "/")
	object := m[1] + "/" + cmp.Or(name, m[2])
	out := diagnose.Finding{
		Title: fmt.Sprintf("%s: %s %s is not a string", object, strings.TrimSuffix(kind, "s"), m[4]),
		Short: "A " + strings.TrimSuffix(kind, "s") + " in the manifests is not a string",
		Whole: true,
		Why:   fmt.Sprintf("Its value is %s. Kubernetes takes only strings in metadata.%s, and Argo CD cannot add its own there.", strings.NewReplacer("<nil>", "empty (null)").Replace(m[5]), kind),
		Fix:   whereRendered(r, "sets metadata."+kind+" of "+object),
	}
	if m[4] == "" {
		out.Title = fmt.Sprintf("%s has %s that are not strings", object, kind)
	}
	if plainManifests(r) {
		out.Fix = advice.Steps("Quote the value in metadata." + kind + " of " + object + ", and push")
	}
	if out.Fix[0].Command != "" {
		out.Fix[0].Text += " (quote it, or set the value that is missing)"
	}
	return out
}

// usedAsValues finds a file that cannot be read as a manifest among the values files of the other sources, which take it by the ref of this
// one: the path in the repository, and the number of the source that uses it. Argo CD names the file without its directory.
func usedAsValues(in *diagnose.In, s *diagnose.Statement, file string) (path string, source int) {
	src := in.App().Source(s.Failure.Source)
	if src.Ref == "" {
		return "", 0
	}
	dir := strings.TrimPrefix(strings.Trim(sourcePath(src), "/")+"/", "./")
	for i, other := range in.App().Spec.Sources {
		if other.Helm == nil {
			continue
		}
		for _, v := range other.Helm.ValueFiles {
			at, ok := strings.CutPrefix(v, "$"+src.Ref+"/")
			if ok && strings.HasPrefix(at, dir) && at[strings.LastIndexByte(at, '/')+1:] == file {
				return at, i + 1
			}
		}
	}
	return "", 0
}

// readsValues tells that a source with ref also reads its directory as manifests, and finds values of a chart there.
func readsValues(in *diagnose.In, s *diagnose.Statement, out diagnose.Finding, path string, source int) diagnose.Finding {
	inDir := strings.TrimPrefix(path, strings.TrimPrefix(strings.Trim(sourcePath(in.App().Source(s.Failure.Source)), "/")+"/", "./"))
	out.Title, out.Says = path+" is a values file, not a manifest", diagnose.Said{}
	out.Short = "A Helm values file is read as a manifest"
	out.Why = inSource(s) + fmt.Sprintf("The source has ref and also a path, so Argo CD reads the files there as manifests. A file of this name is the values file of source %d.", source)
	out.Fix = []diagnose.Fix{
		{Text: fmt.Sprintf("If the source is only there for its values files, remove path and directory from spec.sources[%d]", s.Failure.Source-1)},
		{Text: fmt.Sprintf("If it also has manifests, exclude the file in spec.sources[%d]", s.Failure.Source-1), Patch: "directory:\n  exclude: " + inDir + "\n"},
	}
	return out
}
