package render

import (
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
)

// Go's templates name the expression that failed, and cut it after 20 characters; the field at which it failed is whole:
// https://pkg.go.dev/text/template/parse#Tree.ErrorContext.
var (
	nilField   = pattern.MustCompile(`nil pointer evaluating [^ ]*(?: \{\})?\.([A-Za-z_]\w*)`)
	wrongField = pattern.MustCompile(`can't evaluate field (\w+) in type (\S+)`)
	plainPath  = pattern.MustCompile(`^(?:\$\w*)?\.[A-Za-z_][\w.]*(?:\.\.\.)?$`)
	expression = pattern.MustCompile(`at <(.*?)>: `)
	usedValue  = pattern.MustCompile(`\.Values(?:\.\w+)+`)
)

// templateObjects are what Helm gives to a template: https://helm.sh/docs/chart_template_guide/builtin_objects/.
var templateObjects = []string{"Values", "Release", "Chart", "Capabilities", "Template", "Files", "Subcharts"}

// read is a path that a template reads, and its part that has no value, or one of another type. Paths of a variable, $app.image, begin
// with its name.
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
	if strings.HasPrefix(path, "$.") { // the root
		path = path[1:]
	}
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
	variable, fields, _ := strings.Cut(strings.TrimRight(cut, "."), ".")
	elements := strings.Split(fields, ".")
	at := slices.Index(elements, m[1])
	if last := len(elements) - 1; at < 0 && shortened && strings.HasPrefix(m[1], elements[last]) {
		elements[last], at = m[1], last
	}
	switch {
	case at < 0 && shortened: // the field is behind what was cut off
		elements = elements[:len(elements)-1]
		return read{path: variable + "." + strings.Join(elements, ".") + "…" + m[1]}
	case at < 0:
		return read{path: path}
	}
	out := read{path: variable + "." + strings.Join(elements, "."), parent: variable}
	if at > 0 {
		out.parent = variable + "." + strings.Join(elements[:at], ".")
	}
	return out
}

// value reports whether a path is one of the values.
func (r read) value() bool { return strings.HasPrefix(r.path, ".Values.") }

// variable is the variable of the template that a path begins with; empty where it begins with none.
func (r read) variable() string {
	name, _, _ := strings.Cut(r.path, ".")
	return name
}

// foreign reports whether a path begins with nothing that Helm knows: often a template for another program.
func (r read) foreign() bool {
	first, _, _ := strings.Cut(strings.TrimPrefix(r.path, "."), ".")
	return first != "" && r.parent == "."+first && r.variable() == "" && !slices.Contains(templateObjects, first)
}

// cannotRead is the finding about a path that a template reads and that has no value, or one of another type.
func cannotRead(r rendered, at string, v read) diagnose.Finding {
	f := &r.s.Failure
	out := diagnose.Finding{
		Title: "Helm cannot read " + v.path,
		Short: "Helm cannot read a value",
		Why:   fmt.Sprintf("Template %s uses it.", at),
	}
	wrongType := f.Has("can't evaluate") && !f.Has("nil pointer")
	switch {
	case v.foreign() && ownTemplate(r, at) && !strings.Contains(at, ".tpl"):
		return foreignBraces(out, v)
	case !v.value():
		return fromElement(r, at, out, v, wrongType)
	case strings.Contains(v.path, "…"): // what is between is not known
		out.Fix = advice.Steps(fmt.Sprintf("Set %s in %s%s", v.path, valuesOf(r), orTemplate(r, at, "give it a default in the template")))
	case wrongType && v.parent != "":
		key := valueKey(f.Text, v.parent)
		out.Why += fmt.Sprintf(" %s is a plain value or a list, and the template expects a map.", v.parent)
		out.Fix = advice.Steps(fmt.Sprintf("Make %s a map with the field %s in %s; check the indentation", key, strings.TrimPrefix(v.path, v.parent+"."), valuesOf(r)))
	default:
		if v.parent != "" {
			out.Why += fmt.Sprintf(" %s is not set, or set to null.", v.parent)
		}
		out.Fix = []diagnose.Fix{setValue(r, v.path)}
		out.Fix[0].Text += orTemplate(r, at, "give it a default in the template")
		if why, fix, ok := emptied(r, v); ok {
			out.Why, out.Fix = fmt.Sprintf("Template %s uses it. %s", at, why), []diagnose.Fix{{Text: fix}}
		}
		out.Why += valuesTooLarge(r)
	}
	if !strings.HasPrefix(v.path, ".Values.global.") {
		out.Why += forDependency(f.Text)
	}
	return withOtherVersion(r, at, out)
}

// forDependency says where the values of a dependency are whose template fails; empty where it is none.
func forDependency(said string) string {
	charts := dependencyOf(firstTemplate(said))
	if len(charts) == 0 {
		return ""
	}
	return fmt.Sprintf(" It is rendered for the dependency %s, whose values are below %s.", charts[len(charts)-1], strings.Join(charts, "."))
}

// firstTemplate is the outermost template that a message names.
func firstTemplate(said string) string {
	if m := place.FindStringSubmatch(said); m != nil {
		return m[1]
	}
	return ""
}

// foreignBraces is about a path that begins with nothing that Helm gives to templates.
func foreignBraces(out diagnose.Finding, v read) diagnose.Finding {
	first, _, _ := strings.Cut(v.path[1:], ".")
	out.Why += fmt.Sprintf(" Helm has no .%s there: its own objects are .Values, .Release, .Chart and .Files, and inside range and with a dot is the current element.", first)
	out.Fix = []diagnose.Fix{
		{Text: "If the braces are meant for another program (a notification, an alert, an ApplicationSet), escape them for Helm", Patch: fmt.Sprintf("{{ `{{ %s }}` }}\n", v.path)},
		{Text: "If Helm is meant to fill it in, correct the path: values are below .Values, and inside range and with below $.Values"},
	}
	return out
}

// fromElement is about a path of a variable, or of the current element of range and with: which value that is, only the template says.
func fromElement(r rendered, at string, out diagnose.Finding, v read, wrongType bool) diagnose.Finding {
	what, found := "the current element of range or with", "the current element is"
	switch name := v.variable(); {
	case name != "":
		what, found = "the variable "+name, name+" stands for"
	case strings.Contains(at, ".tpl"): // a template that others include, with what they pass
		what, found = "what the template that includes it passes", "is passed"
	}
	parent := strings.TrimPrefix(strings.TrimPrefix(v.parent, v.variable()), ".")
	state := "is not set, or null"
	if wrongType {
		state = "is a plain value or a list, not a map"
	}
	out.Why = fmt.Sprintf("Template %s reads it from %s, where %s %s.", at, what, parent, state)
	if parent == "" {
		out.Why = fmt.Sprintf("Template %s reads it from %s, which %s.", at, what, state)
	}
	out.Why += wherefrom(r.s.Failure.Text, at)
	path := strings.TrimPrefix(strings.TrimPrefix(v.path, v.variable()), ".")
	step := fmt.Sprintf("Look up in the template what %s, and set %s there, in %s", found, path, valuesOf(r))
	if wrongType {
		step = fmt.Sprintf("Look up in the template what %s, and make it a map with %s, in %s", found, path, valuesOf(r))
	}
	out.Fix = advice.Steps(step + orTemplate(r, at, "correct the template"))
	return withOtherVersion(r, at, out)
}

// emptied says that the Application's own values set the parent of a value to null, which is what a key without anything below it does.
func emptied(r rendered, v read) (why, fix string, ok bool) {
	if !strings.HasPrefix(v.parent, ".Values.") {
		return "", "", false
	}
	values, where, err := ownValues(r)
	if err != nil {
		return "", "", false
	}
	key := valueKey(r.s.Failure.Text, v.parent)
	path := strings.Split(key, ".")
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
	why = fmt.Sprintf("The Application sets %s to null: in %s, nothing is indented below %s.", key, where, name)
	fix = fmt.Sprintf("In %s, remove %s, or put its values below it", r.edited(where), name)
	child, _, _ := strings.Cut(strings.TrimPrefix(v.path, v.parent+"."), ".")
	if _, sibling := beside[child]; sibling {
		why += fmt.Sprintf(" %s stands beside it.", child)
		fix = fmt.Sprintf("In %s, indent %s below %s", r.edited(where), child, name)
	}
	return why, fix, true
}
