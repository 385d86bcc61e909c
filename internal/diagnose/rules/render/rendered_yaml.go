package render

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
)

// withRendered tells a parser's error that names no file. Where Argo CD reads plain manifests it names the file, so what it could not read
// is the output of a chart, an overlay or a plugin, which has lines of its own.
func withRendered(r rendered, out diagnose.Finding) diagnose.Finding {
	path := sourcePath(r.src)
	line := ""
	if m := atLine.FindStringSubmatch(r.s.Failure.Text); m != nil {
		line = fmt.Sprintf(" Line %s counts in one rendered document, not in a file of the repository.", m[1])
	}
	out.Title = strings.Replace(out.Title, "A manifest"+inPath("in", path), "A manifest rendered"+inPath("from", path), 1)
	out.Why = inSource(r.s) + "Argo CD names no file, as it does for plain manifests: this is what a chart, overlay or plugin renders to." + line
	chart := diagnose.Fix{Text: "Render the chart in a clone of the repository, with the application's values, and correct the template that prints this document", Command: renderLocally(r.src)}
	overlay := diagnose.Fix{Text: "Build the overlay in a clone of the repository, and correct the file that this document comes from", Command: diagnose.Shell("kustomize build %s", path)}
	switch kind := r.in.App().Status.SourceType; {
	case kind == "Helm" || r.src.Helm != nil || r.src.Chart != "":
		out.Fix = []diagnose.Fix{chart}
	case kind == "Kustomize" || r.src.Kustomize != nil:
		out.Fix = []diagnose.Fix{overlay}
	default:
		chart.Text, overlay.Text = "If it is a chart, render it in a clone of the repository with the application's values, and correct the template that prints this document", "If it is an overlay, build it there, and correct the file that this document comes from"
		out.Fix = []diagnose.Fix{chart, overlay}
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
