package argo

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/sanitize"

	applicationpkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/application"

	"github.com/argo-why/argo-why/internal/evidence"
)

// DeleteResource deletes the object of that UID, and what it owns: it is gone when all of that is (foreground deletion). Argo CD
// knows no precondition, so the object is looked at just before: [ErrChanged] when it is gone, or another one of that name.
func (a *App) DeleteResource(ctx context.Context, ref evidence.Ref, uid string) error {
	operation := "delete " + ref.String()
	live, err := a.Object(ctx, evidence.ObjectQuery{Ref: ref})
	switch {
	case errors.Is(err, evidence.ErrAbsent):
		return fmt.Errorf("%s: Argo CD does not find it in application %s: %w", operation, a.Name(), ErrChanged)
	case err != nil:
		return fmt.Errorf("%s: %w", operation, err)
	case uid == "" || live.Text("metadata", "uid") != uid:
		return fmt.Errorf("%s: it no longer exists, or is another one of that name: %w", operation, ErrChanged)
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
		return fmt.Errorf("%s: Argo CD no longer finds it in application %s: %w", operation, a.Name(), ErrChanged)
	}
	right := RightDeleteHookJob
	right.Verb = "delete/" + ref.Group + "/" + ref.Kind + "/*/*"
	return a.failed(ctx, operation, right, err)
}

// JobLog is the end of what the pods of a Job wrote, at most that many lines and bytes (200 lines and 64 KiB of each container),
// the newest pod last, with a line that names the pod above each where there are several. Where one of several pods or containers
// cannot be read, a line says so in its place. The error wraps [evidence.ErrAbsent] only when there is nothing to read: the pods
// are gone, or none of their containers has begun.
func (a *App) JobLog(ctx context.Context, job evidence.Ref, lines, bytes int) (string, error) {
	operation := "read log of " + job.String()
	tree, err := a.Tree(ctx)
	if err != nil {
		return "", fmt.Errorf("%s: %w", operation, err)
	}
	pods := slices.DeleteFunc(tree.Descendants(job), func(n evidence.Node) bool { return n.Kind != "Pod" })
	slices.SortStableFunc(pods, func(x, y evidence.Node) int { return y.CreatedAt.Compare(x.CreatedAt.Time) })
	var newest []string // first
	read := 0
	failed := fmt.Errorf("it no longer has pods: %w", evidence.ErrAbsent)
	for _, pod := range pods {
		content, err := a.podLog(ctx, pod)
		if err != nil {
			failed = graver(failed, err)
			newest = append(newest, string(sanitize.Sprintf("pod %s is left out: %s", pod.Name, err)))
			continue
		}
		read++
		content = lastOf(content, lines, bytes)
		if len(pods) > 1 {
			content = "pod " + pod.Name + ":\n" + content
		}
		newest = append(newest, content)
		if lines, bytes = lines-strings.Count(content, "\n")-1, bytes-len(content); lines <= 0 || bytes <= 0 {
			break
		}
	}
	if read == 0 {
		return "", fmt.Errorf("%s: %w", operation, failed)
	}
	slices.Reverse(newest)
	return strings.Join(newest, "\n"), nil
}

// graver is the later of two errors, unless that one only says that there is no log: one that may be there counts more.
func graver(before, now error) error {
	if errors.Is(now, evidence.ErrAbsent) && !errors.Is(before, evidence.ErrAbsent) {
		return before
	}
	return now
}

// podLog is what the containers of a pod wrote, in the order in which they run. The error is that of when none can be read.
func (a *App) podLog(ctx context.Context, pod evidence.Node) (string, error) {
	containers := []string{""} // the only one: what a pod is taken for that cannot be looked at
	if o, err := a.Object(ctx, evidence.ObjectQuery{Ref: pod.Ref()}); err == nil && o != nil {
		containers = nil
		for _, c := range append(o.List("spec", "initContainers"), o.List("spec", "containers")...) {
			containers = append(containers, c.Text("name"))
		}
	}
	var texts []string
	read := 0
	failed := fmt.Errorf("it has no containers: %w", evidence.ErrAbsent)
	for _, name := range containers {
		log, err := a.Log(ctx, evidence.LogQuery{Namespace: pod.Namespace, Pod: pod.Name, Container: name})
		if err != nil {
			failed = graver(failed, unlessNone(err))
			texts = append(texts, string(sanitize.Sprintf("container %s is left out: %s", name, err)))
			continue
		}
		read++
		log.Text = sanitize.Text(log.Text) // before JobLog keeps only the end of it
		if len(containers) > 1 {
			log.Text = "container " + name + ":\n" + log.Text
		}
		texts = append(texts, log.Text)
	}
	if read == 0 {
		return "", failed
	}
	return strings.Join(texts, "\n"), nil
}

// noLog is the error of a log that does not exist, an [evidence.ErrAbsent].
type noLog struct{ error }

func (noLog) Is(target error) bool { return target == evidence.ErrAbsent }

func (e noLog) Unwrap() error { return e.error }

// unlessNone is the error of a log, or a noLog: that a container has not begun, for want of its image as an example, or that the
// pod is gone, the API server says in words alone.
func unlessNone(err error) error {
	msg := err.Error()
	if strings.Contains(msg, " is waiting to start: ") || strings.Contains(msg, `pods "`) && strings.HasSuffix(msg, " not found") {
		return noLog{err}
	}
	return err
}

// lastOf is the end of a text: at most that many lines and bytes, cut at a line.
func lastOf(content string, lines, bytes int) string {
	all := strings.Split(content, "\n")
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
