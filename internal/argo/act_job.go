package argo

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	applicationpkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/application"

	"github.com/argo-why/argo-why/internal/evidence"
)

// DeleteResource deletes the object of that UID, and what it owns: it is gone when all of that is (foreground deletion). Argo CD
// knows no precondition, so the object is looked at just before: [ErrChanged] when it is gone, or another one of that name.
func (a *App) DeleteResource(ctx context.Context, ref evidence.Ref, uid string) error {
	ctx, cancel := context.WithTimeout(ctx, actTimeout)
	defer cancel()
	operation := "delete " + ref.String()
	live, err := a.Object(ctx, evidence.ObjectQuery{Ref: ref})
	switch {
	case errors.Is(err, evidence.ErrAbsent):
		return fmt.Errorf("%s: Argo CD does not see it in application %s: %w", operation, a.Name(), ErrChanged)
	case err != nil:
		return fmt.Errorf("%s: %w", operation, err)
	case uid == "" || live.Text("metadata", "uid") != uid:
		return fmt.Errorf("%s: it is gone, or another one of that name: %w", operation, ErrChanged)
	}
	_, version, grouped := strings.Cut(live.Text("apiVersion"), "/")
	if !grouped {
		version = live.Text("apiVersion")
	}
	_, err = a.client.applications.DeleteResource(ctx, &applicationpkg.ApplicationResourceDeleteRequest{
		Name: &a.name, AppNamespace: given(a.namespace), Project: given(a.project),
		Namespace: &ref.Namespace, ResourceName: &ref.Name, Version: &version, Group: &ref.Group, Kind: &ref.Kind,
	})
	if err != nil && isOutsideTree(err) {
		return fmt.Errorf("%s: Argo CD does not see it in application %s any more: %w", operation, a.Name(), ErrChanged)
	}
	right := RightDeleteHookJob
	right.Verb = "delete/" + ref.Group + "/" + ref.Kind + "/*/*"
	return a.failed(ctx, operation, right, err)
}

// JobLog is the end of what the pods of a Job wrote, at most that many lines and bytes (200 lines and 64 KiB of each container),
// the newest pod last, with a line that names the pod above each where there are several. The error wraps [evidence.ErrAbsent]
// when there is nothing to read any more.
func (a *App) JobLog(ctx context.Context, job evidence.Ref, lines, bytes int) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, actTimeout)
	defer cancel()
	operation := "read log of " + job.String()
	tree, err := a.Tree(ctx)
	if err != nil {
		return "", fmt.Errorf("%s: %w", operation, err)
	}
	pods := slices.DeleteFunc(tree.Descendants(job), func(n evidence.Node) bool { return n.Kind != "Pod" })
	slices.SortStableFunc(pods, func(x, y evidence.Node) int { return y.CreatedAt.Compare(x.CreatedAt.Time) })
	var newest []string // first
	failed := fmt.Errorf("it has no pods any more: %w", evidence.ErrAbsent)
	for _, pod := range pods {
		text, err := a.podLog(ctx, pod)
		if err != nil {
			failed = err // one that never began has none, and another one may tell
			continue
		}
		text = lastOf(text, lines, bytes)
		if len(pods) > 1 {
			text = "pod " + pod.Name + ":\n" + text
		}
		newest = append(newest, text)
		if lines, bytes = lines-strings.Count(text, "\n")-1, bytes-len(text); lines <= 0 || bytes <= 0 {
			break
		}
	}
	if len(newest) == 0 {
		return "", fmt.Errorf("%s: %w", operation, failed)
	}
	slices.Reverse(newest)
	return strings.Join(newest, "\n"), nil
}

// podLog is what the containers of a pod wrote, in the order in which they run.
func (a *App) podLog(ctx context.Context, pod evidence.Node) (string, error) {
	containers := []string{""} // the only one: what a pod is taken for that cannot be looked at
	if o, err := a.Object(ctx, evidence.ObjectQuery{Ref: pod.Ref()}); err == nil && o != nil {
		containers = nil
		for _, c := range append(o.List("spec", "initContainers"), o.List("spec", "containers")...) {
			containers = append(containers, c.Text("name"))
		}
	}
	var texts []string
	var failed error
	for _, name := range containers {
		log, err := a.Log(ctx, evidence.LogQuery{Namespace: pod.Namespace, Pod: pod.Name, Container: name})
		switch {
		case err != nil:
			failed = err
		case len(containers) > 1:
			texts = append(texts, "container "+name+":\n"+log.Text)
		default:
			texts = append(texts, log.Text)
		}
	}
	if len(texts) == 0 {
		return "", failed
	}
	return strings.Join(texts, "\n"), nil
}

// lastOf is the end of a text: at most that many lines and bytes, cut at a line.
func lastOf(text string, lines, bytes int) string {
	all := strings.Split(text, "\n")
	first, size := len(all), 0
	for first > 0 && len(all)-first < lines && size+len(all[first-1]) <= bytes {
		first--
		size += len(all[first]) + 1
	}
	if first == len(all) && first > 0 { // a single line that is too long keeps its end
		last := all[first-1]
		return strings.ToValidUTF8(last[len(last)-min(len(last), bytes):], "")
	}
	return strings.Join(all[first:], "\n")
}
