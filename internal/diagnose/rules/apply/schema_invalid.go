package apply

import (
	"cmp"
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/text"
)

var SchemaInvalid = &diagnose.Rule{
	ID: "apply/schema-invalid",
	Doc: diagnose.Doc{
		Title:    "The manifest is not valid for its kind",
		What:     "The API server understands the kind but rejects the manifest: an unknown field, a wrong type, a required value that is missing, a name with characters that are not allowed.",
		Decisive: "\"… is invalid: FIELD: …\", \"unknown field\", \"cannot be handled as a …\".",
		Example:  "Ingress.networking.k8s.io \"web\" is invalid: spec.rules[0].http.paths[0].pathType: Required value: pathType must be specified",
		Fix:      "Correct the field in the manifest and push.",
	},
	Sync:  advice.Pointless("the API server rejects the same manifest again"),
	Needs: statement.RefusalNeeds,
	Check: statement.Refused(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		if !isInvalid(f) || statement.Quota(s) || s.Hook() && statement.Immutable(f) { // an old hook object is in the way: hook/already-exists
			return diagnose.Finding{}, false
		}
		ref := statement.Subject(s)
		v, _ := f.Invalid()
		out := diagnose.Finding{
			Resource: ref, Confidence: diagnose.Certain,
			Title: statement.Name(s) + " is not valid",
			Why:   fmt.Sprintf("The API server rejects the manifest of %s: %s", statement.Name(s), statement.Words(s)),
			Fix:   []diagnose.Fix{{Text: "Correct the manifest in Git and push"}},
		}
		if v.Field != "" {
			out.Title = fmt.Sprintf("%s is not valid: %s", statement.Name(s), v.Field)
			out.Why = fmt.Sprintf("The API server rejects %s of %s: %s", v.Field, statement.Name(s), text.Sentence(text.Clip(v.Reason, 2*message.MaxClause)))
			out.Fix[0].Text = fmt.Sprintf("Correct %s in Git and push", v.Field)
		}
		if ref.Kind != "" {
			out.Fix = append(out.Fix, diagnose.Fix{Text: "What the API expects there", Command: diagnose.Shell("kubectl explain %s%s", text.LowerFirst(ref.Kind), fieldSuffix(topField(v.Field)))})
		}
		if s.Refusal {
			out.Sync = advice.Blocked("Argo CD cannot store the operation")
			out.Fix[0].Text = "Repair the Application object in the cluster: it is not valid itself"
			out.Fix[0].Command = diagnose.Shell("kubectl -n %s edit application %s", cmp.Or(in.App().Metadata.Namespace, advice.ArgoNamespace(in)), cmp.Or(in.App().Metadata.Name, "APP"))
			return out, true
		}
		out.Fix = append(out.Fix, advice.DryRun(in))
		return out, true
	}),
}

func isInvalid(f *message.Failure) bool {
	return f.Has(" is invalid: ", "unknown field", "cannot unmarshal", "strict decoding", "cannot be handled as a", "validationerror", "error validating data", "required value", "unsupported value", "invalid value",
		"missing required field", "json: ", "illegal base64", "unrecognized", "failed to create typed patch object", "field not declared in schema", "quantities must match", "does not match the namespace", "is not a valid", "duplicate entries for key", "unmarshal", "readstring:", "must be of type", "must specify", "must be specified", "invalid label", "denied because the type", "resource name may not be empty", "must validate", "$setelementorder", "must not be empty", "should not be set", "not allowed to be set")
}

func fieldSuffix(field string) string {
	if field == "" {
		return ""
	}
	return "." + field
}
