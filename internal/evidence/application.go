package evidence

import (
	"cmp"
	"encoding/json"
	"slices"
	"time"
)

// Application is an argoproj.io/v1alpha1 Application, as far as a diagnosis reads it.
type Application struct {
	APIVersion string            `json:"apiVersion,omitempty"`
	Kind       string            `json:"kind,omitempty"`
	Metadata   Metadata          `json:"metadata"`
	Spec       ApplicationSpec   `json:"spec"`
	Status     ApplicationStatus `json:"status"`
	// Operation is set while an operation is requested or running.
	Operation *Operation `json:"operation,omitempty"`

	// Wanted is a digest of the sources with all that they say, also what is not read, and Compared one of those that Argo CD compared with
	// last. Zero: nobody made one, or there is none.
	Wanted   Digest `json:"-"`
	Compared Digest `json:"-"`
	// Policy is one of spec.syncPolicy and spec.ignoreDifferences.
	Policy Digest `json:"-"`
}

// Metadata is the part of metav1.ObjectMeta that is read.
type Metadata struct {
	Name              string            `json:"name"`
	Namespace         string            `json:"namespace,omitempty"`
	UID               string            `json:"uid,omitempty"`
	Labels            map[string]string `json:"labels,omitempty"`
	Annotations       map[string]string `json:"annotations,omitempty"`
	Finalizers        []string          `json:"finalizers,omitempty"`
	CreationTimestamp Time              `json:"creationTimestamp,omitzero"`
	DeletionTimestamp Time              `json:"deletionTimestamp,omitzero"`
	OwnerReferences   []OwnerReference  `json:"ownerReferences,omitempty"`
	ManagedFields     []ManagedFields   `json:"managedFields,omitempty"`
}

// ManagedFields says when somebody last wrote to an object; of what they wrote, only whether they requested an operation or a refresh.
type ManagedFields struct {
	Time   Time `json:"time,omitzero"`
	Fields struct {
		Operation *struct{} `json:"f:operation,omitempty"`
		Metadata  struct {
			Annotations struct {
				Refresh *struct{} `json:"f:argocd.argoproj.io/refresh,omitempty"`
			} `json:"f:annotations,omitzero"`
		} `json:"f:metadata,omitzero"`
	} `json:"fieldsV1"`
}

// OwnerReference is the part of metav1.OwnerReference that is read.
type OwnerReference struct {
	Kind string `json:"kind"`
	Name string `json:"name"`
}

// ApplicationSet is the ApplicationSet that generates the application; empty where none does.
func (m Metadata) ApplicationSet() string {
	for _, o := range m.OwnerReferences {
		if o.Kind == "ApplicationSet" {
			return o.Name
		}
	}
	return ""
}

// ApplicationSpec says what should run where.
type ApplicationSpec struct {
	Project     string              `json:"project,omitempty"`
	Source      *ApplicationSource  `json:"source,omitempty"`
	Sources     []ApplicationSource `json:"sources,omitempty"`
	Destination Destination         `json:"destination"`
	SyncPolicy  *SyncPolicy         `json:"syncPolicy,omitempty"`
	// IgnoreDifferences are the differences that Argo CD is configured to ignore.
	IgnoreDifferences []IgnoredDifference `json:"ignoreDifferences,omitempty"`
	// SourceHydrator replaces the source where manifests are rendered into a branch before they are synced from there.
	SourceHydrator *SourceHydrator `json:"sourceHydrator,omitempty"`
}

// IgnoredDifference is one entry of spec.ignoreDifferences: of which resources (an empty name or namespace, or "*", means
// any) and which of their fields.
type IgnoredDifference struct {
	Group                 string   `json:"group,omitempty"`
	Kind                  string   `json:"kind"`
	Name                  string   `json:"name,omitempty"`
	Namespace             string   `json:"namespace,omitempty"`
	JSONPointers          []string `json:"jsonPointers,omitempty"`
	JQPathExpressions     []string `json:"jqPathExpressions,omitempty"`
	ManagedFieldsManagers []string `json:"managedFieldsManagers,omitempty"`
}

// ApplicationSource is one place manifests come from. Chart is set for Helm and OCI chart repositories.
type ApplicationSource struct {
	RepoURL        string `json:"repoURL"`
	Path           string `json:"path,omitempty"`
	TargetRevision string `json:"targetRevision,omitempty"`
	Chart          string `json:"chart,omitempty"`
	Ref            string `json:"ref,omitempty"`

	Helm *struct {
		Parameters []struct {
			Name  string `json:"name"`
			Value string `json:"value,omitempty"`
		} `json:"parameters,omitempty"`
		FileParameters []struct {
			Name string `json:"name"`
			Path string `json:"path,omitempty"`
		} `json:"fileParameters,omitempty"`
		ValueFiles []string `json:"valueFiles,omitempty"`
		// IgnoreMissingValueFiles: Argo CD leaves out those of ValueFiles that do not exist.
		IgnoreMissingValueFiles bool `json:"ignoreMissingValueFiles,omitempty"`
		// Values are those that the Application itself has, as YAML; ValuesObject are the same as a structure.
		Values       string          `json:"values,omitempty"`
		ValuesObject json.RawMessage `json:"valuesObject,omitempty"`
	} `json:"helm,omitempty"`
	Kustomize *struct {
		Images    []string `json:"images,omitempty"`
		Namespace string   `json:"namespace,omitempty"`
	} `json:"kustomize,omitempty"`
	// Directory is for plain manifests and Jsonnet; the paths of Libs are relative to the repository.
	Directory *struct {
		Recurse bool   `json:"recurse,omitempty"`
		Exclude string `json:"exclude,omitempty"`
		Jsonnet struct {
			Libs []string `json:"libs,omitempty"`
		} `json:"jsonnet,omitzero"`
	} `json:"directory,omitempty"`
	Plugin *struct {
		Name string `json:"name,omitempty"`
	} `json:"plugin,omitempty"`
}

// SyncPolicy is nil-able in every part, as in the API.
type SyncPolicy struct {
	Automated   *AutomatedSync `json:"automated,omitempty"`
	SyncOptions []string       `json:"syncOptions,omitempty"`
	Retry       *Retry         `json:"retry,omitempty"`
}

// AutomatedSync is auto-sync: present means on, unless Enabled says false (Argo CD 3.x).
type AutomatedSync struct {
	Prune      bool  `json:"prune,omitempty"`
	SelfHeal   bool  `json:"selfHeal,omitempty"`
	AllowEmpty bool  `json:"allowEmpty,omitempty"`
	Enabled    *bool `json:"enabled,omitempty"`
}

// Retry limits how often a failed sync is tried again.
type Retry struct {
	Limit int64 `json:"limit,omitempty"`
	// Refresh: each retry takes the newest revision. Without it, which is the default, all stay on the first.
	Refresh bool `json:"refresh,omitempty"`
}

// ApplicationStatus is what Argo CD last saw and did.
type ApplicationStatus struct {
	Sync           SyncStatus       `json:"sync"`
	Health         Health           `json:"health"`
	Conditions     []Condition      `json:"conditions,omitempty"`
	Resources      []ResourceStatus `json:"resources,omitempty"`
	OperationState *OperationState  `json:"operationState,omitempty"`
	History        []Deployment     `json:"history,omitempty"`
	ReconciledAt   Time             `json:"reconciledAt,omitzero"`
	// SourceType is what renders the manifests: Helm, Kustomize, Directory or Plugin.
	SourceType string `json:"sourceType,omitempty"`
	// SourceTypes are the same of several sources.
	SourceTypes []string `json:"sourceTypes,omitempty"`
	// ControllerNamespace is where Argo CD itself runs.
	ControllerNamespace string `json:"controllerNamespace,omitempty"`
	// SourceHydrator is what the hydrator last did.
	SourceHydrator HydratorStatus `json:"sourceHydrator,omitzero"`
}

// SyncStatus is the result of the comparison: Synced, OutOfSync or Unknown, and the revision compared.
type SyncStatus struct {
	Status    string   `json:"status,omitempty"`
	Revision  string   `json:"revision,omitempty"`
	Revisions []string `json:"revisions,omitempty"`
}

// Health is Healthy, Progressing, Degraded, Suspended, Missing or Unknown.
type Health struct {
	Status             string `json:"status,omitempty"`
	Message            string `json:"message,omitempty"`
	LastTransitionTime Time   `json:"lastTransitionTime,omitzero"`
}

// Condition is one of Argo CD's application conditions: ComparisonError, InvalidSpecError, SyncError, …
type Condition struct {
	Type               string `json:"type"`
	Message            string `json:"message"`
	LastTransitionTime Time   `json:"lastTransitionTime,omitzero"`
}

// ResourceStatus is one line of status.resources. Health is nil where Argo CD knows no health check, or (3.x) leaves it out.
type ResourceStatus struct {
	Group           string  `json:"group,omitempty"`
	Version         string  `json:"version,omitempty"`
	Kind            string  `json:"kind"`
	Namespace       string  `json:"namespace,omitempty"`
	Name            string  `json:"name"`
	Status          string  `json:"status,omitempty"`
	Health          *Health `json:"health,omitempty"`
	Hook            bool    `json:"hook,omitempty"`
	RequiresPruning bool    `json:"requiresPruning,omitempty"`
	// RequiresDeletionConfirmation: it has the sync option Delete=confirm, or (Argo CD 3.x) Prune=confirm.
	RequiresDeletionConfirmation bool  `json:"requiresDeletionConfirmation,omitempty"`
	SyncWave                     int64 `json:"syncWave,omitempty"`
}

// Ref names the object of the line.
func (r ResourceStatus) Ref() Ref {
	return Ref{Group: r.Group, Kind: r.Kind, Namespace: r.Namespace, Name: r.Name}
}

// Deployment is one line of status.history: a sync that succeeded.
type Deployment struct {
	ID              int64    `json:"id"`
	Revision        string   `json:"revision,omitempty"`
	Revisions       []string `json:"revisions,omitempty"`
	DeployedAt      Time     `json:"deployedAt,omitzero"`
	DeployStartedAt Time     `json:"deployStartedAt,omitzero"`
	// Source is where the manifests came from, with the overrides of that moment; nil for several sources.
	Source *ApplicationSource `json:"source,omitempty"`
	// Sources are the same of several.
	Sources []ApplicationSource `json:"sources,omitempty"`
}

// AutoSync reports whether Argo CD syncs this application by itself.
func (a *Application) AutoSync() bool {
	p := a.Spec.SyncPolicy
	return p != nil && p.Automated != nil && (p.Automated.Enabled == nil || *p.Automated.Enabled)
}

// HasSyncOption reports whether the application carries the option, e.g. "ServerSideApply=true".
func (a *Application) HasSyncOption(option string) bool {
	return a.Spec.SyncPolicy != nil && slices.Contains(a.Spec.SyncPolicy.SyncOptions, option)
}

// ProjectName is the project as Argo CD reads it, which takes an empty one for the default one.
func (a *Application) ProjectName() string { return cmp.Or(a.Spec.Project, "default") }

// LastDeployment is the newest entry of the history, nil when there is none.
func (a *Application) LastDeployment() *Deployment {
	h := a.Status.History
	if len(h) == 0 {
		return nil
	}
	return &h[len(h)-1]
}

// Source is the i-th source (from 1, as Argo CD counts in its messages), or the only one; empty when there are several and i names none.
func (a *Application) Source(i int) ApplicationSource {
	if i >= 1 && i <= len(a.Spec.Sources) {
		return a.Spec.Sources[i-1]
	}
	if len(a.Spec.Sources) > 1 {
		return ApplicationSource{} // which of them is not said
	}
	if a.Spec.Source != nil {
		return *a.Spec.Source
	}
	if h := a.Spec.SourceHydrator; h != nil {
		return h.synced()
	}
	if len(a.Spec.Sources) > 0 {
		return a.Spec.Sources[0]
	}
	return ApplicationSource{}
}

// Rendered is the only source that makes manifests, beside those that are only referred to for their files; empty where there are several.
func (a *Application) Rendered() ApplicationSource {
	all := slices.DeleteFunc(slices.Clone(a.Spec.Sources), func(s ApplicationSource) bool { return s.Ref != "" && s.Chart == "" && s.Path == "" })
	if len(all) == 1 {
		return all[0]
	}
	return a.Source(0)
}

// Resource finds the status line of an object; nil when Argo CD does not list it.
func (a *Application) Resource(ref Ref) *ResourceStatus {
	for i := range a.Status.Resources {
		if a.Status.Resources[i].Ref().Same(ref) {
			return &a.Status.Resources[i]
		}
	}
	return nil
}

// ArgoNamespace is the namespace that Argo CD runs in, as the status says; the usual one where it does not.
func (a *Application) ArgoNamespace() string { return cmp.Or(a.Status.ControllerNamespace, "argocd") }

// DeletionApproved reports whether someone has confirmed the pending deletions of the application since then.
func (a *Application) DeletionApproved(since Time) bool {
	at, err := time.Parse(time.RFC3339, a.Metadata.Annotations["argocd.argoproj.io/deletion-approved"])
	return err == nil && !at.Before(since.Time)
}
