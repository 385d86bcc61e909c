package gateway

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/argo"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/evidence/clean"
	"github.com/argo-why/argo-why/internal/policy"
	"github.com/argo-why/argo-why/internal/sanitize"
)

// Dependency is a repository or a cluster as Argo CD is connected to it, clean of secrets, with what depends on it.
type Dependency struct {
	evidence.Connection
	// Dependents are the applications that are made of the repository, or deployed to the cluster, sorted. Nobody asks for those of one that
	// works.
	Dependents []diagnose.AppName
	// Report says why it fails, as one about an application would. It is nil where the connection does not fail, or nothing depends on it.
	Report *diagnose.Report
}

// MissingRightError says that an account can see no connection of a kind, because it lacks a right.
type MissingRightError struct {
	// Account is whose right it is, Resource what it is about: "clusters".
	Account, Resource string
}

func (e *MissingRightError) Error() string {
	return "the account lacks the right to get " + e.Resource + ": " + policy.Grant(e.Account, e.Resource, "get", "*")
}

// Connections reads how Argo CD sees its connections, as it found out last: it is not asked to test any. read are the kinds that could be
// read; of the others nothing is known, and err says why. Why one fails is found out once, for which one application is read.
func (in *Instance) Connections(ctx context.Context) (all []Dependency, read []evidence.ConnectionKind, err error) {
	var errs []error
	take := func(kind evidence.ConnectionKind, resource string, found []evidence.Connection, err error) {
		if err == nil && len(found) == 0 { // Argo CD leaves out what the account must not see
			err = in.mayGet(ctx, resource)
		}
		if err != nil {
			errs = append(errs, err)
			return
		}
		read = append(read, kind)
		for _, c := range clean.Fact(ctx, found) {
			all = append(all, Dependency{Connection: c})
		}
	}
	repositories, listed, err := in.conn.Argo.Repositories(ctx)
	take(evidence.ConnectionToRepository, "repositories", repositories, err)
	clusters, err := in.conn.Argo.Clusters(ctx)
	if err == nil && len(clusters) > 0 {
		take(evidence.ConnectionOfController, "clusters", in.controllerReports(clusters, time.Now()), nil)
	}
	take(evidence.ConnectionToCluster, "clusters", clusters, err)
	in.addDependents(all)
	failing := map[string]*diagnose.Report{}
	for i := range all {
		c := &all[i]
		if !c.Fails() || len(c.Dependents) == 0 {
			continue
		}
		key := strings.Join([]string{string(c.Kind), c.Address, c.Project, c.Message}, "\n")
		report, err := in.whyNot(ctx, key, c, listed)
		if err != nil {
			errs = append(errs, fmt.Errorf("diagnose the connection to %s: %w", c.Address, err))
			continue
		}
		c.Report, failing[key] = report, report
	}
	in.mu.Lock()
	in.failing = failing
	in.mu.Unlock()
	return all, read, errors.Join(errs...)
}

// mayGet is an error where the account lacks a right.
func (in *Instance) mayGet(ctx context.Context, resource string) error {
	may, err := in.conn.Argo.CanI(ctx, resource, "get", "*")
	if err != nil || may {
		return err
	}
	who, err := in.conn.Argo.Whoami(ctx)
	if err != nil {
		return err
	}
	return &MissingRightError{Account: who.Subject(), Resource: resource}
}

// addDependents finds the applications that depend on the connections that fail, or that Argo CD does not know about: it has no
// information about a cluster without applications.
func (in *Instance) addDependents(all []Dependency) {
	works := func(c *Dependency) bool { return c.Status == evidence.ConnectionSuccessful }
	if !slices.ContainsFunc(all, func(c Dependency) bool { return !works(&c) }) {
		return
	}
	byKey, own := map[string][]*Dependency{}, map[string]bool{}
	for i := range all {
		c := &all[i]
		for _, key := range keysOf(&c.Connection) {
			byKey[key] = append(byKey[key], c)
			own[c.Project+"\n"+key] = true
		}
	}
	for app, e := range in.Directory.All() {
		for _, key := range append(strings.Fields(e.Repositories), e.Cluster) {
			for _, c := range byKey[key] {
				scoped := own[e.Project+"\n"+key] // the project has one of its own
				if !works(c) && (c.Project == e.Project || c.Project == "" && !scoped) && !slices.Contains(c.Dependents, app) {
					c.Dependents = append(c.Dependents, app)
				}
			}
		}
	}
	for i := range all {
		slices.SortFunc(all[i].Dependents, byName)
	}
}

// DependentsOf are the applications that depend on connections, each once, sorted.
func (in *Instance) DependentsOf(connections []evidence.Connection) (apps []diagnose.AppName) {
	var all []Dependency
	for _, c := range connections {
		c.Status = evidence.ConnectionFailed // nobody asks about one that works
		all = append(all, Dependency{Connection: c})
	}
	in.addDependents(all)
	for i := range all {
		apps = append(apps, all[i].Dependents...)
	}
	slices.SortFunc(apps, byName)
	return slices.Compact(apps)
}

func byName(a, b diagnose.AppName) int {
	return cmp.Or(strings.Compare(a.Namespace, b.Namespace), strings.Compare(a.Name, b.Name))
}

// keysOf are by what applications name what a connection leads to.
func keysOf(c *evidence.Connection) []string {
	if c.Kind == evidence.ConnectionToRepository {
		return []string{argo.RepositoryKey(c.Address)}
	}
	keys := []string{c.Address}
	if c.Name != "" && c.Name != c.Address {
		keys = append(keys, c.Name)
	}
	return keys
}

// whyNot is why a connection fails: what a diagnosis of an application says that depends on it.
func (in *Instance) whyNot(ctx context.Context, key string, c *Dependency, repositories []evidence.Repository) (*diagnose.Report, error) {
	in.mu.Lock()
	known := in.failing[key]
	in.mu.Unlock()
	if known != nil {
		return known, nil
	}
	example := c.Dependents[0]
	metadata, spec := evidence.Metadata{Name: example.Name, Namespace: example.Namespace}, evidence.ApplicationSpec{}
	if app, err := in.subject(ctx, example, in.app(example)); err == nil {
		spec = app.Spec
	}
	spec = only(&c.Connection, spec)
	report, err := Diagnose(ctx, in.engine, c.Case(metadata, spec, repositories).Source(), time.Now().UTC().Truncate(time.Second))
	if err != nil {
		return nil, err
	}
	report.OfConnection(in.Name, &c.Connection)
	return sanitize.Report(report), nil
}

// only is the specification of an application as far as a connection is concerned.
func only(c *evidence.Connection, spec evidence.ApplicationSpec) evidence.ApplicationSpec {
	if c.Kind != evidence.ConnectionToRepository {
		if spec.Destination == (evidence.Destination{}) { // else it names the cluster as those do that fail later
			spec.Destination.Server = c.Address
		}
		return spec
	}
	source := evidence.ApplicationSource{RepoURL: c.Address}
	for _, s := range append(spec.Sources, given(spec.Source)...) {
		if argo.RepositoryKey(s.RepoURL) == argo.RepositoryKey(c.Address) {
			source = s
			break
		}
	}
	// Whose path and values they are is nobody else's business: the report is about the repository.
	source = evidence.ApplicationSource{RepoURL: source.RepoURL, Chart: source.Chart, TargetRevision: source.TargetRevision}
	spec.Source, spec.Sources, spec.SourceHydrator = &source, nil, nil
	return spec
}

func given(source *evidence.ApplicationSource) []evidence.ApplicationSource {
	if source == nil {
		return nil
	}
	return []evidence.ApplicationSource{*source}
}
