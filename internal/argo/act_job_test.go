package argo_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/argo-why/argo-why/internal/argo"
	"github.com/argo-why/argo-why/internal/argo/argotest"
	"github.com/argo-why/argo-why/internal/evidence"
)

func TestDeleteHookJob(t *testing.T) {
	s, _, app := acting(t, "presync-hook-failed", argotest.Acting{})
	for _, uid := range []string{"", "of another one"} {
		if err := app.DeleteResource(t.Context(), hookJob, uid); !errors.Is(err, argo.ErrChanged) {
			t.Errorf("UID %q: %v", uid, err)
		}
	}
	if got := s.Deleted(); len(got) > 0 {
		t.Fatalf("deleted %v", got)
	}
	if err := app.DeleteResource(t.Context(), hookJob, hookJobUID); err != nil {
		t.Fatal(err)
	}
	if got := s.Deleted(); !reflect.DeepEqual(got, []evidence.Ref{hookJob}) {
		t.Errorf("deleted %v", got)
	}
	if err := app.DeleteResource(t.Context(), hookJob, hookJobUID); !errors.Is(err, argo.ErrChanged) {
		t.Errorf("again: %v", err)
	}
	if log, err := app.JobLog(t.Context(), hookJob, 10, 1000); !errors.Is(err, evidence.ErrAbsent) {
		t.Errorf("its log: %q, %v", log, err)
	}
}

func TestJobLog(t *testing.T) {
	const log = `2026-01-01 migrate: connecting to db.prod:5432
2026-01-01 migrate: applying 0042_add_index.sql
2026-01-01 migrate: ERROR: relation "orders" does not exist (SQLSTATE 42P01)`
	last := log[strings.LastIndex(log, "\n")+1:]
	for name, tc := range map[string]struct {
		lines, bytes int
		want         string
	}{
		"all of it":                {100, 4000, "pod migrate-wm2cw:\n" + log + "\npod migrate-jvd8l:\n" + log},
		"the older one is cut":     {5, 4000, "pod migrate-wm2cw:\n" + last + "\npod migrate-jvd8l:\n" + log},
		"the newest is enough":     {2, 4000, "pod migrate-jvd8l:\n" + log[strings.Index(log, "\n")+1:]},
		"as many bytes as allowed": {100, len(last) + 1, "pod migrate-jvd8l:\n" + last},
		"the end of a long line":   {100, 10, "pod migrate-jvd8l:\n" + last[len(last)-10:]},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, app := acting(t, "presync-hook-failed", argotest.Acting{})
			if got, err := app.JobLog(t.Context(), hookJob, tc.lines, tc.bytes); err != nil || got != tc.want {
				t.Errorf("got %q, %v\nwant %q", got, err, tc.want)
			}
		})
	}
}

func TestLogOfAJobWithASidecar(t *testing.T) {
	s, _, app := acting(t, "presync-hook-failed", argotest.Acting{}, `"containers": [`, `"initContainers": [{"name": "wait"}], "containers": [`)
	for _, pod := range []string{"migrate-jvd8l", "migrate-wm2cw"} {
		s.Log("team-courier-api", pod, "wait", false, "the database is there")
	}
	got, err := app.JobLog(t.Context(), hookJob, 100, 4000)
	if err != nil || strings.Count(got, ":\ncontainer wait:\nthe database is there\ncontainer migrate:\n2026-01-01 migrate: connecting") != 1 {
		t.Errorf("got %q, %v", got, err)
	}
}

// TestLogThatIsNotThere: a log that does not exist is told from one that could not be read, for which it is not too late.
func TestLogThatIsNotThere(t *testing.T) {
	s, _, app := acting(t, "presync-hook-failed", argotest.Acting{}, `"containers": [`, `"containers": [{"name": "proxy"}, `)
	got, err := app.JobLog(t.Context(), hookJob, 100, 4000)
	if err != nil || !strings.Contains(got, "container proxy is left out: ") || !strings.Contains(got, "SQLSTATE 42P01") {
		t.Errorf("of one of two containers: %q, %v", got, err)
	}
	s.Fail("PodLogs", status.Error(codes.Unavailable, "connection refused"))
	if got, err := app.JobLog(t.Context(), hookJob, 100, 4000); err == nil || errors.Is(err, evidence.ErrAbsent) {
		t.Errorf("while Argo CD cannot be asked: %q, %v", got, err)
	}
	_, _, app = acting(t, "presync-hook-failed", argotest.Acting{}, `"pod": "migrate-jvd8l"`, `"pod": "another"`)
	got, err = app.JobLog(t.Context(), hookJob, 100, 4000)
	if err != nil || !strings.Contains(got, "SQLSTATE 42P01") ||
		!strings.HasSuffix(got, `pod migrate-jvd8l is left out: read log of Pod/migrate-jvd8l: container "migrate" in pod "migrate-jvd8l" is waiting to start: ContainerCreating`) {
		t.Errorf("where one of two pods has not begun: %q, %v", got, err)
	}
	_, _, app = acting(t, "presync-hook-failed", argotest.Acting{}, `"pod": "migrate-jvd8l"`, `"pod": "another"`, `"pod": "migrate-wm2cw"`, `"pod": "another"`)
	if got, err := app.JobLog(t.Context(), hookJob, 100, 4000); !errors.Is(err, evidence.ErrAbsent) {
		t.Errorf("where no container has begun: %q, %v", got, err)
	}
}

func TestManifests(t *testing.T) {
	s, _, app := acting(t, "presync-hook-failed", argotest.Acting{})
	secret := `{"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "db"}, "data": {"a": "aHVudGVyMg=="}, "stringData": {"b": "hunter2"}}`
	hook := `{"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "migrate", "annotations": {"argocd.argoproj.io/hook": "PreSync"}}}`
	s.Render(hookFailed, secret, "null", hook)
	got, err := app.Manifests(t.Context(), "3f2a91c")
	if err != nil || len(got) != 2 || got[1].Annotation("argocd.argoproj.io/hook") != "PreSync" {
		t.Fatalf("got %v, %v", got, err)
	}
	text, err := json.Marshal(got[0])
	if err != nil || strings.Contains(string(text), "hunter2") || strings.Contains(string(text), "aHVudGVyMg") || got[0].Text("data", "a") != "++++++++" {
		t.Errorf("the Secret is shown: %s, %v", text, err)
	}
}

func TestRights(t *testing.T) {
	s, c, app := acting(t, "presync-hook-failed", argotest.Acting{})
	has := func() map[string]bool {
		t.Helper()
		out := map[string]bool{}
		for _, r := range argo.Rights {
			may, err := c.Has(t.Context(), r, "default", app)
			if err != nil {
				t.Error(err)
			}
			out[r.Action] = may
		}
		return out
	}
	all := map[string]bool{"hard-refresh": true, "delete-hook-job": true, "terminate": true, "sync": true}
	if got := has(); !reflect.DeepEqual(got, all) {
		t.Errorf("with all rights: %v", got)
	}
	s.Deny("applications", "delete/batch/Job/*/*", "default/*")
	all["delete-hook-job"] = false
	if got := has(); !reflect.DeepEqual(got, all) {
		t.Errorf("without the right to delete: %v", got)
	}
	s.Deny("applications", "sync", "default/*")
	all["sync"], all["terminate"] = false, false
	if got := has(); !reflect.DeepEqual(got, all) {
		t.Errorf("without the right to sync: %v", got)
	}
	if got := s.Deleted(); len(got) > 0 {
		t.Errorf("asking has deleted %v", got)
	}
	if may, err := c.Has(t.Context(), argo.RightDeleteHookJob, "default", nil); may || err == nil {
		t.Errorf("without an application to ask about: %v, %v", may, err)
	}
	if r, ok := argo.RightTo("mute"); ok {
		t.Errorf("muting takes %s", r)
	}
	if r, ok := argo.RightTo("terminate"); !ok || r.String() != "applications, sync" {
		t.Errorf("terminating takes %s", r)
	}
	if got := argo.RightDeleteHookJob.Line("argo-why", "shop"); got != "p, argo-why, applications, delete/batch/Job/*/*, shop/*, allow" {
		t.Errorf("line %q", got)
	}
}
