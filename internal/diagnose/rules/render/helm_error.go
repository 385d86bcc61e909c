package render

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/text"
)

// templateFaults are how a template fails at a place that the message names, the telling ones first. The words are those of Helm
// (pkg/engine, pkg/releaseutil) and of Go's text/template.
var templateFaults = []fault{
	{pattern.MustCompile(`YAML parse error on \S+: .*cannot unmarshal (\w+) into Go struct field \S*?metadata\.(\w+)(?:\.\S+)? of type string`), notAString},
	{pattern.MustCompile(`YAML parse error on \S+: .*cannot unmarshal (\w+) into Go value of type`), noObject},
	{pattern.MustCompile(`YAML parse error on \S+: .*` + unfilled), unfilledBraces},
	{pattern.MustCompile(`YAML parse error on (\S+): (.*)`), invalidOutput},
	{pattern.MustCompile(`(?:error calling (?:required|fail): |execution error at \([^)]*\): ?)(.*)`), refuses},
	{pattern.MustCompile(`at <[^>]*\blookup [^>]*>: nil pointer evaluating [^ ]*(?: \{\})?\.(\w+)`), emptyLookup},
	{undefinedVariable, noVariable},
	{pattern.MustCompile(`(?:parse error at \([^)]*\): |rror: template: \S+\.(?:ya?ml|tpl|txt):\d+: )(.*)`), malformedTemplate},
	{pattern.MustCompile(`at <(\w+)>: (?:wrong type for value; expected (\w+); got (\S+)|invalid value; expected (\w+))`), wrongInput},
	{readFrom, noContext},
}

// unfilled are braces that nobody has filled in: YAML reads them as a map, which can be no key.
const unfilled = `invalid map key: map\[interface ?\{\}\]interface ?\{\}\{"([^"]+)":`

// braces is the name in braces that nobody has filled in.
var braces = pattern.MustCompile(unfilled)

// atTemplate is the finding about an error that names its place in a template.
func atTemplate(r rendered) (diagnose.Finding, bool) {
	f := &r.s.Failure
	at, value, read := templatePlace(f.Text), valuePath(f.Text), readOf(f.Text)
	if at == "" || undefined.MatchString(f.Text) {
		return diagnose.Finding{}, false
	}
	if out, ok := firstOf(templateFaults, r, f.Flat()); ok {
		return out, true
	}
	var out diagnose.Finding
	switch {
	case read.path != "" && f.Has("nil pointer", "can't evaluate", "map has no entry"):
		out = cannotRead(r, at, read)
	case value != "":
		out = cannotUse(r, at, value)
	default:
		out = anyTemplate(r, at)
	}
	out.Confidence, out.Why = diagnose.Certain, inSource(r.s)+out.Why
	if out.Says.Text == "" && !out.Whole {
		out.Says = reasonAt(r, value != "" || read.path != "")
	}
	return out, true
}

// reasonAt is what Helm says at the innermost place; without the expression, where the title has it.
func reasonAt(r rendered, named bool) diagnose.Said {
	out := said(r.s)
	if m := executing.FindStringIndex(out.Text); m != nil {
		out.Text = out.Text[m[1]:]
	}
	if _, reason, ok := strings.Cut(out.Text, ">: "); ok && named {
		out.Text = reason
	}
	return out
}

// base is a template and its line without the directories.
func base(at string) string { return at[strings.LastIndexByte(at, '/')+1:] }

// orTemplate continues a step about values for a template that can be edited.
func orTemplate(r rendered, at, step string) string {
	if ownTemplate(r, at) {
		return ", or " + step
	}
	return ""
}

func withOtherVersion(r rendered, at string, out diagnose.Finding) diagnose.Finding {
	if ownTemplate(r, at) {
		return out
	}
	step := otherVersion(r, at)
	if len(out.Fix) > 0 {
		step.Text = "Or " + text.LowerFirst(step.Text)
	}
	out.Fix = append(out.Fix, step)
	return out
}

func notAString(r rendered, m []string) diagnose.Finding {
	at := templatePlace(r.s.Failure.Text)
	out := diagnose.Finding{
		Title: fmt.Sprintf("Template %s sets metadata.%s to %s", base(at), m[2], article(m[1])),
		Short: fmt.Sprintf("A Helm template sets metadata.%s to %s", m[2], article(m[1])),
		Whole: true,
		Why:   fmt.Sprintf("%s renders to valid YAML, but Kubernetes takes only strings there.", at),
		Fix:   advice.Steps(fmt.Sprintf("Quote the value for metadata.%s in %s (8080 becomes \"8080\", true becomes \"true\")%s", m[2], valuesOf(r), orTemplate(r, at, "pipe it through quote in the template"))),
	}
	if m[1] == "object" || m[1] == "array" {
		out.Fix = advice.Steps(fmt.Sprintf("Set a plain string for metadata.%s in %s%s", m[2], valuesOf(r), orTemplate(r, at, "correct the indentation in the template")))
	}
	return withOtherVersion(r, at, out)
}

// article is a type of JSON with its article.
func article(kind string) string {
	if strings.ContainsAny(kind[:1], "aeio") {
		return "an " + kind
	}
	return "a " + kind
}

func noObject(r rendered, m []string) diagnose.Finding {
	at := templatePlace(r.s.Failure.Text)
	return withOtherVersion(r, at, diagnose.Finding{
		Title: fmt.Sprintf("Template %s does not render to a Kubernetes object", base(at)),
		Short: "A Helm template does not render to an object",
		Whole: true,
		Why:   fmt.Sprintf("A document that %s prints is %s, where Helm expects a map with apiVersion and kind.", at, article(m[1])),
		Fix:   advice.Steps("Correct the values that this template inserts, in " + valuesOf(r) + orTemplate(r, at, "the template: text outside an object must be a comment")),
	})
}

func unfilledBraces(r rendered, m []string) diagnose.Finding {
	at := templatePlace(r.s.Failure.Text)
	out := diagnose.Finding{
		Title: fmt.Sprintf("Template %s prints {{%s}}, which nobody filled in", base(at), m[1]),
		Short: "A Helm template prints braces that nobody filled in",
		Whole: true,
		Why:   fmt.Sprintf("%s inserts a value with these braces, and YAML takes them for a map.", at),
		Fix:   advice.Steps(fmt.Sprintf("Find {{%s}} in %s, and write the value itself", m[1], valuesOf(r))),
	}
	if !passedBraces(r, m[1]) {
		return out
	}
	field := "The Application"
	if strings.Contains(r.in.App().Spec.Destination.Namespace, m[1]) {
		field = "The Application's spec.destination.namespace"
	}
	out.Why = fmt.Sprintf("%s has {{%s}}, and Argo CD passed it to Helm. Only an ApplicationSet fills in such parameters.", field, m[1])
	out.Fix = advice.Steps(fmt.Sprintf("Write the value itself in place of {{%s}}, in %s", m[1], advice.Manifest(r.in)))
	if advice.Generator(r.in) != "" {
		out.Why = fmt.Sprintf("%s has {{%s}}, and Argo CD passed it to Helm. The ApplicationSet leaves a parameter as it is where none of its generators has one of this name.", field, m[1])
		out.Fix = advice.Steps(fmt.Sprintf("Correct the name of the parameter in %s, or give each element of the generator a value for it", advice.Manifest(r.in)))
		if key, ok := strings.CutPrefix(m[1], "."); ok {
			out.Why = fmt.Sprintf("%s has {{.%s}}, and Argo CD passed it to Helm. That is a Go template, which an ApplicationSet fills in only with spec.goTemplate: true.", field, key)
			out.Fix = advice.Steps(fmt.Sprintf("Set spec.goTemplate: true in ApplicationSet %s, or write {{%s}} without the dot in its template", advice.Generator(r.in), key))
		}
	}
	return out
}

// passedBraces reports whether Argo CD itself gave the braces to Helm: then the chart renders without them anywhere else.
func passedBraces(r rendered, name string) bool {
	c := r.s.Failure.Command
	return c != nil && strings.Contains(c.Line, "{{"+name+"}}")
}

func invalidOutput(r rendered, m []string) diagnose.Finding {
	at := m[1]
	out := diagnose.Finding{
		Title: "Template " + base(at) + " renders to invalid YAML",
		Short: "A Helm template renders to invalid YAML",
		Why:   "The template is " + at + ".",
		Says:  diagnose.Said{Who: "Helm says", Text: message.LastClause(parsing.ReplaceAllString(message.LastClause(cutAdvice(m[2])), ""))},
		Fix:   advice.Steps("Correct the values that this template inserts (quoting, indentation), in " + valuesOf(r) + orTemplate(r, at, "the template")),
	}
	if line := atLine.FindStringSubmatch(m[2]); line != nil {
		out.Title += " (line " + line[1] + ")"
		out.Why = fmt.Sprintf("The line counts in the output of %s, not in the template.", at)
	}
	return withOtherVersion(r, at, out)
}

// cutAdvice is what Helm says without what it recommends behind it.
func cutAdvice(said string) string {
	said, _, _ = strings.Cut(said, "Use --debug flag")
	return strings.TrimSpace(said)
}

func emptyLookup(r rendered, m []string) diagnose.Finding {
	at := templatePlace(r.s.Failure.Text)
	out := diagnose.Finding{
		Title: "Helm's lookup finds nothing in Argo CD (" + base(at) + ")",
		Short: "Helm's lookup finds nothing in Argo CD",
		Whole: true,
		Why:   fmt.Sprintf("Template %s reads %s from what lookup returns. Argo CD renders with helm template, which does not ask the cluster, so lookup is always empty.", at, m[1]),
		Fix:   advice.Steps("In the template, render only if lookup found something, and take the value from the values or an existing Secret otherwise"),
	}
	if !ownTemplate(r, at) {
		out.Fix = advice.Steps("Set the value itself, or the name of an existing Secret, in " + valuesOf(r) + ", so that the chart does not look it up")
	}
	return withOtherVersion(r, at, out)
}

func malformedTemplate(r rendered, m []string) diagnose.Finding {
	at := templatePlace(r.s.Failure.Text)
	out := diagnose.Finding{
		Title: "Template " + base(at) + " is not a valid Helm template",
		Short: "A Helm template is not valid",
		Brief: "Helm template is not valid",
		Why:   "Helm cannot read " + at + ", whatever the values are.",
		Says:  diagnose.Said{Who: "Helm says", Text: message.LastClause(cutAdvice(m[1]))},
		Fix:   advice.Steps("Correct the template at this line (braces, quotes, if and end), and push", "If the braces are meant for another program, escape them for Helm: {{ `{{ … }}` }}"),
	}
	if !ownTemplate(r, at) {
		out.Fix = nil
		out = withOtherVersion(r, at, out)
		out.Fix[0].Text += ", or an Argo CD whose Helm reads it"
	}
	return out
}

// wrongInput is about what a template pipes into a function.
func wrongInput(r rendered, m []string) diagnose.Finding {
	at := templatePlace(r.s.Failure.Text)
	out := diagnose.Finding{
		Title: "Helm fails at " + base(at) + ": " + m[1] + " gets no " + cmp.Or(m[2], m[4]),
		Short: "A Helm template gets a value of the wrong type",
		Whole: true,
		Why:   fmt.Sprintf("What %s pipes into %s is not set.", at, m[1]),
		Fix:   advice.Steps(fmt.Sprintf("Set the value that this line reads, in %s%s", valuesOf(r), orTemplate(r, at, "give it a default in the template"))),
	}
	if m[3] != "" {
		out.Why = fmt.Sprintf("What %s pipes into %s is of type %s.", at, m[1], goType(m[3]))
		out.Fix = advice.Steps(fmt.Sprintf("Write the value that this line reads as %s, in %s%s", article(m[2]), valuesOf(r), orTemplate(r, at, "convert it in the template (toString)")))
	}
	return withOtherVersion(r, at, out)
}

// goType is a type of Go as people who write YAML call it.
func goType(name string) string {
	switch {
	case strings.HasPrefix(name, "float"), strings.HasPrefix(name, "int"), name == "json.Number":
		return "number"
	case strings.HasPrefix(name, "map"):
		return "map"
	case strings.HasPrefix(name, "[]"):
		return "list"
	}
	return name
}

// noContext is about what Helm gives to every template, and what a template does not pass on to the one that it includes.
func noContext(r rendered, m []string) diagnose.Finding {
	at := templatePlace(r.s.Failure.Text)
	out := diagnose.Finding{
		Title: "Helm cannot read " + m[1],
		Why:   fmt.Sprintf("Template %s uses it, and was called with a context that does not contain it: within range and with, or by an include that does not pass the root context.", at),
		Says:  diagnose.Said{Who: "Helm says", Text: "nil pointer evaluating interface {}" + m[1][strings.LastIndexByte(m[1], '.'):]},
		Fix:   advice.Steps("Write $" + m[1] + " in the template; where this template is included, pass the root context (include \"NAME\" $)"),
	}
	if !ownTemplate(r, at) {
		out.Why = fmt.Sprintf("Template %s uses it, and was called with a context that does not contain it. That is an error of the chart, not of the values.", at)
		out.Fix = nil
		out = withOtherVersion(r, at, out)
	}
	return out
}
