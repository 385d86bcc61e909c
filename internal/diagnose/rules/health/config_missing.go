package health

import (
	"cmp"
	"fmt"
	"regexp"
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
		Title:    "Pod configuration is missing or rejected",
		What:     "The pod has a node but its container cannot be created: it uses a Secret or ConfigMap (or a key of one) that does not exist in its namespace, or the kubelet rejects the configuration, for example a user that runAsNonRoot does not allow. Often another resource should create the missing object: an ExternalSecret, a SealedSecret or a Certificate.",
		Decisive: "CreateContainerConfigError with what the kubelet says about it, or event FailedMount that names the object or the key.",
		Example:  "couldn't find key password in Secret shop/db",
		Fix:      "Create what is missing, correct the name, or fix the resource that should create it.",
		Links:    []string{"https://kubernetes.io/docs/tasks/debug/debug-application/debug-pods/"},
	},
	Sync:       alreadyApplied,
	Recognises: about{{pod: pods.ConfigMissing}},
	Check: reporting(func(in *diagnose.In, p *unhealthy.Picture, s *unhealthy.Resource) (diagnose.Finding, bool) {
		kind, name, key, known := pods.Missing(s.Symptom.Text)
		if !known && s.Symptom.Text != "" {
			return s.AfterFix(refusedConfig(s)), true
		}
		ns := s.Target().Namespace
		lacks, why := lacking(kind, name, key, ns)
		f := diagnose.Finding{
			Confidence: diagnose.CertainIf(known),
			Title:      fmt.Sprintf("%s: %s", s.Ref, lacks),
			Why:        text.Paragraph(why, fmt.Sprintf("%s%s cannot start without it.", s.PodName(), volumeClause(s.Symptom.Text))),
		}
		list := diagnose.Fix{Text: "List the Secrets and ConfigMaps of the namespace", Command: diagnose.Shell("kubectl -n %s get secrets,configmaps", ns)}
		if kind == "SecretProviderClass" {
			list = diagnose.Fix{Text: "List the SecretProviderClasses of the namespace", Command: diagnose.Shell("kubectl -n %s get secretproviderclasses", ns)}
		}
		if refs := pods.References(s.Object); !known && len(refs) > 0 {
			f.Why += " Its environment uses " + advice.Names(refs) + "."
		}
		switch maker := makerOf(in, p, kind, name); {
		case !known:
			f.Fix = []diagnose.Fix{s.Describe("Check which one is missing"), list}
		case maker.unhealthy != nil:
			f.Role = diagnose.RoleEffect
			f.Why += fmt.Sprintf(" %s in this application should create it, but is %s itself.", maker.ref, strings.ToLower(maker.unhealthy.Status))
			f.Fix = []diagnose.Fix{{Text: fmt.Sprintf("Fix %s first; start with its conditions and events", maker.ref), Command: diagnose.Shell("kubectl %sdescribe %s", advice.InNamespace(maker.ref), maker.ref.Resource())}, list}
		case maker.status != nil && maker.ref.Kind == kind && maker.ref.Name == name:
			f.Why += fmt.Sprintf(" This application creates it in sync wave %d%s.", maker.status.SyncWave, waveNote(in, s, maker.status))
			f.Fix = []diagnose.Fix{ownObjectFix(in, s, maker), list}
		case maker.status != nil:
			f.Why += fmt.Sprintf(" %s in this application should provide it, in sync wave %d%s.", maker.ref, maker.status.SyncWave, waveNote(in, s, maker.status))
			f.Fix = []diagnose.Fix{{Text: fmt.Sprintf("Check why %s has not provided it", maker.ref), Command: diagnose.Shell("kubectl %sdescribe %s", advice.InNamespace(maker.ref), maker.ref.Resource())}, list}
		default:
			f.Fix = []diagnose.Fix{createFix(s.Object, kind, name, key, ns), list}
		}
		return s.AfterFix(f), true
	}),
}

// lacking is what a pod lacks, for a title, and where it was looked for.
func lacking(kind, name, key, ns string) (title, why string) {
	switch {
	case kind == "":
		return "pod needs a missing Secret or ConfigMap", ""
	case key != "" && name == "":
		return fmt.Sprintf("key %s is missing from a %s", key, kind), fmt.Sprintf("The %s exists in namespace %s, but does not have this key.", kind, ns)
	case key != "":
		return fmt.Sprintf("%s/%s has no key %s", kind, name, key), fmt.Sprintf("The %s exists in namespace %s, but does not have this key.", kind, ns)
	}
	return fmt.Sprintf("%s is missing", strings.TrimSuffix(kind+"/"+name, "/")), fmt.Sprintf("No such %s exists in namespace %s.", kind, ns)
}

var mountedVolume = regexp.MustCompile(`for volume "([^"]+)"`)

// volumeClause says which volume of the pod mounts what is missing.
func volumeClause(said string) string {
	if m := mountedVolume.FindStringSubmatch(said); m != nil {
		return fmt.Sprintf(" (volume %s)", m[1])
	}
	return ""
}

// refusedConfig is the finding about a container whose configuration is complete, but which the kubelet refuses:
// it must not run as the user that it would run as, or a value is not valid.
func refusedConfig(s *unhealthy.Resource) diagnose.Finding {
	f := diagnose.Finding{
		Confidence: diagnose.CertainIf(s.Object != nil),
		Title:      fmt.Sprintf("%s: %s cannot be created", s.Ref, s.Container()),
		Why:        fmt.Sprintf("Its configuration is rejected on the node%s.", s.InPod()),
		Says:       says("The kubelet says", s.Symptom.Text),
		Fix:        []diagnose.Fix{s.Describe("Show the pod's state and events"), {Text: "Correct the container's configuration in Git, then sync"}},
	}
	if lower := strings.ToLower(s.Symptom.Text); message.HasAny(lower, "runasnonroot", "non-root policy") {
		f.Title = fmt.Sprintf("%s: runAsNonRoot blocks %s", s.Ref, s.Symptom.Subject())
		f.Why = fmt.Sprintf("%s sets runAsNonRoot, so the container needs a numeric user ID other than 0.", s.PodName())
		f.Says.Text = withoutPod.ReplaceAllString(f.Says.Text, "")
		f.Fix = []diagnose.Fix{{Text: "Set a user that the image can run as, or use an image that does not run as root", Patch: s.PatchContainer("securityContext:", "  runAsUser: 1000   # anything but 0")}, f.Fix[0]}
	}
	return f
}

// withoutPod matches the pod that the kubelet puts behind its words.
var withoutPod = regexp.MustCompile(`\s*\(pod: "[^"]*", container: [^)]*\)$`)

// maker is the resource of the application that should provide what is missing.
type maker struct {
	ref       evidence.Ref
	status    *evidence.ResourceStatus
	unhealthy *unhealthy.Resource
}

// makerOf looks for the object itself among the application's resources, and for what makes Secrets of that name. An unhealthy
// ExternalSecret that was not read may write to another name than its own.
func makerOf(in *diagnose.In, p *unhealthy.Picture, kind, name string) maker {
	if r := statement.OwnResource(in, kind, name); r != nil {
		return maker{ref: r.Ref(), status: r}
	}
	for _, s := range p.Resources {
		writes := s.MakesSecret() && s.SecretName() == name || strings.HasSuffix(s.Ref.Kind, "Store") && s.Rule == ExternalSecret
		if kind == "Secret" && (s.Status == "Degraded" || s.MakesSecret()) && (writes || s.MakesSecret() && s.Object == nil && strings.Contains(name, s.Ref.Name)) {
			return maker{ref: s.Ref, unhealthy: s, status: in.Resource(s.Ref)}
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
	needy := in.Resource(s.Ref)
	if needy == nil || needy.SyncWave > bringer.SyncWave {
		return ""
	}
	return waveOrder(s.Ref, needy.SyncWave, bringer.SyncWave)
}

// ownObjectFix is the step for an object of the application that should exist: it belongs in a wave before what needs it.
func ownObjectFix(in *diagnose.In, s *unhealthy.Resource, m maker) diagnose.Fix {
	needy := in.Resource(s.Ref)
	if needy == nil || needy.SyncWave > m.status.SyncWave {
		return diagnose.Fix{Text: fmt.Sprintf("Check why %s was not created", m.ref), Command: diagnose.Shell("kubectl %sget %s", advice.InNamespace(m.ref), m.ref.Resource())}
	}
	return diagnose.Fix{
		Text:  fmt.Sprintf("In Git, move %s to an earlier sync wave than %s", m.ref, s.Ref),
		Patch: fmt.Sprintf("# on %s\nmetadata:\n  annotations:\n    argocd.argoproj.io/sync-wave: \"%d\"\n", m.ref, needy.SyncWave-1),
	}
}

// waveOrder says why the waves do not help.
func waveOrder(ref evidence.Ref, needs, provides int64) string {
	if needs < provides {
		return fmt.Sprintf(", after %s in wave %d", ref, needs)
	}
	return fmt.Sprintf(", the same as %s: nothing orders the two", ref)
}

// createFix is the step that creates what is missing.
func createFix(pod evidence.Object, kind, name, key, ns string) diagnose.Fix {
	fix := diagnose.Fix{Text: fmt.Sprintf("Create %s, which is not part of this application, or correct the reference in Git", strings.TrimSuffix(kind+"/"+name, "/"))}
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
