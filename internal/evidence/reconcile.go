package evidence

import "strconv"

// The annotations that decide whether and when the application controller looks at an application.
const (
	// AnnotationSkip has Argo CD leave an application, or a cluster, alone.
	AnnotationSkip = "argocd.argoproj.io/skip-reconcile"
	// AnnotationRefresh requests a refresh. The controller removes it once it has compared.
	AnnotationRefresh = "argocd.argoproj.io/refresh"
)

// IsSkipped reports whether the annotations say that Argo CD is to leave their object alone. It reads them as Argo CD does
// (canProcessApp in controller/appcontroller.go): what is not a boolean says nothing.
func IsSkipped(annotations map[string]string) bool {
	skip, err := strconv.ParseBool(annotations[AnnotationSkip])
	return err == nil && skip
}

// RefreshRequested is the kind of refresh that was requested and has not happened: "hard", or "normal" for any other; empty without one.
func (a *Application) RefreshRequested() string {
	switch kind, ok := a.Metadata.Annotations[AnnotationRefresh]; {
	case !ok:
		return ""
	case kind == "hard":
		return "hard"
	}
	return "normal"
}

// RefreshRequestedAt is a moment at which that refresh was already requested; zero where the Application does not tell.
func (a *Application) RefreshRequestedAt() Time {
	for _, m := range a.Metadata.ManagedFields {
		if m.Fields.Metadata.Annotations.Refresh != nil {
			return m.Time
		}
	}
	return Time{}
}

// NeverCompared reports whether no application controller has written anything about the application.
func (a *Application) NeverCompared() bool {
	st := a.Status
	return st.ReconciledAt.IsZero() && st.Sync.Status == "" && st.OperationState == nil && len(st.Conditions) == 0
}
