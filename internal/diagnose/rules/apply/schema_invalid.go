package apply

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

var SchemaInvalid = &diagnose.Rule{
	ID: "apply/schema-invalid",
	Doc: diagnose.Doc{
		Title:    "Manifest is not valid",
		What:     "The API server knows the kind but rejects the manifest: an unknown field, a wrong type, a missing required value, a name with characters that are not allowed.",
		Decisive: "\"… is invalid: FIELD: …\", \"unknown field\", \"cannot be handled as a …\".",
		Example:  "Ingress.networking.k8s.io \"web\" is invalid: spec.rules[0].http.paths[0].pathType: Required value: pathType must be specified",
		Fix:      "Correct the field in the manifest and push.",
	},
	Sync:  advice.Pointless("the API server will reject the same manifest again"),
	Needs: append([]evidence.Kind{evidence.KindManaged}, statement.RefusalNeeds...),
	Check: refused(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		if !isInvalid(f) || statement.Quota(s) || s.Hook() && statement.Immutable(f) { // an old hook object is in the way: see hook/already-exists
			return diagnose.Finding{}, false
		}
		ref := statement.Subject(s)
		for _, known := range special {
			if out, ok := known(in, ref, s); ok {
				out.Resource, out.Confidence = ref, cmp.Or(out.Confidence, diagnose.Certain)
				return out, true
			}
		}
		fields := wrongFields(f)
		out, field := invalid(s, fields)
		if len(fields) == 1 && fields[0].wrong == notValid && !s.Derived() && ref.Kind != "" { // the title says nothing but where
			out.Brief = brief(in, out.Says.Text, of(statement.Name(s), fields[0].last()), of(ref.Kind, fields[0].last()))
		}
		blameEmptyValues(in, fields, &out)
		out.Resource = ref
		if s.Refusal {
			out.Sync = advice.Blocked("it cannot store the operation in an Application that is not valid")
			out.Fix = append([]diagnose.Fix{{Text: "Correct the Application object in the cluster", Command: diagnose.Shell("kubectl -n %s edit application %s", cmp.Or(in.App().Metadata.Namespace, advice.ArgoNamespace(in)), cmp.Or(in.App().Metadata.Name, "APP"))}}, explain(ref.Kind, field, "")...)
			return out, true
		}
		kind := ref.Kind
		if s.Derived() { // its pods were refused, and the field is one of theirs
			kind = "Pod"
		}
		out.Fix = append(append(out.Fix, explain(kind, field, apiVersion(s, kind))...), advice.DryRun(in))
		olderCRD(in, s, ref, fields, &out)
		return out, true
	}),
}

// quoteIt is the step for a field that takes a string.
const quoteIt = "Put the value in quotes in Git, then push: the field takes a string"

// invalid says which field is wrong, and how. The path is for kubectl explain, empty where that does not help.
func invalid(s *diagnose.Statement, fields []wrongField) (f diagnose.Finding, path string) {
	name := statement.Name(s)
	out := diagnose.Finding{Confidence: diagnose.Certain, Title: of(name, "the manifest is not valid"), Says: statement.Says(s), Fix: advice.Steps("Correct the manifest in Git, then push")}
	if m := wrongType.FindStringSubmatch(s.Failure.Text); m != nil {
		return mistyped(out, name, m[2], m[1], m[3]), m[2]
	}
	if m := notString.FindStringSubmatch(s.Failure.Text); m != nil {
		out.Title, out.Says = of(name, m[1]+" is not a string"), diagnose.Said{}
		out.Why = fmt.Sprintf("The error is at %s in the manifest.", near(s.Failure.Text, m[2]))
		out.Fix[0].Text = quoteIt
	}
	if len(fields) == 0 {
		return out, ""
	}
	w := fields[0]
	out.Fix[0].Text, out.Says.Text, out.Why = w.step(), w.said, w.why
	switch {
	case s.Derived():
		out.Title = of(name, "its pods are not valid")
		if pods := of(name, "its pods: "+w.last()+w.wrong); fits(pods) {
			out.Title = pods
		}
		out.Why = fmt.Sprintf("The field is %s of the pod.", w.path)
	case fits(of(name, w.path+w.wrong)):
		out.Title = of(name, w.path+w.wrong)
	default:
		out.Title = of(name, w.last()+w.wrong)
		out.Why = text.Paragraph(out.Why, fmt.Sprintf("The field is %s.", w.path))
	}
	if out.Why == "" && out.Says.Text == "" && w.wrong == " is required" {
		out.Why = "The API server rejects the manifest without it."
	}
	if s.Resource.Kind != "" && !s.Derived() {
		out.Short = of(s.Resource.Kind, w.last()+w.wrong)
	}
	if len(fields) > 1 {
		out.Fix[0].Text = "Correct these fields in Git, then push"
		if w.said != "" { // what is also wrong comes behind it
			out.Why, out.Says = text.Paragraph(out.Why, text.Sentence(out.Says.Who+": "+w.said)), diagnose.Said{}
		}
		out.Why = text.Paragraph(out.Why, alsoWrong(w, fields[1:]))
	}
	return out, w.explainable()
}

// alsoWrong says what else is wrong besides the first field. What was said of that is not said again.
func alsoWrong(first wrongField, fields []wrongField) string {
	var out []string
	for _, w := range fields {
		what := w.path + w.wrong
		if w.key != "" {
			what += " (" + w.key + ")"
		}
		if w.said != "" && w.said != first.said {
			what += " (" + w.said + ")"
		}
		out = append(out, what)
	}
	return text.Sentence("Also, " + text.List(out, maxListed))
}

// mistyped is the finding about a field whose value has another type than the API expects.
func mistyped(out diagnose.Finding, name, field, is, want string) diagnose.Finding {
	out.Title, out.Says = of(name, field+" has the wrong type"), diagnose.Said{}
	out.Why = fmt.Sprintf("The manifest has a %s, and the API expects type %s.", is, want)
	if !fits(out.Title) {
		out.Title = of(name, field[strings.LastIndexByte(field, '.')+1:]+" has the wrong type")
		out.Why += fmt.Sprintf(" The field is %s.", field)
	}
	out.Fix[0].Text = "Correct the type of this value in Git, then push"
	if want == "string" {
		out.Fix[0].Text = quoteIt
	}
	if is == "string" && strings.HasPrefix(want, "map[") {
		out.Why = strings.Replace(out.Why, "type "+want, "a map", 1)
		out.Fix[0].Text = "Write the entries as a map in Git, then push: key: value, with a space after the colon, indented under the field"
	}
	return out
}

// wrongType: "json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32".
var wrongType = pattern.MustCompile(`cannot unmarshal (\w+) into Go struct field [A-Za-z0-9]+\.(\S+) of type (\S+)`)

// notString: `v1.EnvVar.Value: ReadString: expects " or n, but found 4, error found in #10 byte of ...|,"value":41.78},{"na|...`.
var notString = pattern.MustCompile(`([A-Z][A-Za-z]*\.[A-Z][A-Za-z]*): ReadString: expects .*?#\d+ byte of \.\.\.\|(.*?)\|`)

// near is the value out of an excerpt of the manifest, with the name in front of it where there is one.
func near(said, excerpt string) string {
	value, _, _ := strings.Cut(strings.Trim(excerpt, ", "), "}")
	if i := strings.LastIndex(said, ","+value); i >= 0 {
		if before := said[:i]; strings.HasSuffix(before, `"`) {
			if at := strings.LastIndex(before, `"name":"`); at >= 0 && !strings.ContainsAny(before[at:], "{},") {
				return before[at:] + "," + value
			}
		}
	}
	return value
}

// explain is the step that shows what the API expects in a field.
func explain(kind, field, apiVersion string) []diagnose.Fix {
	if kind == "" || field == "" {
		return nil
	}
	command := diagnose.Shell("kubectl explain %s", strings.ToLower(kind)+"."+field)
	if apiVersion != "" {
		command += diagnose.Shell(" --api-version=%s", apiVersion)
	}
	return []diagnose.Fix{{Text: "Show what the API expects there", Command: command}}
}

// apiVersion is the version of a custom resource: several operators have a kind of the same name. Empty where it is not known, and for
// kinds of Kubernetes, which kubectl prefers.
func apiVersion(s *diagnose.Statement, kind string) string {
	if r := s.Result; r != nil && r.Kind == kind && r.Version != "" && !evidence.BuiltIn(r.Group) {
		return r.Group + "/" + r.Version
	}
	return ""
}

func isInvalid(f *message.Failure) bool {
	return f.Has(" is invalid: ", "unknown field", "cannot unmarshal", "strict decoding", "cannot be handled as a", "validationerror", "error validating data", "required value", "unsupported value", "invalid value",
		"missing required field", "json: ", "illegal base64", "unrecognized", "failed to create typed patch object", "field not declared in schema", "quantities must match", "does not match the namespace", "is not a valid", "duplicate entries for key", "unmarshal", "readstring:", "must be of type", "must specify", "must be specified", "invalid label", "denied because the type", "resource name may not be empty", "must validate", "$setelementorder", "must not be empty", "should not be set", "not allowed to be set", "cannot use generate name", "cannot convert ")
}
