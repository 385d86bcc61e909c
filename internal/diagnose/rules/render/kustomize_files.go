package render

import (
	"cmp"
	"fmt"
	"path"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
)

func malformed(r rendered, m []string) diagnose.Finding {
	file := relative(m[3])
	if !strings.Contains(file, "/") {
		file = path.Join(path.Dir(faultyKustomization(r)), file)
	}
	return diagnose.Finding{
		Title: fmt.Sprintf("%s is not valid YAML (line %s)", file, m[1]),
		Short: "A file of the overlay is not valid YAML",
		Says:  diagnose.Said{Who: "Kustomize says", Text: m[2]},
		Fix:   advice.Steps("Correct " + file + " at this line, and push"),
	}
}

func inflatedChartMissing(_ rendered, m []string) diagnose.Finding {
	chart, version, repo := m[1], m[2], strings.TrimRight(m[3], ".:")
	return diagnose.Finding{
		Title: strings.TrimSpace("Chart "+chart+" "+version) + " not found",
		Why:   fmt.Sprintf("The overlay inflates it from %s (helmCharts), which does not have it, or not in this version.", repo),
		Fix: []diagnose.Fix{
			{Text: "Set name, version and repo of helmCharts in kustomization.yaml to a chart that exists"},
			versionsIn(repo, chart),
		},
	}
}

// lookedFor is where a file was looked for.
var lookedFor = pattern.MustCompile(`(?:lstat|open|stat) ([^\s:']+): no such file`)

// cachedSource is what Argo CD writes for the directory of its clone.
const cachedSource = "<path to cached source>/"

// clonedBase is where Kustomize unpacks a base from another repository.
var clonedBase = pattern.MustCompile(`^/tmp/kustomize-\d+(?:/|$)`)

func missingResource(r rendered, m []string) diagnose.Finding {
	entry := relative(m[1])
	if out, ok := missingInBase(r, entry); ok {
		return out
	}
	out := diagnose.Finding{
		Title: fmt.Sprintf("Kustomize cannot find %s", entry),
		Short: "Kustomize cannot find a file",
		Why:   "A kustomization.yaml lists it, but it does not exist at this place in Git.",
		Fix:   advice.Steps("Commit the file or directory, or correct the entry under resources (paths are relative to that kustomization.yaml)"),
	}
	name := strings.TrimLeft(strings.TrimLeft(entry, "./"), "/")
	flat := strings.ReplaceAll(r.s.Failure.Flat(), cachedSource, "")
	for _, at := range lookedFor.FindAllStringSubmatch(flat, -1) {
		if strings.Contains(entry, "://") || !strings.HasSuffix("/"+at[1], "/"+name) {
			continue
		}
		place := inRepository(r, at[1])
		if dir, ok := strings.CutSuffix(place, name); ok && !strings.HasPrefix(entry, "..") {
			file := path.Join(dir, "kustomization.yaml")
			out.Why = fmt.Sprintf("%s lists it, but %s does not exist in Git.", file, place)
			out.Fix = advice.Steps("Commit the file or directory, or correct the entry in " + file)
		} else if strings.HasPrefix(place, "/") { // a path of the repo-server's, outside its clone
			out.Why = "A kustomization.yaml lists it, and it leads out of the repository."
		} else if place != entry {
			out.Why = fmt.Sprintf("A kustomization.yaml lists it, but %s does not exist in Git.", place)
		}
		return out
	}
	return out
}

// sourceFile is where a generator looks for a file.
var sourceFile = pattern.MustCompile(`evalsymlink failure on '([^']+)'`)

func missingSource(r rendered, m []string) diagnose.Finding {
	file := relative(cmp.Or(m[1], m[2]))
	why := "A generator of the overlay reads it, but it does not exist at this place in Git."
	if at := sourceFile.FindStringSubmatch(r.s.Failure.Flat()); at != nil {
		why = fmt.Sprintf("A generator of the overlay reads %s, which does not exist in Git.", inRepository(r, at[1]))
	}
	return diagnose.Finding{
		Title: fmt.Sprintf("Kustomize cannot find %s", file),
		Why:   why + " Files that Git ignores, such as .env, are often not committed.",
		Fix:   advice.Steps("Commit the file, or correct the entry under configMapGenerator or secretGenerator; secrets do not belong in Git as plain text"),
	}
}

// target is the directory whose kustomization.yaml the innermost error of a chain is about.
var target = pattern.MustCompile(`(?:couldn't make target for path|recursed (?:accumulation|merging) (?:of|from) path) '([^']+)'`)

// faultyKustomization is the file that an error is about: that of the base which a chain of reasons ends in, else the source's own.
func faultyKustomization(r rendered) string {
	dir := sourcePath(r.src)
	if all := target.FindAllStringSubmatch(r.s.Failure.Flat(), -1); len(all) > 0 {
		dir = cmp.Or(inRepository(r, all[len(all)-1][1]), dir)
	}
	return path.Join(dir, "kustomization.yaml")
}

// inRepository is a path as the repository has it. Argo CD cuts the directory of its clone out of messages, which leaves a dot.
func inRepository(r rendered, at string) string {
	at = relative(at)
	first, _, _ := strings.Cut(sourcePath(r.src), "/")
	if rest, ok := strings.CutPrefix(at, "."); ok && first != "." && strings.HasPrefix(rest, first) {
		return rest
	}
	return at
}
