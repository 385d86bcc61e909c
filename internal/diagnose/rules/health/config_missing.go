package health

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

var ConfigMissing = &diagnose.Rule{
	ID:      "health/config-missing",
	Needs:   append([]evidence.Kind{evidence.KindManaged}, needs...),
	Outside: []evidence.Outside{evidence.OutsideConfigMap, evidence.OutsideSecret},
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
		first, known := lackOf(s, s.Symptom.Text)
		if !known && s.Symptom.Text != "" {
			return s.AfterFix(refusedConfig(s)), true
		}
		f := diagnose.Finding{
			Confidence: diagnose.CertainIf(known),
			Title:      fmt.Sprintf("%s: %s", s.Ref, first.title()),
			Why:        text.Paragraph(first.where(s.Target().Namespace), fmt.Sprintf("%s%s cannot start without it.", s.PodName(), volumeClause(s.Symptom.Text))),
		}
		if !known {
			if refs := pods.References(s.Object); len(refs) > 0 {
				f.Why += " Its environment uses " + advice.Names(refs) + "."
			}
			f.Fix = []diagnose.Fix{s.Describe("Check which one is missing"), first.list(s)}
			return s.AfterFix(f), true
		}
		provide(in, p, s, &f, first)
		keysOf(in, s.Target().Namespace, first).name(&f, first)
		if !in.Fits(first.title()) { // a long name: its kind says more than the title of this rule
			f.Short = s.Ref.Kind + ": " + first.anonymous()
		}
		alsoLacks(in, p, s, &f, first)
		f.Fix = append(f.Fix, first.list(s))
		return s.AfterFix(f), true
	}),
}

// alsoLacks adds to the finding what else the pod lacks.
func alsoLacks(in *diagnose.In, p *unhealthy.Picture, s *unhealthy.Resource, f *diagnose.Finding, first lack) {
	all := []string{first.words()}
	for _, more := range pods.AlsoLacked(s.Events, s.Symptom.Text) {
		l, ok := lackOf(s, more.Text)
		if !ok {
			continue
		}
		all = append(all, l.words())
		f.Why = text.Paragraph(f.Why, fmt.Sprintf("It also lacks %s%s.", l.words(), volumeClause(more.Text)))
		f.Evidence = append(f.Evidence, diagnose.Quote{From: more.From, Text: more.Text})
		provide(in, p, s, f, l)
	}
	switch n := len(all); {
	case n == 1:
		return
	case n == 2:
		f.Title = fmt.Sprintf("%s: %s and %s are missing", s.Ref, all[0], all[1])
	default:
		f.Title = fmt.Sprintf("%s: %s and %s are missing", s.Ref, all[0], text.More(n-1))
	}
	f.Short = fmt.Sprintf("%d objects that the pod mounts are missing", len(all))
	f.Evidence = append(s.Quotes(), f.Evidence...)
}

// provide adds to the finding how the pod gets what it lacks.
func provide(in *diagnose.In, p *unhealthy.Picture, s *unhealthy.Resource, f *diagnose.Finding, l lack) {
	ns := s.Target().Namespace
	other := statement.OwnElsewhere(in, l.kind, ns, l.name)
	switch maker := makerOf(in, p, l.kind, ns, l.name); {
	case l.kind == "ConfigMap" && l.name == "kube-root-ca.crt":
		f.OutsideGit = true
		f.Fix = append(f.Fix, diagnose.Fix{Text: "Check kube-controller-manager: it puts this ConfigMap into every namespace, and recreates it when it is deleted"})
	case maker.unhealthy != nil:
		f.Role = diagnose.RoleEffect
		f.Why += fmt.Sprintf(" %s in this application should create it, but is %s itself.", maker.ref, strings.ToLower(maker.unhealthy.Status))
		f.Fix = append(f.Fix, diagnose.Fix{Text: fmt.Sprintf("Fix %s first; start with its conditions and events", maker.ref), Command: diagnose.Shell("kubectl %sdescribe %s", advice.InNamespace(maker.ref), maker.ref.Resource())})
	case maker.status != nil && l.key == "" && (maker.refused(in) || maker.absent(in)):
		maker.awaited(in, s, f)
	case maker.status == nil && other != nil && l.key == "":
		why, fix := statement.InWrongNamespace(other, ns)
		f.Why = text.Paragraph(f.Why, why)
		f.Fix = append(f.Fix, fix)
	case maker.status == nil:
		step := createFix(s.Object, l, ns)
		if l.key == "" {
			step = orMisnamed(in, s, f, evidence.Ref{Kind: l.kind, Namespace: ns, Name: l.name}, step)
		}
		f.Fix = append(f.Fix, step)
	case l.key != "":
		f.Why += fmt.Sprintf(" %s is part of this application.", maker.ref)
		f.Fix = append(f.Fix, diagnose.Fix{Text: fmt.Sprintf("Add key %s to %s in Git, or correct the key that %s asks for", l.key, maker.ref, s.Ref)})
	case maker.ref.Kind == l.kind && maker.ref.Name == l.name:
		f.Why += fmt.Sprintf(" This application creates it in sync wave %d%s.", maker.status.SyncWave, waveNote(in, s, maker.status))
		f.Fix = append(f.Fix, ownObjectFix(in, s, maker))
	default:
		f.Why += fmt.Sprintf(" %s in this application should provide it, in sync wave %d%s.", maker.ref, maker.status.SyncWave, waveNote(in, s, maker.status))
		f.Fix = append(f.Fix, diagnose.Fix{Text: fmt.Sprintf("Check why %s has not provided it", maker.ref), Command: diagnose.Shell("kubectl %sdescribe %s", advice.InNamespace(maker.ref), maker.ref.Resource())})
	}
}

// orMisnamed is the step that creates what a resource lacks, or that corrects its name where the application has a similar one.
func orMisnamed(in *diagnose.In, s *unhealthy.Resource, f *diagnose.Finding, missing evidence.Ref, create diagnose.Fix) diagnose.Fix {
	if step, ok := statement.Misnamed(in, f, missing, s.Ref.String()); ok {
		return step
	}
	return create
}

var mountedVolume = pattern.MustCompile(`for volume "([^"]+)"`)

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
		which := "anything but 0"
		f.Fix = []diagnose.Fix{{Text: "Set a user that the image can run as, or use an image that does not run as root"}, f.Fix[0]}
		if m := namedUser.FindStringSubmatch(f.Says.Text); m != nil { // it may well not be root, but only a number shows that
			which = "the ID of user " + m[1] + " in the image"
			f.Fix[0].Text = fmt.Sprintf("Write the ID of user %s in Git, or as USER in the image", m[1])
		}
		f.Fix[0].Patch = userPatch(s, which)
	} else if strings.Contains(lower, "subpath") {
		w := runtimeFailure(s, f.Says.Text)
		f.OutsideGit = w.onNode
		if w.onNode && w.said != "" {
			f.Says.Text = w.said
		}
		f.Why, f.Fix = text.Paragraph(w.why, s.Restarts()), append(w.fix, f.Fix[0])
	}
	return f
}

// namedUser is the user of an image that has a name instead of a number.
var namedUser = pattern.MustCompile(`non-numeric user \(([^)]+)\)`)

// withoutPod matches the pod that the kubelet puts behind its words.
var withoutPod = pattern.MustCompile(`\s*\(pod: "[^"]*", container: [^)]*\)$`)

// waveNote says in which wave the one that needs it is, where that is not a later one.
func waveNote(in *diagnose.In, s *unhealthy.Resource, bringer *evidence.ResourceStatus) string {
	needy := in.Resource(s.Ref)
	if needy == nil || needy.SyncWave > bringer.SyncWave {
		return ""
	}
	if needy.SyncWave == bringer.SyncWave && appliedFirst(bringer.Ref()) {
		return fmt.Sprintf(", the same as %s: within a wave Argo CD applies it first", s.Ref)
	}
	return waveOrder(s.Ref, needy.SyncWave, bringer.SyncWave)
}

// ownObjectFix is the step for an object of the application that should exist: it belongs in a wave before what needs it.
func ownObjectFix(in *diagnose.In, s *unhealthy.Resource, m maker) diagnose.Fix {
	needy := in.Resource(s.Ref)
	if needy == nil || needy.SyncWave > m.status.SyncWave || needy.SyncWave == m.status.SyncWave && appliedFirst(m.ref) {
		return diagnose.Fix{Text: fmt.Sprintf("Check why %s was not created, or who deleted it", m.ref), Command: diagnose.Shell("kubectl %sget %s", advice.InNamespace(m.ref), m.ref.Resource())}
	}
	return diagnose.Fix{
		Text:  fmt.Sprintf("In Git, move %s to an earlier sync wave than %s", m.ref, s.Ref),
		Patch: fmt.Sprintf("# on %s\nmetadata:\n  annotations:\n    argocd.argoproj.io/sync-wave: \"%d\"\n", m.ref, needy.SyncWave-1),
	}
}

// appliedFirst reports whether Argo CD applies a resource before the workloads of the same wave: it orders the kinds that it knows.
func appliedFirst(ref evidence.Ref) bool {
	switch ref.Group + "/" + ref.Kind {
	case "/Secret", "/ConfigMap", "/ServiceAccount", "/PersistentVolumeClaim", "/PersistentVolume", "/Service", "storage.k8s.io/StorageClass":
		return true
	}
	return false
}

// waveOrder says why the waves do not help.
func waveOrder(ref evidence.Ref, needs, provides int64) string {
	if needs < provides {
		return fmt.Sprintf(", after %s in wave %d", ref, needs)
	}
	return fmt.Sprintf(", the same as %s: nothing orders the two", ref)
}
