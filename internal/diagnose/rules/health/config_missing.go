package health

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

var ConfigMissing = &diagnose.Rule{
	ID:    "health/config-missing",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "A Secret, ConfigMap or key that a pod refers to is not there",
		What:     "The pod has a node but its container cannot be created: it takes its environment or a volume from a Secret or ConfigMap (or a key of it) that does not exist in its namespace; or the kubelet refuses the configuration, e.g. a user that runAsNonRoot forbids. Often another resource should make it: an ExternalSecret, a SealedSecret, a Certificate.",
		Decisive: "CreateContainerConfigError with what the kubelet says about it, or event FailedMount that names the object or the key.",
		Example:  "couldn't find key password in Secret shop/db",
		Fix:      "Create what is missing, correct the name, or repair what should make it.",
		Links:    []string{"https://kubernetes.io/docs/tasks/debug/debug-application/debug-pods/"},
	},
	Sync:       alreadyApplied,
	Recognises: about{{pod: pods.ConfigMissing}},
	Check: reporting(func(in *diagnose.In, p *unhealthy.Picture, s *unhealthy.Resource) (diagnose.Finding, bool) {
		kind, name, key, known := pods.Missing(s.Symptom.Text)
		if !known && s.Symptom.Text != "" {
			return s.AfterFix(refusedConfig(s)), true
		}
		what := "what its container refers to"
		if known {
			what = strings.TrimSuffix(kind+"/"+name, "/")
		}
		if key != "" {
			what = fmt.Sprintf("key %s in %s", key, what)
			if name == "" {
				what = fmt.Sprintf("key %s of a %s", key, kind)
			}
		}
		ns := s.Target().Namespace
		f := diagnose.Finding{
			Confidence: diagnose.CertainIf(known),
			Title:      fmt.Sprintf("%s cannot start: %s is missing", s.Ref, what),
			Why:        fmt.Sprintf("%s waits for %s, which is not there (namespace %s): %s", s.PodName(), what, ns, text.Sentence(s.Symptom.Clause())),
			Fix:        []diagnose.Fix{{Text: "See what is there", Command: diagnose.Shell("kubectl -n %s get secrets,configmaps", ns)}},
		}
		if refs := pods.References(s.Object); !known && len(refs) > 0 {
			f.Why += " Its environment comes from " + advice.Names(refs) + "."
		}
		switch maker := makerOf(in, p, kind, name); {
		case !known:
			f.Fix = append(f.Fix, s.Describe("See which one it lacks"))
		case maker.unhealthy != nil:
			f.Role = diagnose.RoleEffect
			f.Why += fmt.Sprintf(" %s of this application should make it, and is %s itself.", maker.ref, strings.ToLower(maker.unhealthy.Status))
			f.Fix = append(f.Fix, diagnose.Fix{Text: fmt.Sprintf("Repair %s, which makes it", maker.ref), Command: diagnose.Shell("kubectl %sdescribe %s", advice.InNamespace(maker.ref), maker.ref.Resource())})
		case maker.status != nil:
			f.Why += fmt.Sprintf(" %s of this application should bring it, in wave %d%s.", maker.ref, maker.status.SyncWave, waveNote(in, s, maker.status))
			f.Fix = append(f.Fix, diagnose.Fix{Text: fmt.Sprintf("See why %s has not brought it", maker.ref), Command: diagnose.Shell("kubectl %sdescribe %s", advice.InNamespace(maker.ref), maker.ref.Resource())})
		default:
			f.Fix = append(f.Fix, createFix(s.Object, kind, name, key, ns))
		}
		return s.AfterFix(f), true
	}),
}

// refusedConfig is the finding about a container whose configuration is complete and that the kubelet refuses all the same:
// it may not run as the user that it would run as, or a value is not valid.
func refusedConfig(s *unhealthy.Resource) diagnose.Finding {
	f := diagnose.Finding{
		Confidence: diagnose.CertainIf(s.Object != nil),
		Title:      fmt.Sprintf("%s cannot start: %s", s.Ref, text.Clip(pods.Unwrap(s.Symptom.Text), message.MaxClause)),
		Why:        fmt.Sprintf("%s: the kubelet does not create %s: %s", s.PodName(), s.Symptom.Subject(), text.Sentence(pods.Unwrap(s.Symptom.Text))),
		Fix:        []diagnose.Fix{{Text: "Correct what it names in Git, and push"}, s.Describe("See its state and events")},
	}
	if lower := strings.ToLower(s.Symptom.Text); message.HasAny(lower, "runasnonroot", "non-root policy") {
		f.Title = fmt.Sprintf("%s cannot start: runAsNonRoot forbids the user of %s", s.Ref, s.Symptom.Subject())
		f.Why = fmt.Sprintf("The security context of %s demands a user that is not root, given by number (runAsNonRoot): %s", s.PodName(), text.Sentence(pods.Unwrap(s.Symptom.Text)))
		f.Fix[0] = diagnose.Fix{Text: "Name a user that its image can run as, or use an image that does not run as root", Patch: s.PatchContainer("securityContext:", "  runAsUser: 1000   # any but 0")}
	}
	return f
}

// maker is the resource of the application that should bring what is missing.
type maker struct {
	ref       evidence.Ref
	status    *evidence.ResourceStatus
	unhealthy *unhealthy.Resource
}

// makerOf looks for the object itself among the application's resources, and for what makes Secrets of that name. An unhealthy
// ExternalSecret of another name may write to this one: its target's name is not known without reading it.
func makerOf(in *diagnose.In, p *unhealthy.Picture, kind, name string) maker {
	if r := statement.OwnResource(in, kind, name); r != nil {
		return maker{ref: r.Ref(), status: r}
	}
	for _, s := range p.Resources {
		makes := s.Rule == ExternalSecret || s.Rule == Certificate || s.Ref.Kind == "SealedSecret"
		if kind == "Secret" && makes && s.Status == "Degraded" && (s.Ref.Name == name || strings.Contains(name, s.Ref.Name) || strings.HasSuffix(s.Ref.Kind, "Store")) {
			return maker{ref: s.Ref, unhealthy: s, status: in.App().Resource(s.Ref)}
		}
	}
	for i := range in.App().Status.Resources {
		r := &in.App().Status.Resources[i]
		switch r.Kind {
		case "ExternalSecret", "SealedSecret", "VaultStaticSecret", "Certificate", "ObjectBucketClaim", "SecretProviderClass", "BitwardenSecret", "OnePasswordItem", "InfisicalSecret":
			if r.Name == name {
				return maker{ref: r.Ref(), status: r}
			}
		}
	}
	return maker{}
}

// waveNote says in which wave the one that needs it is, where that is not a later one.
func waveNote(in *diagnose.In, s *unhealthy.Resource, bringer *evidence.ResourceStatus) string {
	needy := in.App().Resource(s.Ref)
	if needy == nil || needy.SyncWave > bringer.SyncWave {
		return ""
	}
	return fmt.Sprintf(", while %s is in wave %d: nothing orders the two", s.Ref, needy.SyncWave)
}

// createFix is the step that makes what is missing.
func createFix(pod evidence.Object, kind, name, key, ns string) diagnose.Fix {
	fix := diagnose.Fix{Text: fmt.Sprintf("It is not part of this application: create %s, or correct the name in Git", strings.TrimSuffix(kind+"/"+name, "/"))}
	switch {
	case name == "" && key != "":
		fix.Text = fmt.Sprintf("Add key %s to the %s of that volume, or correct the key in Git", key, kind)
	case name == "":
	case key != "":
		fix.Text = fmt.Sprintf("Add key %s to %s/%s, or correct the key in Git", key, kind, name)
		fix.Command = diagnose.Shell("kubectl -n %s edit %s %s", ns, strings.ToLower(kind), name)
	case kind == "Secret":
		fix.Command = diagnose.Shell("kubectl -n %s create secret generic %s%s", ns, name, literals(pod, kind, name))
	case kind == "ConfigMap":
		fix.Command = diagnose.Shell("kubectl -n %s create configmap %s%s", ns, name, literals(pod, kind, name))
	}
	return fix
}

// placeholder is what redaction knows to be none of a person's secrets, also after password=.
const placeholder = "'<VALUE>'"

// literals are the flags for the keys that a pod takes out of an object.
func literals(pod evidence.Object, kind, name string) diagnose.Raw {
	out := ""
	for _, key := range keysTaken(pod, kind, name) {
		out += diagnose.Shell(" --from-literal=%s=", key) + placeholder
	}
	return diagnose.Raw(cmp.Or(out, " --from-literal=KEY="+placeholder))
}

// keysTaken are the keys that a pod names one by one, as variables or as files, in the order of its specification.
func keysTaken(pod evidence.Object, kind, name string) []string {
	variable, volume, nameField := "secretKeyRef", "secret", "secretName"
	if kind == "ConfigMap" {
		variable, volume, nameField = "configMapKeyRef", "configMap", "name"
	}
	var out []string
	for _, env := range variablesOf(pod) {
		if env.Text("valueFrom", variable, "name") == name {
			out = append(out, env.Text("valueFrom", variable, "key"))
		}
	}
	for _, v := range pod.List("spec", "volumes") {
		for _, item := range v.List(volume, "items") {
			if v.Text(volume, nameField) == name {
				out = append(out, item.Text("key"))
			}
		}
	}
	return withoutRepeats(out)
}

func variablesOf(pod evidence.Object) []evidence.Object {
	var out []evidence.Object
	for _, c := range pods.ContainerSpecs(pod) {
		out = append(out, c.List("env")...)
	}
	return out
}

// withoutRepeats leaves each text once, in order.
func withoutRepeats(texts []string) []string {
	var out []string
	for _, t := range texts {
		if t != "" && !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return out
}
