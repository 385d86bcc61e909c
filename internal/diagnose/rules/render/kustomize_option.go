package render

import (
	"cmp"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
)

// unknownOption is about an option that this Kustomize does not have; those of version 3 were written with underscores.
func unknownOption(r rendered, m []string) diagnose.Finding {
	out := diagnose.Finding{
		OutsideGit: true,
		Title:      "Kustomize does not know the option " + m[1],
		Short:      "Kustomize does not know an option",
		Why:        "kustomize.buildOptions in argocd-cm has it. This version of Kustomize has another name for it, or none.",
	}
	if r.s.Failure.Plugin {
		out.Why = "The plugin runs kustomize with it."
		out.Fix = advice.Steps("Correct or remove the option in the command of the plugin (generate.command or args of its ConfigManagementPlugin)")
		return out
	}
	kept, renamed := knownOptions(buildOptions(r), m[1])
	text := "Remove it from kustomize.buildOptions, which applies to all applications"
	if renamed {
		out.Why = "kustomize.buildOptions in argocd-cm has it. Since Kustomize 4 options are written with hyphens."
		text = "Write it with hyphens in kustomize.buildOptions, which applies to all applications"
	}
	out.Fix = []diagnose.Fix{setOptions(r, text, kept)}
	return out
}

var buildOptionsKey = advice.Config("kustomize.buildOptions")

// setOptions is the step that sets the build options of Argo CD, or leads to them where not all of those that it has now are known.
func setOptions(r rendered, text, options string) diagnose.Fix {
	c := r.s.Failure.Command
	if c == nil || c.Tool != "kustomize" || c.Verb != "build" || withValues.MatchString(c.Line) || slices.ContainsFunc(strings.Fields(c.Line), runsPlugins.MatchString) {
		return buildOptionsKey.Edit(r.in, text)
	}
	return buildOptionsKey.Apply(r.in, text, options)
}

// withValues are build options whose value is no keyword: a path, a number.
var withValues = pattern.MustCompile(`--(?:helm-command|output|env|mount|network-name|helm-api-versions|helm-kube-version)\b`)

// knownOptions are build options without the one that Kustomize does not know, or with hyphens for the underscores of version 3.
func knownOptions(options, unknown string) (kept string, renamed bool) {
	var out []string
	words := strings.Fields(options)
	for i := 0; i < len(words); i++ {
		name, value, hasValue := strings.Cut(words[i], "=")
		switch {
		case strings.HasPrefix(name, "--") && strings.Contains(name, "_"):
			renamed = true
			word := strings.ReplaceAll(name, "_", "-")
			if hasValue {
				word += "=" + cmp.Or(restrictions[value], value)
			}
			out = append(out, word)
			if i+1 < len(words) && restrictions[words[i+1]] != "" {
				i++
				out = append(out, restrictions[words[i]])
			}
		case name != unknown:
			out = append(out, words[i])
		case i+1 < len(words) && !strings.HasPrefix(words[i+1], "-"):
			i++ // its value
		}
	}
	return strings.Join(out, " "), renamed
}

// restrictions are the values of --load-restrictor, with the names that Kustomize 3 had for them.
var restrictions = map[string]string{
	"none": "LoadRestrictionsNone", "rootOnly": "LoadRestrictionsRootOnly",
	"LoadRestrictionsNone": "LoadRestrictionsNone", "LoadRestrictionsRootOnly": "LoadRestrictionsRootOnly",
}

// restrictorOption is the option that takes them, where its value is a word of its own.
var restrictorOption = pattern.MustCompile(`^--load[-_]restrictor$`)
