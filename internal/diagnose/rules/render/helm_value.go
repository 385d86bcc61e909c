package render

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
)

// Go's templates name the expression that failed, and cut it after 20 characters; the field at which it failed is whole:
// https://pkg.go.dev/text/template/parse#Tree.ErrorContext.
var (
	nilField   = regexp.MustCompile(`nil pointer evaluating [^ ]*(?: \{\})?\.([A-Za-z_]\w*)`)
	wrongField = regexp.MustCompile(`can't evaluate field (\w+) in type (\S+)`)
	plainPath  = regexp.MustCompile(`^\$?\.[A-Za-z_][\w.]*(?:\.\.\.)?$`)
	expression = regexp.MustCompile(`at <([^>]*)>: `)
	usedValue  = regexp.MustCompile(`\.Values(?:\.\w+)+`)
)

// templateObjects are what Helm gives to a template: https://helm.sh/docs/chart_template_guide/builtin_objects/.
var templateObjects = []string{"Values", "Release", "Chart", "Capabilities", "Template", "Files", "Subcharts"}

// read is a path that a template reads, and its part that has no value, or one of another type.
type read struct{ path, parent string }

// readOf is what the innermost template reads; empty where it calls something instead.
func readOf(said string) read {
	all := expression.FindAllStringSubmatch(said, -1)
	if len(all) == 0 {
		return read{}
	}
	path := all[len(all)-1][1]
	if !plainPath.MatchString(path) {
		return read{}
	}
	path = strings.TrimPrefix(path, "$")
	m := nilField.FindStringSubmatch(said)
	if m == nil {
		m = wrongField.FindStringSubmatch(said)
	}
	cut, shortened := strings.CutSuffix(path, "...")
	if m == nil {
		if shortened {
			return read{}
		}
		return read{path: path}
	}
	elements := strings.Split(strings.Trim(cut, "."), ".")
	at := slices.Index(elements, m[1])
	if last := len(elements) - 1; at < 0 && shortened && strings.HasPrefix(m[1], elements[last]) {
		elements[last], at = m[1], last
	}
	switch {
	case at < 0 && shortened: // the field is behind what was cut off
		elements = elements[:len(elements)-1]
		return read{path: "." + strings.Join(elements, ".") + "…" + m[1]}
	case at < 0:
		return read{path: path}
	}
	out := read{path: "." + strings.Join(elements, ".")}
	if at > 0 {
		out.parent = "." + strings.Join(elements[:at], ".")
	}
	return out
}

// foreign reports whether a path begins with nothing that Helm knows: often a template for another program.
func (r read) foreign() bool {
	first, _, _ := strings.Cut(strings.TrimPrefix(r.path, "."), ".")
	return first != "" && r.parent == "."+first && !slices.Contains(templateObjects, first)
}

// cannotRead is the finding about a path that a template reads and that has no value, or one of another type.
func cannotRead(r rendered, at string, v read) diagnose.Finding {
	f := &r.s.Failure
	out := diagnose.Finding{
		Title: "Helm cannot read " + v.path,
		Short: "Helm cannot read a value",
		Why:   fmt.Sprintf("Template %s uses it%s.", at, sourceOf(r.s)),
		Fix:   []diagnose.Fix{{Text: fmt.Sprintf("Set %s in the values of this application, or give it a default in the template", v.path)}},
	}
	wrongType := f.Has("can't evaluate") && !f.Has("nil pointer")
	switch {
	case v.foreign():
		first, _, _ := strings.Cut(v.path[1:], ".")
		out.Why += fmt.Sprintf(" Helm has no .%s there: its own objects are .Values, .Release, .Chart and .Files, and inside range and with a dot is the current element.", first)
		out.Fix = []diagnose.Fix{
			{Text: "If the braces are meant for another program (a notification, an alert, a dashboard), escape them for Helm", Patch: fmt.Sprintf("{{ `{{ %s }}` }}\n", v.path)},
			{Text: "If Helm is meant to fill it in, correct the path: values are below .Values, and inside range and with below $.Values"},
		}
	case v.parent == "":
	case wrongType:
		out.Why += fmt.Sprintf(" %s is a plain value or a list, and the template expects a map.", v.parent)
		out.Fix = []diagnose.Fix{{Text: fmt.Sprintf("Make %s a map with the field %s in the values of this application; check the indentation", v.parent, strings.TrimPrefix(v.path, v.parent+"."))}}
	default:
		out.Why += fmt.Sprintf(" %s is not set, or set to null.", v.parent)
		if why, fix, ok := emptied(r.src, v); ok {
			out.Why = fmt.Sprintf("Template %s uses it%s. %s", at, sourceOf(r.s), why)
			out.Fix = []diagnose.Fix{{Text: fix}}
		}
	}
	return out
}

// emptied says that the Application's own values set the parent of a value to null, which is what a key without anything below it does.
func emptied(src evidence.ApplicationSource, v read) (why, fix string, ok bool) {
	if src.Helm == nil || !strings.HasPrefix(v.parent, ".Values.") {
		return "", "", false
	}
	where, values := "helm.values", map[string]any{}
	switch {
	case len(src.Helm.ValuesObject) > 0:
		where = "helm.valuesObject"
		if yaml.Unmarshal(src.Helm.ValuesObject, &values) != nil {
			return "", "", false
		}
	case yaml.Unmarshal([]byte(src.Helm.Values), &values) != nil:
		return "", "", false
	}
	path := strings.Split(strings.TrimPrefix(v.parent, ".Values."), ".")
	beside := values
	for _, key := range path[:len(path)-1] {
		beside, ok = beside[key].(map[string]any)
		if !ok {
			return "", "", false
		}
	}
	name := path[len(path)-1]
	if value, set := beside[name]; !set || value != nil {
		return "", "", false
	}
	why = fmt.Sprintf("The Application sets %s to null: in %s, nothing is indented below %s.", v.parent, where, name)
	fix = fmt.Sprintf("In spec.source.%s, remove %s, or put its values below it", where, name)
	child, _, _ := strings.Cut(strings.TrimPrefix(v.path, v.parent+"."), ".")
	if _, sibling := beside[child]; sibling {
		why += fmt.Sprintf(" %s stands beside it.", child)
		fix = fmt.Sprintf("In spec.source.%s, indent %s below %s", where, child, name)
	}
	return why, fix, true
}

// wherefrom names the template that includes the one that fails, and the values it hands over; empty where it is not included.
func wherefrom(said string) string {
	m := including.FindStringSubmatch(said)
	if m == nil {
		return ""
	}
	out := " " + m[1] + " includes it"
	if passed := slices.Compact(usedValue.FindAllString(m[2], -1)); len(passed) > 0 {
		out += " with " + strings.Join(passed, " and ")
	}
	return out + "."
}

// including is the outermost template and the expression in it that calls another.
var including = regexp.MustCompile(`template: (\S+?:\d+)(?::\d+)?: executing "[^"]*" at <((?:include|template|tpl) .*?)>: error calling`)

// undefinedVariable is a variable that a template uses before, or without, defining it.
var undefinedVariable = regexp.MustCompile(`undefined variable:? "?(\$\w+)`)

// comparedField is the field of a comparison that fails because it is not set, or has another type.
var comparedField = regexp.MustCompile(`at <(?:eq|ne|lt|le|gt|ge) [^>]*?\.(\w+)[ )][^>]*>: error calling \w+: incompatible types for comparison`)

// anyTemplate is the finding about a place in a template of which no more is known.
func anyTemplate(r rendered, at, base string) diagnose.Finding {
	said := r.s.Failure.Text
	from := wherefrom(said)
	if m := undefinedVariable.FindStringSubmatch(said); m != nil {
		return diagnose.Finding{
			Title: "Helm template uses an undefined variable: " + m[1],
			Short: "Helm template uses an undefined variable",
			Why:   strings.TrimSpace(inSource(r.s) + "The template is " + at + "."),
			Fix: []diagnose.Fix{
				{Text: "If the braces are meant for another program (alerts use $labels and $value, dashboards other names), escape them for Helm", Patch: fmt.Sprintf("{{ `{{ %s }}` }}\n", m[1])},
				{Text: "If it is Helm's, define the variable before it is used, in the same block or outside it"},
			},
		}
	}
	out := diagnose.Finding{
		Title: "Helm fails at " + base,
		Brief: "Helm fails",
		Why:   strings.TrimSpace(inSource(r.s) + "The template is " + at + "." + from),
		Fix:   []diagnose.Fix{{Text: "Correct the values that this template uses, or the template itself"}},
	}
	passed := usedValue.FindAllString(from, -1)
	if m := comparedField.FindStringSubmatch(said); m != nil {
		out.Why += fmt.Sprintf(" The field %s, which it compares, is not set or has another type.", m[1])
		out.Fix[0].Text = fmt.Sprintf("Set %s in the values of this application, to a value of the type that the template compares it with", m[1])
		if len(passed) > 0 {
			out.Fix[0].Text = fmt.Sprintf("Set %s, in the values of this application, to the type that the template compares it with", passed[0]+"."+m[1])
		}
	} else if len(passed) > 0 {
		out.Fix[0].Text = "Correct " + strings.Join(slices.Compact(passed), " and ") + " in the values of this application, or the template"
	}
	if r.src.Chart != "" {
		out.Fix = append(out.Fix, diagnose.Fix{Text: "Or use a version of the chart that renders with these values"})
	}
	return out
}
