package health

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/evidence/clean"
)

// maker is the resource of the application that should provide what is missing.
type maker struct {
	ref       evidence.Ref
	status    *evidence.ResourceStatus
	unhealthy *unhealthy.Resource
}

// makerOf looks for the object itself among the application's resources, and for what makes Secrets of that name. An unhealthy
// ExternalSecret that was not read may write to another name than its own.
func makerOf(in *diagnose.In, p *unhealthy.Picture, kind, namespace, name string) maker {
	if r := statement.OwnIn(in, kind, namespace, name); r != nil {
		return maker{ref: r.Ref(), status: r}
	}
	if m := wantedMaker(in, kind, namespace, name); m.status != nil {
		return m
	}
	for _, s := range p.Resources {
		if !inNamespace(s.Ref, namespace) {
			continue
		}
		writes := s.MakesSecret() && s.SecretName() == name || strings.HasSuffix(s.Ref.Kind, "Store") && s.Rule == ExternalSecret
		if kind == "Secret" && (s.Status == "Degraded" || s.MakesSecret()) && (writes || s.MakesSecret() && s.Object == nil && strings.Contains(name, s.Ref.Name)) {
			return maker{ref: s.Ref, unhealthy: s, status: in.Resource(s.Ref)}
		}
	}
	for i := range in.App().Status.Resources {
		r := &in.App().Status.Resources[i]
		switch r.Kind {
		case "ExternalSecret", "SealedSecret", "VaultStaticSecret", "Certificate", "ObjectBucketClaim", "SecretProviderClass", "BitwardenSecret", "OnePasswordItem", "InfisicalSecret":
			if r.Name == name && inNamespace(r.Ref(), namespace) {
				return maker{ref: r.Ref(), status: r}
			}
		}
	}
	return maker{}
}

// inNamespace reports whether what a resource makes can be in the namespace; one without a namespace makes it in any.
func inNamespace(ref evidence.Ref, namespace string) bool {
	return ref.Namespace == namespace || ref.Namespace == "" || namespace == ""
}

// wantedMaker is the resource that is not in the cluster and in Git says that it makes the Secret: a Certificate by its secretName, an
// ExternalSecret by its target.
func wantedMaker(in *diagnose.In, kind, namespace, name string) maker {
	if kind != "Secret" {
		return maker{}
	}
	for i := range in.App().Status.Resources {
		m := maker{status: &in.App().Status.Resources[i]}
		m.ref = m.status.Ref()
		if !unhealthy.MakesSecret(m.ref.Kind) || !inNamespace(m.ref, namespace) || !m.absent(in) {
			continue
		}
		states, known := managedStates(in)
		if !known {
			return maker{}
		}
		if o := clean.Target(states.Find(m.ref)); o != nil && cmp.Or(unhealthy.SecretName(o), m.ref.Name) == name {
			return m
		}
	}
	return maker{}
}

// managedStates are what Git and the cluster have of the application's resources.
func managedStates(in *diagnose.In) (states *evidence.Index[evidence.ResourceDiff], known bool) {
	return diagnose.Once(in, "managed states", func() (*evidence.Index[evidence.ResourceDiff], bool) {
		read := diagnose.Get[[]evidence.ResourceDiff]
		if !in.About().IsZero() { // it has its calls already
			read = diagnose.Look[[]evidence.ResourceDiff]
		}
		managed, known := read(in, evidence.FactManaged)
		return evidence.IndexOf(managed), known
	})
}

// absent reports whether Git has it and the cluster does not. Argo CD may leave out the health, and has none for some kinds.
func (m maker) absent(in *diagnose.In) bool {
	if m.status.Health != nil && m.status.Health.Status != "" {
		return m.status.Health.Status == "Missing"
	}
	if m.status.Status != "OutOfSync" {
		return false
	}
	states, _ := managedStates(in)
	d := states.Find(m.ref)
	return d != nil && !d.LiveState.Exists() && d.TargetState.Exists()
}

// refused reports whether the last sync tried to apply it in vain.
func (m maker) refused(in *diagnose.In) bool {
	op := in.App().CurrentOperation()
	if !op.Failed() && !op.Running() {
		return false
	}
	for _, r := range op.Results() {
		if r.Status == evidence.ResultSyncFailed && r.Ref().Same(m.ref) {
			return true
		}
	}
	return false
}

// awaited says that what is missing comes with its maker, which is itself not in the cluster. Where a sync failed, that is why, and not
// another cause.
func (m maker) awaited(in *diagnose.In, s *unhealthy.Resource, f *diagnose.Finding) {
	needy := in.Resource(s.Ref)
	makes, it := fmt.Sprintf(" %s in this application makes it", m.ref), "that"
	if !unhealthy.MakesSecret(m.ref.Kind) {
		makes, it = " It is part of this application", "it"
	}
	switch {
	case m.refused(in):
		f.Role = diagnose.RoleEffect
		f.Why += makes + ", but the last sync could not apply " + it + "."
		f.Fix = append(f.Fix, diagnose.Fix{Text: fmt.Sprintf("Get %s applied first: the sync result of it says what is in the way", m.ref)})
	case in.App().CurrentOperation().Failed():
		f.Role = diagnose.RoleEffect
		f.Why += makes + ", and is not in the cluster: the last sync failed."
		f.Fix = append(f.Fix, diagnose.Fix{Text: "Get the sync through first; it applies " + m.ref.String()})
	case needy != nil && needy.SyncWave < m.status.SyncWave:
		f.Why += fmt.Sprintf("%s, in sync wave %d%s.", makes, m.status.SyncWave, waveOrder(s.Ref, needy.SyncWave, m.status.SyncWave))
		f.Fix = append(f.Fix, ownObjectFix(in, s, m))
	default:
		f.Why += makes + ", and is not in the cluster."
		f.Fix = append(f.Fix, diagnose.Fix{Text: fmt.Sprintf("Check why %s was not created, or who deleted it", m.ref), Command: diagnose.Shell("kubectl %sget %s", advice.InNamespace(m.ref), m.ref.Resource())})
	}
}
