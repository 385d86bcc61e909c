package apply

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

var AdmissionDenied = &diagnose.Rule{
	ID:    "apply/admission-denied",
	Needs: append([]evidence.Kind{evidence.KindManaged}, statement.RefusalNeeds...),
	Doc: diagnose.Doc{
		Title:    "Denied by an admission policy",
		What:     "An admission webhook (Kyverno, Gatekeeper, an operator's own), a ValidatingAdmissionPolicy, Pod Security or OpenShift's security context constraints check the resource and deny it. Every sync is denied until the manifest complies or the policy changes.",
		Decisive: "\"denied the request\" or \"forbidden: violates PodSecurity\". For pods it is in the events of their ReplicaSet or Job.",
		Example:  "admission webhook \"validate.kyverno.svc-fail\" denied the request: policy require-labels: label team is required",
		Fix:      "Change the manifest so that it complies, or ask the policy's owner for an exemption.",
	},
	Sync: advice.Pointless("the request will be denied again until the manifest complies or the policy changes"),
	Check: refused(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		if !isDenied(&s.Failure) {
			return diagnose.Finding{}, false
		}
		d := readDenial(&s.Failure, cmp.Or(statement.Namespace(in, s), "NAMESPACE"))
		prune := pruning(in, s)
		if own := ownPolicy(in, d.name); own != "" {
			d.exempt = fmt.Sprintf("If the resource is right as it is, change %s, which this application has in its own Git, in an earlier sync wave than the resource, then push; this shows the policy", own)
		}
		f := diagnose.Finding{
			Confidence: diagnose.Certain, OutsideGit: d.outsideGit,
			Says: diagnose.Said{Who: d.who, Text: statement.Clause(d.reason)},
			Fix:  d.fix(statement.Subject(s).Kind, prune),
		}
		name, wrong := statement.Name(s), "was denied by "
		if s.Derived() { // it was applied; what its controller creates is denied
			name, wrong = of(name, "its pods"), "were denied by "
		}
		if prune {
			wrong = "deletion was denied by "
			f.Sync = advice.Pointless("the deletion will be denied again until the " + cmp.Or(d.kind, "policy") + " allows it")
		}
		d.titled(&f, name, wrong)
		if d.title == "" {
			f.Terse = text.UpperFirst(shortly(s, prune) + "denied by " + d.by)
		}
		d.movesHost(in, &f, statement.Subject(s))
		if d.field != "" {
			f.Why = text.Paragraph(f.Why, fmt.Sprintf("The field is %s.", d.field))
		}
		if d.title == "" && !d.several {
			f.Brief = cmp.Or(brief(in, f.Says.Text, d.fieldStarts(s)...), brief(in, f.Says.Text, d.starts(s, prune)...))
		}
		if len(d.more) > 0 {
			f.Why = text.Paragraph(f.Why, d.alsoSays())
		}
		return f, true
	}),
}

// shortly is what of a resource is denied, in front of that it is.
func shortly(s *diagnose.Statement, prune bool) string {
	switch {
	case prune:
		return "deletion "
	case s.Derived():
		return "pods "
	}
	return ""
}

// titled writes the title, and in Why what of the policy's and the webhook's names it does not have.
func (d *denial) titled(f *diagnose.Finding, name, wrong string) {
	title := func(by string) string {
		if strings.HasPrefix(wrong, "was ") || strings.HasPrefix(wrong, "were ") {
			return sentence(name, wrong+by)
		}
		return of(name, wrong+by)
	}
	named := title(d.kind + " " + d.name)
	switch {
	case d.title != "":
		f.Title = of(strings.TrimSuffix(name, ": its pods"), d.title)
	case d.name != "" && fits(named):
		f.Title = named
		if d.webhook != "" {
			f.Why = fmt.Sprintf("Admission webhook %s enforces it.", d.webhook)
		}
		return
	default:
		f.Title = title(d.by)
	}
	if d.name != "" {
		f.Why = fmt.Sprintf("The %s is %s%s.", d.kind, d.name, message.After(", enforced by admission webhook ", d.webhook))
		f.Says.Who = strings.Replace(d.who, "The "+d.kind, "It", 1)
	}
}

// starts are the starts of a headline with what the policy demands behind it, from long to short.
func (d *denial) starts(s *diagnose.Statement, prune bool) []string {
	name, kind := statement.Name(s), statement.Subject(s).Kind
	switch {
	case prune:
		return []string{sentence(name, "deletion denied")}
	case s.Derived():
		return []string{of(name, "its pods denied"), of(kind, "pods denied")}
	case kind == "":
		return []string{sentence(name, "denied"), name}
	}
	return []string{sentence(name, "denied"), name, kind}
}

// fieldStarts are those with the field that is not accepted: the end of the reason alone does not say of what it speaks.
func (d *denial) fieldStarts(s *diagnose.Statement) []string {
	if d.field == "" {
		return nil
	}
	last := wrongField{path: d.field}.last()
	return []string{of(statement.Name(s), last), of(statement.Subject(s).Kind, last)}
}

// alsoSays are the other violations: all of them have to be repaired before the resource is accepted.
func (d *denial) alsoSays() string {
	listed := d.more
	if len(listed) > maxListed {
		listed = append(slices.Clone(listed[:maxListed]), text.More(len(listed)-maxListed))
	}
	for i, said := range listed {
		listed[i] = strings.TrimRight(said, " .;,")
	}
	return "It also demands: " + strings.Join(listed, "; ") + "."
}

// pruning reports whether the resource was to be deleted: then the operation says so, and the task does not.
func pruning(in *diagnose.In, s *diagnose.Statement) bool {
	op := in.App().CurrentOperation()
	return s.Failure.Stage == message.StagePrune || op != nil && strings.Contains(op.Message, "pruning failed") && strings.Contains(op.Message, s.Failure.Cause)
}

func isDenied(f *message.Failure) bool {
	return f.Has("denied the request", "denied request", "violates podsecurity", "denied by policy", "was blocked due to the following policies", "unable to validate against any security context constraint",
		"unable to validate against any pod security policy", "podsecuritypolicy: unable to admit", "denied by", "does not support dry run", "policy violation", "admission control") && !f.Has("failed calling webhook") && !refusedByRBAC(f)
}

// refusedByRBAC reports whether an authorizer refused the request, before any admission: some say "denied by" in their reason.
func refusedByRBAC(f *message.Failure) bool {
	v, ok := f.Forbidden()
	return ok && v.Verb != ""
}

// fix is what helps against it. A deletion can be denied too.
func (d *denial) fix(kind string, prune bool) []diagnose.Fix {
	if prune {
		return []diagnose.Fix{{Text: "Ask the owner of the policy to allow the deletion, or put the resource back into Git", Command: d.show}}
	}
	change := cmp.Or(d.change, "Change the manifest in Git so that it complies, then push")
	if len(d.required) > 0 {
		of := "the pod template"
		if kind == "Pod" {
			of = "the Pod"
		}
		change = fmt.Sprintf("Change %s in Git, then push: %s", of, strings.Join(d.required, "; "))
	}
	exempt := "If the resource is right as it is, ask the owner of the policy for an exemption"
	if d.show != "" {
		exempt += "; this shows the policy"
	}
	return []diagnose.Fix{{Text: change}, {Text: cmp.Or(d.exempt, exempt), Command: d.show}}
}

// after is what follows a mark; the whole text where it has no such mark, or nothing behind it.
func after(s, mark string) string {
	if _, rest, _ := strings.Cut(s, mark); strings.TrimSpace(rest) != "" {
		return strings.TrimSpace(rest)
	}
	return s
}

// policyGroups are the API groups of admission policies.
var policyGroups = []string{"kyverno.io", "policies.kyverno.io", "constraints.gatekeeper.sh", "admissionregistration.k8s.io", "policies.kubewarden.io", "policy.sigstore.dev"}

// ownPolicy is the policy of that name if it is part of this application: then its owner is whoever reads this.
func ownPolicy(in *diagnose.In, name string) string {
	for _, r := range in.App().Status.Resources {
		if name != "" && r.Name == name && slices.Contains(policyGroups, r.Group) {
			return r.Ref().String()
		}
	}
	return ""
}
