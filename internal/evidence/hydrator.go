package evidence

// SourceHydrator is spec.sourceHydrator: manifests are rendered from the dry source, committed to a branch, and synced from there.
type SourceHydrator struct {
	DrySource struct {
		RepoURL        string `json:"repoURL"`
		TargetRevision string `json:"targetRevision,omitempty"`
		Path           string `json:"path,omitempty"`
	} `json:"drySource"`
	SyncSource struct {
		TargetBranch string `json:"targetBranch"`
		Path         string `json:"path,omitempty"`
	} `json:"syncSource"`
	// HydrateTo is the branch that is committed to, where somebody has to merge it into that of the sync source.
	HydrateTo *struct {
		TargetBranch string `json:"targetBranch"`
	} `json:"hydrateTo,omitempty"`
}

// Branch is the one that the hydrator commits to.
func (h *SourceHydrator) Branch() string {
	if h.HydrateTo != nil {
		return h.HydrateTo.TargetBranch
	}
	return h.SyncSource.TargetBranch
}

// synced is the source that Argo CD syncs from.
func (h *SourceHydrator) synced() ApplicationSource {
	return ApplicationSource{RepoURL: h.DrySource.RepoURL, Path: h.SyncSource.Path, TargetRevision: h.SyncSource.TargetBranch}
}

// HydratorStatus is status.sourceHydrator.
type HydratorStatus struct {
	CurrentOperation *HydrateOperation `json:"currentOperation,omitempty"`
	// LastSuccessfulOperation is nil as long as nothing was hydrated.
	LastSuccessfulOperation *HydrateOperation `json:"lastSuccessfulOperation,omitempty"`
}

// Phases of the hydrator, as Argo CD writes them.
const (
	HydratorRunning  = "Hydrating"
	HydratorFailed   = "Failed"
	HydratorFinished = "Hydrated"
)

// HydrateOperation is one run of the hydrator: DrySHA is the commit that it renders, HydratedSHA the one that it made of it.
type HydrateOperation struct {
	Phase       string `json:"phase,omitempty"`
	Message     string `json:"message,omitempty"`
	StartedAt   Time   `json:"startedAt,omitzero"`
	FinishedAt  Time   `json:"finishedAt,omitzero"`
	DrySHA      string `json:"drySHA,omitempty"`
	HydratedSHA string `json:"hydratedSHA,omitempty"`
}
