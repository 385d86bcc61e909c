package hooks

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/program"
	"github.com/argo-why/argo-why/internal/text"
)

// explain adds to a finding why the resource is not healthy, and what helps.
func (w wait) explain(f *diagnose.Finding) {
	switch {
	case evidence.HasPrivate(w.ref.Name):
		f.Why = text.Paragraph(f.Why, advice.PrivateChild)
		f.Fix = []diagnose.Fix{advice.AskOwner}
	case w.found != nil:
		w.explainPod(f)
	case w.child != nil:
		w.explainChild(f)
	case w.status == "Suspended":
		w.explainPause(f)
	case w.awaitsConsumer():
		w.explainClaim(f)
	case w.installPlan() != "":
		w.explainApproval(f)
	default:
		w.explainObject(f)
	}
}

// explainPause is about a resource that waits for a person, or for a time that Git sets.
func (w wait) explainPause(f *diagnose.Finding) {
	if w.ref.Kind != "Rollout" {
		f.Why = text.Paragraph(f.Why, "Someone has to resume it.")
		return
	}
	f.Fix[0] = diagnose.Fix{Text: "Promote the Rollout, or abort it", Command: diagnose.Shell("kubectl argo rollouts promote %s%s", w.ref.Name, advice.NamespaceFlag(w.ref))}
	steps := w.object.List("spec", "strategy", "canary", "steps")
	i, ok := w.object.Number("status", "currentStepIndex")
	pauses := w.object.List("status", "pauseConditions")
	switch {
	case len(pauses) > 0 && strings.HasPrefix(pauses[0].Text("reason"), "Inconclusive"):
		f.Why = text.Paragraph(f.Why, "An analysis of the Rollout was inconclusive, so that someone has to decide.")
	case ok && int(i) >= 0 && int(i) < len(steps) && steps[int(i)].At("pause", "duration") != nil:
		f.Why = text.Paragraph(f.Why, fmt.Sprintf("Its step %d pauses for %v and then goes on by itself.", int(i)+1, steps[int(i)].At("pause", "duration")))
		f.Fix[0].Text = "Wait, or promote the Rollout now"
	case w.object == nil:
		f.Why = text.Paragraph(f.Why, "Unless its step has a duration, someone has to promote it.")
	default:
		f.Why = text.Paragraph(f.Why, "The Rollout is waiting for manual promotion.")
	}
}

func (w wait) explainPod(f *diagnose.Finding) {
	f.Says, f.Evidence, f.Fix = podSays(w.found), w.found.Quotes(), podSteps(w.in, w.found)
	if w.found.Log.Text != "" {
		h := runOf(w.in, w.found)
		f.Why = text.Paragraph(f.Why, h.migration(), h.stumbleMeans())
	}
	if r, key := w.laterKey(); r != nil {
		f.Why = text.Paragraph(f.Why, fmt.Sprintf("In Git, %s has %s, but it is only in wave %d, so the two wait for each other.", r.Ref(), key, r.SyncWave))
		f.Fix = []diagnose.Fix{{
			Text:  fmt.Sprintf("In Git, apply the %s before the %s", r.Kind, w.ref.Kind),
			Patch: waveOf(r.Ref(), w.in.Resource(w.ref).SyncWave-1),
		}, w.found.ReadLog()}
		return
	}
	if e := pods.LastWarning(w.events); e != nil { // of its volume claim
		f.Says = diagnose.Said{Who: "Kubernetes says", Text: text.OneLine(e.Message)}
		f.Evidence = append(f.Evidence, diagnose.Quote{From: pods.EventName(e), Text: e.Message})
		f.Fix = []diagnose.Fix{{Text: "Check the volume claim and its events", Command: diagnose.Shell("kubectl %sdescribe %s", advice.InNamespace(e.Ref()), e.Ref().Resource())}}
	}
	w.explainAwaited(f)
	w.explainOrder(f, w.found.Symptom.Text)
}

// explainOrder is about a resource that lacks, by the words of Kubernetes, what a later wave of the application brings.
func (w wait) explainOrder(f *diagnose.Finding, said string) {
	kind, name, _, ok := pods.Missing(said)
	if !ok || name == "" {
		return
	}
	r, own := laterResource(w.in, kind, w.ref.Namespace, name), w.in.Resource(w.ref)
	if r == nil {
		r = w.missingSource(kind, name)
	}
	if r != nil && w.isNewer(r, own) {
		_, newer := evidence.Differing(w.in.App().Status.OperationState.Revision(), w.in.App().Status.Sync.At())
		f.Why = text.Paragraph(f.Why, fmt.Sprintf("%s of this application %s it. The running sync has not applied that, and stays on its commit; it comes with %s, which Git has since.", r.Ref(), map[bool]string{true: "is", false: "makes"}[r.Kind == kind], text.Revision(newer)))
		f.Fix = f.Fix[1:] // made by hand, it would be in the way
		return
	}
	if r == nil || own == nil || r.SyncWave <= own.SyncWave {
		return
	}
	f.Why = text.Paragraph(f.Why, fmt.Sprintf("%s is only in wave %d, so the two wait for each other.", r.Ref(), r.SyncWave))
	f.Fix = slices.Insert(f.Fix[1:], 0, diagnose.Fix{
		Text:  fmt.Sprintf("In Git, apply the %s before the %s", r.Kind, w.ref.Kind),
		Patch: waveOf(r.Ref(), own.SyncWave-1),
	})
}

func (w wait) explainChild(f *diagnose.Finding) {
	child := evidence.Application{Metadata: evidence.Metadata{Name: w.ref.Name, Namespace: w.ref.Namespace}}
	child.Status.ControllerNamespace = w.in.App().Status.ControllerNamespace
	f.Fix[0] = diagnose.Fix{Text: "Diagnose the child application", Command: diagnose.Shell(program.Name()+" why %s", child.Argument())}
	cause := w.child.Root()
	if cause == nil {
		return
	}
	f.Why = text.Paragraph(f.Why, text.Sentence("In that application: "+cause.Title), cause.Why)
	for _, q := range cause.Evidence {
		f.Evidence = append(f.Evidence, diagnose.Quote{From: w.ref.String() + ", " + q.From, Text: q.Text})
	}
}

// explainClaim is about a claim that waits for the first pod, which the sync applies only when the claim is bound.
func (w wait) explainClaim(f *diagnose.Finding) {
	f.Why = text.Paragraph(f.Why, "Its storage class creates the volume only when a pod uses the claim, and no pod does yet.")
	if e := pods.LastEvent(w.events, "WaitForFirstConsumer"); e != nil {
		f.Evidence = append(f.Evidence, diagnose.Quote{From: pods.EventName(e), Text: e.Message})
	}
	if next, ok := w.nextWave(); ok {
		f.Fix = slices.Insert(f.Fix, 0, diagnose.Fix{Text: "In Git, put the claim into the wave of the workload that uses it", Patch: waveOf(w.ref, next)})
		return
	}
	f.Why = text.Paragraph(f.Why, "If its first user is a PostSync hook or starts later, like a CronJob, the two wait for each other: Argo CD goes on only when the claim is bound.")
	f.Fix = append([]diagnose.Fix{
		{Text: "If a PostSync hook uses it, run that hook in the Sync phase, in Git", Patch: "metadata:\n  annotations:\n    argocd.argoproj.io/hook: Sync\n    argocd.argoproj.io/hook-delete-policy: BeforeHookCreation\n"},
		{Text: "If no pod uses it until later, use a storage class that binds at once (volumeBindingMode: Immediate); these show theirs", Command: "kubectl get storageclass"},
	}, f.Fix...)
}

// waveOf is the annotation that puts a resource into a wave.
func waveOf(ref evidence.Ref, n int64) string {
	return fmt.Sprintf("# on %s\nmetadata:\n  annotations:\n    argocd.argoproj.io/sync-wave: \"%d\"\n", ref, n)
}

// explainObject is about a resource without a pod that says anything: its last warning, its conditions, what Argo CD says of it.
func (w wait) explainObject(f *diagnose.Finding) {
	complaint, complains := unhealthy.ComplaintOf(w.object)
	e := pods.LastWarning(w.events)
	if e == nil && w.ref.Kind == "PersistentVolumeClaim" { // of which Kubernetes does not warn
		e = pods.LastEvent(w.events, "FailedBinding")
	}
	if w.health != "" {
		f.Evidence = append(f.Evidence, diagnose.Quote{From: w.ref.String(), Text: w.health})
	}
	switch {
	case e != nil:
		f.Says = diagnose.Said{Who: "Its last event says", Text: text.OneLine(pods.CreateRefusal(e))}
		f.Evidence = append(f.Evidence, diagnose.Quote{From: pods.EventName(e), Text: e.Message})
		if w.health != "" {
			f.Why = text.Paragraph(f.Why, text.Sentence("Argo CD says: "+w.health))
		}
	case complains && complaint.Text != "" && !onlyUnready(complaint.Text):
		f.Says = complaint.Says()
		f.Evidence = append(f.Evidence, diagnose.Quote{From: w.ref.String(), Text: complaint.Quote()})
	case w.health != "":
		f.Says = diagnose.Said{Who: "Argo CD says", Text: w.health}
		if reason := text.OneLine(w.object.Text("status", "phaseReason")); reason != "" && !strings.Contains(w.health, reason) {
			f.Says.Text = strings.TrimRight(w.health, ". ") + ": " + reason
		}
	case complains && complaint.Text != "":
		f.Says = complaint.Says()
		f.Evidence = append(f.Evidence, diagnose.Quote{From: w.ref.String(), Text: complaint.Quote()})
	}
	if w.silent() {
		why, fix := unhealthy.Silence(w.in, w.ref, w.below)
		f.Why = text.Paragraph(f.Why, why)
		f.Fix = append(fix, f.Fix...)
		return
	}
	switch {
	case e != nil:
		w.explainOrder(f, e.Message)
	case complains:
		w.explainOrder(f, complaint.Text)
	}
	if e != nil {
		f.Fix = slices.Concat(grantSteps(e.Message), w.kindSteps(e.Message), f.Fix)
	} else {
		f.Fix = append(w.kindSteps(""), f.Fix...)
	}
	switch {
	case w.noAddress() && w.ref.Kind == "Ingress":
		f.Why = text.Paragraph(f.Why, "Argo CD counts an Ingress as healthy only once its controller has written an address into its status.")
		if e != nil { // its controller works on it, and says what keeps it from that
			break
		}
		f.Fix = append(f.Fix,
			diagnose.Fix{Text: "List the ingress classes and their controllers", Command: "kubectl get ingressclass"},
			publishStep(w.object),
			advice.HealthCheck(w.in, "If its controller never publishes addresses, replace the health check", w.ref, "always healthy: its controller publishes no address"))
	case w.noAddress() && w.externalIPs(f):
	case w.noAddress():
		f.Why = text.Paragraph(f.Why, "Argo CD counts a Service of type LoadBalancer as healthy only once it has an address.")
		if e == nil && len(w.events) == 0 {
			f.Fix = append(f.Fix, diagnose.Fix{Text: "If nothing in this cluster gives addresses to load balancers (bare metal without MetalLB, for one), install that, or use another type of Service in Git"})
		}
	case f.Says.Text == "" && !advice.BuiltIn(w.ref):
		f.Confidence = diagnose.Likely
		f.Why = text.Paragraph(f.Why, fmt.Sprintf("Argo CD relies on the health check for kind %s; if that never reports Healthy, the sync waits forever.", w.ref.Kind))
		f.Fix = append(f.Fix, advice.HealthCheck(w.in, "If the object is fine, correct the health check of its kind", w.ref, "read obj.status here"))
	}
}

// storeKey is how External Secrets names what it could not read.
var storeKey = pattern.MustCompile(`\(key: ([^,)]+)`)

// noIssuer is how cert-manager says that what a Certificate refers to does not exist.
var noIssuer = pattern.MustCompile(`Referenced "(\w+)" not found: \S+ "([^"]+)" not found`)

// kindSteps are what a person looks at first who knows resources of its kind.
func (w wait) kindSteps(warning string) []diagnose.Fix {
	switch {
	case w.ref.Kind == "Certificate" && w.ref.Group == "cert-manager.io":
		if m := noIssuer.FindStringSubmatch(warning); m != nil {
			return advice.Steps(fmt.Sprintf("Create %s/%s, or correct spec.issuerRef of the Certificate in Git", m[1], m[2]))
		}
		return []diagnose.Fix{{Text: "Find what the issuer waits for: the last of these that is not done says it", Command: diagnose.Shell("kubectl %sget certificaterequests,orders,challenges", advice.InNamespace(w.ref))}}
	case w.ref.Kind == "PersistentVolumeClaim" && strings.Contains(warning, "no storage class is set"):
		return []diagnose.Fix{{Text: "In Git, set spec.storageClassName of the claim to one of these (the cluster has no default), or make one the default", Command: "kubectl get storageclass"}}
	case w.ref.Kind == "ExternalSecret" && storeKey.MatchString(warning):
		if message.HasAny(strings.ToLower(warning), "does not exist", "not found", "secretnotfound", "resourcenotfound", "no secret") {
			return []diagnose.Fix{{Text: fmt.Sprintf("Create %s in the secret store, or correct the key in Git", storeKey.FindStringSubmatch(warning)[1])}}
		}
	}
	return nil
}

// onlyUnready reports whether a condition only says that the object is not ready.
func onlyUnready(said string) bool {
	return unready.MatchString(said)
}

var unready = pattern.MustCompile(`(?i)^(?:the )?[\w-]+ (?:is |are )?not (?:yet )?(?:ready|available|healthy)\.?$`)

// publishStep is the setting by which an ingress controller writes its address into the status.
func publishStep(ingress evidence.Object) diagnose.Fix {
	class := strings.ToLower(cmp.Or(ingress.Text("spec", "ingressClassName"), ingress.Annotation("kubernetes.io/ingress.class")))
	switch {
	case strings.Contains(class, "traefik"):
		return diagnose.Fix{
			Text:  "Let Traefik publish the address of its Service: in the values of its chart (its flag is --providers.kubernetesingress.ingressendpoint.publishedservice)",
			Patch: "providers:\n  kubernetesIngress:\n    publishedService:\n      enabled: true\n",
		}
	case strings.Contains(class, "nginx"):
		return diagnose.Fix{
			Text:    "Let ingress-nginx publish an address: its Service needs one itself, and controller.publishService.enabled in the values of its chart must not be false (its flag is --publish-service)",
			Command: "kubectl get service -A --field-selector spec.type=LoadBalancer",
		}
	}
	return diagnose.Fix{Text: "Let its controller publish an address: the Service of the controller needs one itself", Command: "kubectl get service -A --field-selector spec.type=LoadBalancer"}
}

// awsDenied is how AWS refuses an action to a role.
var awsDenied = pattern.MustCompile(`User: arn:aws[\w-]*:sts::\d+:assumed-role/([^/ ]+)/\S+ is not authorized to perform: ([\w-]+:\w+)`)

// grantSteps grant what a warning says that an account may not do; none where it says nothing like that.
func grantSteps(warning string) []diagnose.Fix {
	if m := awsDenied.FindStringSubmatch(warning); m != nil {
		return advice.Steps(fmt.Sprintf("Allow %s in the policy of the IAM role %s", m[2], m[1]))
	}
	parsed := message.Parse(warning)
	v, ok := parsed.Forbidden()
	if !ok || v.Verb == "" || v.Resource == "" || v.Authorizer != "" {
		return nil
	}
	account := strings.ReplaceAll(strings.TrimPrefix(v.User, "system:serviceaccount:"), ":", "/")
	where, flag := "in the cluster", diagnose.Raw("")
	if v.Namespace != "" {
		where, flag = "in namespace "+v.Namespace, diagnose.Raw(diagnose.Shell("-n %s ", v.Namespace))
	}
	return []diagnose.Fix{
		{Text: fmt.Sprintf("In Git, let %s %s %s %s: extend its Role (and the resourceNames in it)", account, v.Verb, v.Resource, where)},
		{Text: "Show what it may do now", Command: diagnose.Shell("kubectl %sauth can-i --list --as=%s", flag, v.User)},
	}
}
