package evidence

import "strings"

// Event is a core/v1 Event.
type Event struct {
	Type           string `json:"type,omitempty"`
	Reason         string `json:"reason,omitempty"`
	Message        string `json:"message,omitempty"`
	Count          int64  `json:"count,omitempty"`
	InvolvedObject struct {
		Kind      string `json:"kind,omitempty"`
		Namespace string `json:"namespace,omitempty"`
		Name      string `json:"name,omitempty"`
		UID       string `json:"uid,omitempty"`
	} `json:"involvedObject"`
	FirstTimestamp Time `json:"firstTimestamp,omitzero"`
	LastTimestamp  Time `json:"lastTimestamp,omitzero"`
	EventTime      Time `json:"eventTime,omitzero"`
}

// Ref names the object the event is about; the group is unknown.
func (e Event) Ref() Ref {
	return Ref{Kind: e.InvolvedObject.Kind, Namespace: e.InvolvedObject.Namespace, Name: e.InvolvedObject.Name}
}

// Log is the tail of one container's log. Previous is the run before the last restart.
type Log struct {
	Namespace string `json:"namespace,omitempty"`
	Pod       string `json:"pod"`
	Container string `json:"container,omitempty"`
	Previous  bool   `json:"previous,omitempty"`
	Text      string `json:"text"`
}

// SyncWindows is Argo CD's ApplicationSyncWindowsResponse. CanSync is nil where the answer leaves it out.
type SyncWindows struct {
	ActiveWindows   []SyncWindow `json:"activeWindows,omitempty"`
	AssignedWindows []SyncWindow `json:"assignedWindows,omitempty"`
	CanSync         *bool        `json:"canSync,omitempty"`
}

// SyncWindow allows or denies syncs: Schedule is a cron expression in TimeZone (UTC if empty), Duration a Go duration.
type SyncWindow struct {
	Kind       string `json:"kind,omitempty"`
	Schedule   string `json:"schedule,omitempty"`
	Duration   string `json:"duration,omitempty"`
	ManualSync bool   `json:"manualSync,omitempty"`
	TimeZone   string `json:"timeZone,omitempty"`
}

// ResourceDiff is one managed resource: its desired and its live state.
type ResourceDiff struct {
	Group               string `json:"group,omitempty"`
	Kind                string `json:"kind"`
	Namespace           string `json:"namespace,omitempty"`
	Name                string `json:"name"`
	TargetState         State  `json:"targetState,omitempty"`
	LiveState           State  `json:"liveState,omitempty"`
	NormalizedLiveState State  `json:"normalizedLiveState,omitempty"`
	PredictedLiveState  State  `json:"predictedLiveState,omitempty"`
	Hook                bool   `json:"hook,omitempty"`
	Modified            bool   `json:"modified,omitempty"`
}

// State is a managed resource in Git or in the cluster: an object as JSON text, "null" where there is none, "" where that is
// not known. It has the secrets that the object has, because two states are compared, and two secrets that differ must not
// look alike. So it is no text that could get into a sentence: a rule reads it with the package clean.
type State string

// String does not show the state.
func (State) String() string { return "(not shown)" }

// Exists reports whether there is an object.
func (s State) Exists() bool { return s != "" && s != "null" }

// Mentions reports whether a name occurs anywhere in the state.
func (s State) Mentions(name string) bool { return strings.Contains(string(s), name) }

// WithoutNotes is the state without what was applied last and who wrote which field: these name fields that the object does not have.
func (s State) WithoutNotes() State {
	if i := strings.Index(string(s), `"managedFields"`); i >= 0 {
		if end := strings.Index(string(s[i:]), `"spec"`); end >= 0 {
			return s[i+end:]
		}
	}
	return s
}

// Ref names the resource.
func (d ResourceDiff) Ref() Ref {
	return Ref{Group: d.Group, Kind: d.Kind, Namespace: d.Namespace, Name: d.Name}
}

// Project is an AppProject, as far as a diagnosis reads it.
type Project struct {
	Metadata Metadata `json:"metadata"`
	Spec     struct {
		SourceRepos []string `json:"sourceRepos,omitempty"`
		// Destinations are where its applications can, and with a pattern that begins with "!" cannot, be deployed to.
		Destinations []Destination `json:"destinations,omitempty"`
		// The kinds that its applications can, or cannot, have. No list of allowed namespaced kinds allows all of them.
		ClusterResourceWhitelist   []GroupKind `json:"clusterResourceWhitelist,omitempty"`
		ClusterResourceBlacklist   []GroupKind `json:"clusterResourceBlacklist,omitempty"`
		NamespaceResourceWhitelist []GroupKind `json:"namespaceResourceWhitelist,omitempty"`
		NamespaceResourceBlacklist []GroupKind `json:"namespaceResourceBlacklist,omitempty"`
		// SourceNamespaces are where its applications can be, besides the namespace of Argo CD.
		SourceNamespaces []string `json:"sourceNamespaces,omitempty"`
		// DestinationServiceAccounts are the accounts that Argo CD acts as, by destination.
		DestinationServiceAccounts []struct {
			Server                string `json:"server"`
			Namespace             string `json:"namespace"`
			DefaultServiceAccount string `json:"defaultServiceAccount"`
		} `json:"destinationServiceAccounts,omitempty"`
		// SyncWindows have the time zones, which Argo CD's answer about an application's windows leaves out.
		SyncWindows []SyncWindow `json:"syncWindows,omitempty"`
	} `json:"spec"`
}

// GroupKind is a kind in a list of a project; both parts may be patterns.
type GroupKind struct {
	Group string `json:"group"`
	Kind  string `json:"kind"`
}

// Repository is a repository that is registered in Argo CD, with or without credentials.
type Repository struct {
	Repo     string `json:"repo"`
	Username string `json:"username,omitempty"`
	// Type is git, helm or oci. Charts can name a Helm repository by its Name.
	Type string `json:"type,omitempty"`
	Name string `json:"name,omitempty"`
	// Project is the project whose applications alone use it; empty for all.
	Project string `json:"project,omitempty"`
	// What the answer leaves out is false.
	EnableLFS bool `json:"enableLfs,omitempty"`
	EnableOCI bool `json:"enableOCI,omitempty"`
	// ConnectionState is how Argo CD's last test of the connection ended.
	ConnectionState struct {
		Status  string `json:"status,omitempty"`
		Message string `json:"message,omitempty"`
	} `json:"connectionState,omitzero"`
}

// How a test of a connection ends.
const (
	ConnectionFailed     = "Failed"
	ConnectionSuccessful = "Successful"
)
