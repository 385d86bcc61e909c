package render

import (
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
)

// How a template uses a value that it cannot use.
var (
	cannotRange = pattern.MustCompile(`range can't iterate over (.*)`)
	wrongValue  = pattern.MustCompile(`wrong type for value; expected (\w+); got (\S+)`)
)

// cannotUse is the finding about a value that is set, or not, to something which the template cannot use.
func cannotUse(r rendered, at, value string) diagnose.Finding {
	f := &r.s.Failure
	key := valueKey(f.Text, value)
	out := diagnose.Finding{
		Title: "Helm cannot use " + value,
		Why:   fmt.Sprintf("Template %s uses it.", at),
		Fix:   advice.Steps(fmt.Sprintf("Correct %s in %s%s", key, valuesOf(r), orTemplate(r, at, "the template"))),
	}
	flat := f.Flat()
	switch m, ranged := wrongValue.FindStringSubmatch(flat), cannotRange.FindStringSubmatch(flat); {
	case m != nil:
		out.Why = fmt.Sprintf("Template %s expects a %s, and it is a %s.", at, goType(m[1]), goType(m[2]))
		out.Fix = advice.Steps(fmt.Sprintf("Write %s as a %s in %s%s", key, goType(m[1]), valuesOf(r), orTemplate(r, at, "convert it in the template")))
		if goType(m[1]) == "number" {
			out.Fix[0].Text = fmt.Sprintf("Write %s as a number, without quotes, in %s%s", key, valuesOf(r), orTemplate(r, at, "convert it in the template"))
		}
		if m[1] == "string" {
			out.Fix[0].Text = fmt.Sprintf("Quote %s in %s%s", key, valuesOf(r), orTemplate(r, at, "convert it with toString in the template"))
		}
		out.Whole = true
	case ranged != nil:
		out.Why = fmt.Sprintf("Template %s expects a list or a map, and it is a plain value.", at)
		out.Fix = advice.Steps(fmt.Sprintf("Write %s as a list or a map in %s", key, valuesOf(r)))
	case strings.Contains(flat, "incompatible types for comparison"):
		out.Why = fmt.Sprintf("Template %s compares it; it is not set, or has another type.", at)
		out.Fix = advice.Steps(fmt.Sprintf("Set %s in %s, to a value of the type that the template compares it with", key, valuesOf(r)))
	case strings.Contains(flat, "of untyped nil"), strings.Contains(flat, "of nil pointer"):
		out.Title, out.Whole = "Helm value "+value+" is not set", true
		out.Why = fmt.Sprintf("Template %s reads an element of it.", at)
		out.Fix = advice.Steps(fmt.Sprintf("Set %s in %s%s", key, valuesOf(r), orTemplate(r, at, "check in the template whether it is set")))
	case strings.Contains(flat, "index out of range"):
		out.Title, out.Whole = "Helm value "+value+" has too few elements", true
		out.Why = fmt.Sprintf("Template %s reads an element that it does not have.", at)
		out.Fix = advice.Steps(fmt.Sprintf("Add the element to %s in %s%s", key, valuesOf(r), orTemplate(r, at, "check the length in the template")))
	}
	return withOtherVersion(r, at, out)
}

// wherefrom names the template that includes the one that fails, and the values it hands over; empty where it is not included.
func wherefrom(said, at string) string {
	m := including.FindStringSubmatch(said)
	if m == nil || m[1] == at {
		return ""
	}
	out := " " + m[1] + " includes it"
	if passed := slices.Compact(usedValue.FindAllString(m[2], -1)); len(passed) > 0 {
		out += " with " + strings.Join(passed, " and ")
	}
	return out + "."
}

// including is the outermost template and the expression in it that calls another.
var including = pattern.MustCompile(`template: (\S+?:\d+)(?::\d+)?: executing "[^"]*" at <((?:include|template|tpl) .*?)>: error calling`)

// undefinedVariable is a variable that a template uses before, or without, defining it.
var undefinedVariable = pattern.MustCompile(`undefined variable:? "?(\$\w+)`)

func noVariable(r rendered, m []string) diagnose.Finding {
	at := templatePlace(r.s.Failure.Text)
	return withOtherVersion(r, at, diagnose.Finding{
		Title: "Helm template uses an undefined variable: " + m[1],
		Short: "Helm template uses an undefined variable",
		Whole: true,
		Why:   "The template is " + at + ".",
		Fix: []diagnose.Fix{
			{Text: "If the braces are meant for another program (alerts use $labels and $value, dashboards other names), escape them for Helm", Patch: fmt.Sprintf("{{ `{{ %s }}` }}\n", m[1])},
			{Text: "If it is Helm's, define the variable before it is used, in the same block or outside it"},
		},
	})
}

// comparedField is the field of a comparison that fails because it is not set, or has another type.
var comparedField = pattern.MustCompile(`at <(?:eq|ne|lt|le|gt|ge) [^>]*?\.(\w+)[ )][^>]*>: error calling \w+: incompatible types for comparison`)

// noValue is an expression that reads what Helm itself gives to templates.
var noValue = pattern.MustCompile(`^[^$]*\.(?:Capabilities|Release|Chart|Files)\b[^$]*$`)

// anyTemplate is the finding where only the place in the template is known.
func anyTemplate(r rendered, at string) diagnose.Finding {
	said := r.s.Failure.Text
	from := wherefrom(said, at)
	out := diagnose.Finding{
		Title: "Helm fails at " + base(at),
		Brief: "Helm fails",
		Why:   "The template is " + at + "." + from,
		Fix:   advice.Steps("Correct the value that this line uses, in " + valuesOf(r) + orTemplate(r, at, "the template")),
	}
	if all := expression.FindAllStringSubmatch(said, -1); len(all) > 0 && noValue.MatchString(all[len(all)-1][1]) {
		out.Fix = advice.Steps("Correct the template")
		if !ownTemplate(r, at) {
			out.Fix = nil
		}
	}
	passed := slices.Compact(usedValue.FindAllString(from, -1))
	for i := range passed {
		passed[i] = valueKey(said, passed[i])
	}
	if m := comparedField.FindStringSubmatch(said); m != nil {
		out.Why += fmt.Sprintf(" The field %s, which it compares, is not set or has another type.", m[1])
		out.Fix = advice.Steps(fmt.Sprintf("Set %s in %s, to a value of the type that the template compares it with", m[1], valuesOf(r)))
		if len(passed) > 0 {
			out.Fix[0].Text = fmt.Sprintf("Set %s in %s, to a value of the type that the template compares it with", passed[0]+"."+m[1], valuesOf(r))
		}
	} else if len(passed) > 0 && len(out.Fix) > 0 {
		out.Fix[0].Text = "Correct " + strings.Join(passed, " and ") + " in " + valuesOf(r) + orTemplate(r, at, "the template")
	}
	return withOtherVersion(r, at, out)
}
