package argo

import (
	"context"
	"strings"
	"time"

	clusterpkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/cluster"
	repositorypkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/repository"
	"github.com/argoproj/argo-cd/v2/pkg/apis/application/v1alpha1"
	"github.com/argoproj/argo-cd/v2/util/git"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/argo-why/argo-why/internal/evidence"
)

// Repositories reads the state of all repositories that the account may see; Argo CD leaves out the others without a word. Argo CD
// answers with what its last test found, which it keeps for an hour, and tests only those again whose hour is over
// (getConnectionState in its server/repository/repository.go): forceRefresh, which would test all, is never set.
func (c *Client) Repositories(ctx context.Context) ([]evidence.Connection, []evidence.Repository, error) {
	const operation = "list repositories"
	answer, err := c.repositories.ListRepositories(ctx, &repositorypkg.RepoQuery{})
	if err != nil {
		return nil, nil, c.fail(ctx, operation, err)
	}
	var out []evidence.Connection
	var listed []evidence.Repository
	for _, r := range answer.Items {
		out = append(out, evidence.Connection{
			Kind: evidence.ConnectionToRepository, Address: r.Repo, Name: r.Name, Project: r.Project, Type: r.Type, OCI: r.EnableOCI,
			Status: r.ConnectionState.Status, Message: r.ConnectionState.Message, Tested: timeOf(r.ConnectionState.ModifiedAt),
		})
		one := evidence.Repository{Repo: r.Repo, Username: r.Username, Type: r.Type, Name: r.Name, EnableLFS: r.EnableLFS, EnableOCI: r.EnableOCI}
		one.ConnectionState.Status, one.ConnectionState.Message = r.ConnectionState.Status, r.ConnectionState.Message
		listed = append(listed, one)
	}
	return out, listed, nil
}

// Clusters reads the state of all clusters that the account may see; Argo CD leaves out the others without a word. The state is that of the
// application controller's cache of the cluster, which it writes every 10 seconds and which is unknown 10 minutes after it stopped
// (controller/clusterinfoupdater.go, util/cache/appstate/cache.go). A cluster without applications is not connected to.
func (c *Client) Clusters(ctx context.Context) ([]evidence.Connection, error) {
	answer, err := c.clusters.List(ctx, &clusterpkg.ClusterQuery{})
	if err != nil {
		return nil, c.fail(ctx, "list clusters", err)
	}
	var out []evidence.Connection
	for i := range answer.Items {
		one := &answer.Items[i]
		state := one.Info.ConnectionState
		out = append(out, evidence.Connection{
			Kind: evidence.ConnectionToCluster, Address: one.Server, Name: one.Name, Project: one.Project,
			Status: state.Status, Message: state.Message, Tested: timeOf(state.ModifiedAt),
			Resources: one.Info.CacheInfo.ResourcesCount, Version: one.Info.ServerVersion, Skipped: evidence.IsSkipped(one.Annotations),
		})
	}
	return out, nil
}

func timeOf(at *metav1.Time) evidence.Time {
	if at == nil {
		return evidence.Time{}
	}
	return evidence.Time{Time: at.UTC().Truncate(time.Second)}
}

// RepositoryKey is equal for the URLs that Argo CD takes for one repository.
func RepositoryKey(url string) string {
	return git.NormalizeGitURLAllowInvalid(strings.TrimSuffix(strings.TrimPrefix(url, "oci://"), "/"))
}

// repositoriesOf are the keys of the repositories that an application is made of, separated by spaces: thousands of applications share a few
// of these texts.
func repositoriesOf(spec *v1alpha1.ApplicationSpec) string {
	var keys []string
	for _, source := range spec.GetSources() {
		keys = append(keys, strings.ReplaceAll(RepositoryKey(source.RepoURL), " ", "%20"))
	}
	return shared(strings.Join(keys, " "))
}
