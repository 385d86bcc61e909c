package render

import (
	"fmt"
	"path"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/text"
)

// overridden is about a field of kustomization.yaml to which Argo CD adds what the Application sets.
func overridden(r rendered, m []string) diagnose.Finding {
	file := path.Join(sourcePath(r.src), "kustomization.yaml")
	return diagnose.Finding{
		Title: fmt.Sprintf("%s in kustomization.yaml is not a list", m[1]),
		Whole: true,
		Why:   fmt.Sprintf("The Application adds entries to %s (%s), and Argo CD expects a list there.", m[1], r.field("kustomize."+m[1])),
		Fix:   advice.Steps(fmt.Sprintf("Write %s in %s as a list, or remove %s", m[1], file, r.edited("kustomize."+m[1]))),
	}
}

func cycle(r rendered, m []string) diagnose.Finding {
	inner, outer := inRepository(r, m[1]), inRepository(r, m[2])
	out := diagnose.Finding{
		Title: "Kustomize overlay contains itself: " + outer,
		Short: "A Kustomize overlay contains itself",
		Whole: true,
		Why:   fmt.Sprintf("While it builds %s, it comes to an entry that leads to %s again, or to a directory above it.", outer, inner),
		Fix:   advice.Steps("Remove the entry that leads back, under resources or components of a kustomization.yaml"),
	}
	if from := resource.FindStringSubmatch(strings.TrimPrefix(lastResource(r), "accumulating resources: ")); from != nil {
		out.Fix = advice.Steps("Remove or correct the entry " + from[1] + ", under resources or components of its kustomization.yaml")
	}
	return out
}

func severalTargets(_ rendered, m []string) diagnose.Finding {
	return diagnose.Finding{
		Title: "Kustomize patch for " + shortID(m[1]) + " matches several resources",
		Short: "A Kustomize patch matches several resources",
		Whole: true,
		Why:   "More than one resource of the overlay has this kind and name, most often in different namespaces or from two bases.",
		Fix:   advice.Steps("Give the patch the namespace of the resource that is meant, or use a target with a selector"),
	}
}

// noReference is about a name in a resource that Kustomize changes along with the resource that it refers to.
func noReference(_ rendered, m []string) diagnose.Finding {
	return diagnose.Finding{
		Title: "Kustomize cannot update a reference in " + shortID(m[2]),
		Short: "Kustomize cannot update a reference",
		Brief: "Kustomize cannot update a reference",
		Why:   "The field is " + m[1] + ". Kustomize changes the name there when the resource that it names gets a prefix, a suffix or a hash.",
		Says:  diagnose.Said{Who: "Kustomize says", Text: m[3]},
		Fix:   advice.Steps("Correct the name in this field: it must name exactly one resource, in one namespace; or set the namespace of both resources"),
	}
}

// lastResource is the innermost "accumulating resources from 'X': " of a chain.
func lastResource(r rendered) string {
	said := r.s.Failure.Flat()
	if i := strings.LastIndex(said, "accumulating resources from '"); i >= 0 {
		return said[i:]
	}
	return ""
}

func nothingSelected(_ rendered, m []string) diagnose.Finding {
	out := diagnose.Finding{
		Title: "Kustomize replacement finds no " + shortID(m[1]),
		Short: "A Kustomize replacement finds no source",
		Whole: true,
		Why:   "No resource of the overlay has the kind and name that source of the replacement names, at the moment when it runs.",
		Fix:   advice.Steps("Correct source under replacements (kind, name, namespace), or add the resource; generated names count without their hash"),
	}
	if m[2] != "" {
		out.Why += " It reads the field " + m[2] + "."
	}
	return out
}

func noReplacedField(_ rendered, m []string) diagnose.Finding {
	return diagnose.Finding{
		Title: "Kustomize replacement finds no field " + m[1],
		Short: "A Kustomize replacement finds no field",
		Whole: true,
		Why:   "A resource that targets of the replacement selects does not have it.",
		Fix:   []diagnose.Fix{{Text: "Correct fieldPaths under targets of the replacement, select fewer resources, or have Kustomize create the field, in the target", Patch: "options:\n  create: true\n"}},
	}
}

func patchPathMissing(_ rendered, m []string) diagnose.Finding {
	at := strings.TrimRight(m[2], ":")
	out := diagnose.Finding{
		Title: "JSON patch: " + at + " does not exist",
		Short: "A JSON patch has a path that does not exist",
		Whole: true,
		Why:   fmt.Sprintf("The operation %s of a patch in the overlay needs this path in its target.", m[1]),
		Fix:   advice.Steps("Find the patch with this path in the overlay, and correct the path (elements of lists count from 0, a slash in a name is ~1) or its target"),
	}
	if m[1] == "replace" {
		out.Fix[0].Text += "; op: add also sets what does not exist yet"
	}
	return out
}

// patchFile is the file of a patch in the configuration that Kustomize prints.
var patchFile = pattern.MustCompile(`path: (\S+)`)

func malformedPatch(r rendered, _ []string) diagnose.Finding {
	file := "A patch of the overlay"
	if m := patchFile.FindStringSubmatch(r.s.Failure.Flat()); m != nil {
		file = path.Join(path.Dir(faultyKustomization(r)), m[1])
	}
	return diagnose.Finding{
		Title: file + " is not a valid patch",
		Short: "A Kustomize patch is not valid",
		Whole: true,
		Why:   "Kustomize takes a part of a resource with apiVersion, kind and metadata.name, or a list of JSON patch operations (op, path, value).",
		Fix:   advice.Steps("Correct " + text.LowerFirst(file) + ": check the indentation and metadata.name"),
	}
}

// accumulated is the entry of a kustomization.yaml that an error is about.
var accumulated = pattern.MustCompile(`accumulating resources from '([^']+)': `)

func noName(r rendered, _ []string) diagnose.Finding {
	file := "A file of the overlay"
	if all := accumulated.FindAllStringSubmatch(r.s.Failure.Flat(), -1); len(all) > 0 {
		file = path.Join(path.Dir(faultyKustomization(r)), relative(all[len(all)-1][1]))
	}
	return diagnose.Finding{
		Title: file + " has a resource without a name",
		Short: "A file of the overlay has a resource without a name",
		Whole: true,
		Why:   "It is listed under resources, and a document in it has no metadata.name.",
		Fix:   advice.Steps("If it is a manifest, add metadata.name. Values of a chart belong in valuesFile of helmCharts, and patches under patches"),
	}
}

// conflicting is a resource in a conflict that Kustomize prints as JSON.
var conflicting = pattern.MustCompile(`"kind":\s*"(\w+)".*?"name":\s*"([^"]+)"`)

func sameName(_ rendered, m []string) diagnose.Finding {
	named := "Resources"
	if c := conflicting.FindStringSubmatch(m[1]); c != nil {
		named = c[1] + "/" + c[2]
	}
	return diagnose.Finding{
		Title: named + " is twice in the namespace of the overlay",
		Short: "Two resources become the same in one namespace",
		Whole: true,
		Why:   "Two resources differ only in their namespace, and the field namespace of a kustomization.yaml, or of the Application, moves both to one.",
		Fix:   advice.Steps("Rename or remove one of the two, or remove the field namespace and set it in the resources"),
	}
}

func nothingToMerge(_ rendered, m []string) diagnose.Finding {
	return diagnose.Finding{
		Title: fmt.Sprintf("Kustomize generator: there is no %s/%s to merge with", m[1], m[2]),
		Short: "A Kustomize generator has nothing to merge with",
		Whole: true,
		Why:   "A generator with behavior: merge or replace changes what a base generates; here no base generates it, in this namespace.",
		Fix:   advice.Steps(fmt.Sprintf("Remove behavior from the generator of %s (the default is create), or correct its name and namespace to those of the base's generator", m[2])),
	}
}
