package evidence

import (
	"fmt"
	"strings"
)

// ConnectionKind is what Argo CD is connected to.
type ConnectionKind string

// The kinds of connection that Argo CD shows the state of.
const (
	ConnectionToRepository ConnectionKind = "repository"
	ConnectionToCluster    ConnectionKind = "cluster"
	// ConnectionOfController is what the application controller tells Argo CD of a cluster. It fails where the controller has stopped to.
	ConnectionOfController ConnectionKind = "controller"
)

// ControllerSilent begins the message of a controller that has stopped reporting, which Argo CD itself has no words for.
const ControllerSilent = "the application controller has not reported on"

// Connection is one of Argo CD's connections, as it was when Argo CD last looked.
type Connection struct {
	Kind ConnectionKind `json:"kind"`
	// Address is the URL of the repository, or of the cluster's API server.
	Address string `json:"address"`
	// Name is what Argo CD calls it; "" for a repository without a name. Project is the only one that it is for.
	Name    string `json:"name,omitempty"`
	Project string `json:"project,omitempty"`
	// Type is git, helm or oci, of a repository; OCI: a registry that Helm logs in to.
	Type string `json:"type,omitempty"`
	OCI  bool   `json:"oci,omitempty"`
	// Status is ConnectionFailed, ConnectionSuccessful, or anything else where Argo CD does not know. Message is the error.
	Status  string `json:"status,omitempty"`
	Message string `json:"message,omitempty"`
	// Tested is when Argo CD found that out: the state of a repository may be an hour old.
	Tested Time `json:"tested,omitzero"`
	// Resources are how many objects Argo CD keeps of a cluster, Version is that of its API server.
	Resources int64  `json:"resources,omitempty"`
	Version   string `json:"version,omitempty"`
	// Skipped: an annotation tells the application controller to leave the cluster alone.
	Skipped bool `json:"skipped,omitempty"`
}

const (
	// refusal is what argocd-server puts before an error (getConnectionState in server/repository/repository.go), tested what the repo-server
	// does (TestRepository in reposerver/repository/repository.go).
	refusal = "Unable to connect to repository: "
	tested  = "rpc error: code = Unknown desc = error testing repository connectivity: "
	// listing is what git's part of the repo-server puts before both (lsRemote in util/git/client.go).
	listing = "failed to list refs: "
)

// Fails reports whether Argo CD says that it does. A test that did not reach the repo-server says nothing about the repository, and Argo CD
// keeps that result for an hour, too, long after the repo-server is back; what fails of that, applications show within minutes.
func (c *Connection) Fails() bool {
	untested := c.Kind == ConnectionToRepository && strings.HasPrefix(c.Message, refusal+"rpc error: code = Unavailable ")
	return c.Status == ConnectionFailed && !untested
}

// Case is what Argo CD would say of an application that is compared over this connection as it is: then the cause has the same words as
// those of the applications that fail of it later. The specification is that of one that depends on it.
func (c *Connection) Case(metadata Metadata, spec ApplicationSpec, repositories []Repository) *Case {
	app := &Application{Metadata: metadata, Spec: spec}
	app.Status.Sync.Status, app.Status.Health.Status = "Unknown", "Unknown"
	app.Status.Conditions = []Condition{{Type: "ComparisonError", Message: c.comparisonError()}}
	return &Case{Version: CaseVersion, Now: c.Tested, Application: app, Repositories: repositories}
}

func (c *Connection) comparisonError() string {
	if c.Kind == ConnectionOfController {
		return c.Message
	}
	if c.Kind == ConnectionToCluster {
		return fmt.Sprintf("Failed to load live state: failed to get cluster info for %q: %s", c.Address, c.Message)
	}
	said := strings.TrimPrefix(c.Message, refusal)
	if remote, ok := strings.CutPrefix(said, tested); ok {
		remote = strings.TrimPrefix(remote, "unable to ls-remote HEAD on repository: "+listing) // TestRepo in util/git/git.go
		said = "rpc error: code = Unknown desc = " + c.attempt() + remote
	}
	return "Failed to load target state: failed to generate manifest for source 1 of 1: " + said
}

// attempt is what the repo-server puts before an error when it reads the repository for an application.
func (c *Connection) attempt() string {
	switch {
	case c.Type == "oci" || c.OCI:
		return "error fetching chart: failed to fetch chart: "
	case c.Type == "helm":
		return "error resolving repo revision: "
	}
	return listing
}
