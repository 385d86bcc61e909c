package render

import (
	"cmp"
	"fmt"
	"path"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/evidence"
)

func malformedValues(r rendered, m []string) diagnose.Finding {
	reason := strings.TrimPrefix(parsing.ReplaceAllString(m[2], ""), "yaml: ")
	file, where := valuesSource(r, relative(m[1]))
	out := diagnose.Finding{
		Title: file + " is not valid YAML",
		Short: "A values file is not valid YAML",
		Says:  diagnose.Said{Text: message.LastClause(reason)},
		Fix:   advice.Steps("Correct " + file + where + ", and push"),
	}
	switch {
	case file == "Chart.yaml" || strings.HasSuffix(file, "/Chart.yaml"):
		out.Short = "Chart.yaml is not valid YAML"
		out.Fix[0].Text = "Correct " + path.Join(r.src.Path, "Chart.yaml") + ", and push"
	case file == "" || temporary.MatchString(file): // Argo CD writes the values of the Application to a file for Helm
		name := "helm.values"
		if r.src.Helm != nil && len(r.src.Helm.ValuesObject) > 0 {
			name = "helm.valuesObject"
		}
		out.Title = "The values in the Application are not valid YAML"
		out.Fix[0].Text = "Correct " + r.edited(name)
	case where != "":
		out.Why = "The file is in" + strings.TrimPrefix(where, " of") + "."
	}
	if line := atLine.FindStringSubmatch(m[2]); line != nil {
		out.Title += " (line " + line[1] + ")"
	}
	return out
}

// temporary is a name that Argo CD makes up for a file with the values of the Application.
var temporary = pattern.MustCompile(`^(?:/tmp/)?(?:[0-9a-f]{8}-[0-9a-f-]{27}|(?:[0-9a-f-]+-)?values(?:-?\d+)?\.yaml)$`)

// valuesSource is a values file as its repository has it, and which repository that is if it is not the chart's.
func valuesSource(r rendered, file string) (at, where string) {
	at, src, named := refOf(r, file)
	if named {
		where = " of " + shortRepository(src.RepoURL)
	}
	return at, where
}

// refOf finds the source that a values file is taken from by its ref; without one, the file is the chart's.
func refOf(r rendered, file string) (string, evidence.ApplicationSource, bool) {
	if r.src.Helm != nil {
		for _, v := range r.src.Helm.ValueFiles {
			ref, inRef, ok := strings.Cut(v, "/")
			if !ok || !strings.HasPrefix(ref, "$") || !strings.HasSuffix(file, inRef) {
				continue
			}
			for _, s := range r.in.App().Spec.Sources {
				if s.Ref == ref[1:] {
					return inRef, s, true
				}
			}
			return inRef, r.src, false
		}
	}
	return file, r.src, false
}

func valuesNotFetched(_ rendered, m []string) diagnose.Finding {
	return diagnose.Finding{
		Title: "Helm cannot fetch a values file",
		Why:   "It is " + m[1] + ".",
		Says:  diagnose.Said{Text: m[2]},
		Fix:   advice.Steps("Correct the URL in valueFiles (a private one needs a token in it), or commit the file and refer to it by path"),
	}
}

// noValuesFile is about a file of valueFiles that does not exist, in the source that it is taken from.
func noValuesFile(r rendered, m []string) diagnose.Finding {
	file, src, named := refOf(r, relative(m[1]))
	list, from := r.edited("helm.valueFiles"), ""
	if named {
		from = " (the source with ref: " + src.Ref + ")"
	}
	out := diagnose.Finding{
		Title: "Values file " + file + " not found",
		Short: "A Helm values file is not found",
		Why:   fmt.Sprintf("%s lists it, but %s at %s does not have it%s.", r.field("helm.valueFiles"), cmp.Or(src.RepoURL, "the repository"), cmp.Or(src.TargetRevision, "HEAD"), from),
		Fix: []diagnose.Fix{
			{Text: fmt.Sprintf("Commit the file, or correct %s; ignoreMissingValueFiles: true skips files that do not exist", list)},
			similarPaths(src.TargetRevision, file),
		},
	}
	if r.src.Chart != "" && !named {
		out.Why = fmt.Sprintf("%s lists it, but chart %s does not contain it: without a source with ref, values files are those of the chart.", r.field("helm.valueFiles"), r.src.Chart)
		out.Fix = out.Fix[:1]
		out.Fix[0].Text = "Correct " + list + ", or take the file from Git: add the repository as a source with ref, and write $REF/PATH"
	}
	return out
}
