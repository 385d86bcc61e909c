package argo

import (
	"context"
	"errors"
	"slices"
	"strings"

	projectpkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/project"
	"github.com/argoproj/argo-cd/v2/pkg/apis/application/v1alpha1"

	"github.com/argo-why/argo-why/internal/evidence"
)

// ProjectWindows reads the sync windows of all projects that the account may see, in the order of the projects; Argo CD leaves out the others
// without a word.
func (c *Client) ProjectWindows(ctx context.Context) (all []evidence.ProjectWindow, err error) {
	projects, err := c.listProjects(ctx)
	if err != nil {
		return nil, err
	}
	if len(projects) == 0 { // an Argo CD has one at least
		return nil, errors.New("list projects: the account can see none: it lacks the right to get projects")
	}
	for i := range projects {
		p := &projects[i]
		for _, w := range p.Spec.SyncWindows {
			all = append(all, evidence.ProjectWindow{
				Project:    p.Name,
				SyncWindow: evidence.SyncWindow{Kind: w.Kind, Schedule: w.Schedule, Duration: w.Duration, ManualSync: w.ManualSync, TimeZone: w.TimeZone},
				Of:         windowOf(w),
			})
		}
	}
	slices.SortStableFunc(all, func(a, b evidence.ProjectWindow) int { return strings.Compare(a.Project, b.Project) })
	return all, nil
}

// listProjects reads the projects that the account may see.
func (c *Client) listProjects(ctx context.Context) ([]v1alpha1.AppProject, error) {
	answer, err := c.projects.List(ctx, &projectpkg.ProjectQuery{})
	if err != nil {
		return nil, c.fail(ctx, "list projects", err)
	}
	return answer.Items, nil
}

// windowOf is what a window is for: an application that fits any of its three lists (SyncWindows.Matches in Argo CD's types).
func windowOf(w *v1alpha1.SyncWindow) string {
	var out []string
	for _, list := range []struct {
		name     string
		patterns []string
	}{{"applications", w.Applications}, {"namespaces", w.Namespaces}, {"clusters", w.Clusters}} {
		if slices.Contains(list.patterns, "*") {
			return ""
		}
		if len(list.patterns) > 0 {
			out = append(out, list.name+" "+strings.Join(list.patterns, ", "))
		}
	}
	return strings.Join(out, "; ")
}
