package remedy_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/evidence"
)

// TestHowASyncEnds: what Argo CD says comes out in the end, and nothing is synced that it or we have doubts about.
func TestHowASyncEnds(t *testing.T) {
	for name, x := range map[string]struct {
		prepare func(s *scene)
		options action.SyncOptions
		lasts   time.Duration
		state   action.State
		result  string
		done    string
	}{
		"the dry run fails": {
			prepare: func(s *scene) { s.dryFails = "Deployment.apps \"web\" is invalid: spec.replicas" },
			state:   action.Failed, result: `The dry run failed, so nothing was changed. Job/db-migrate: Deployment.apps "web" is invalid: spec.replicas.`, done: "dry-run",
		},
		"only a dry run": {
			options: action.SyncOptions{DryRun: true},
			state:   action.Done, result: "The dry run of 3f2a91c succeeded; nothing was changed: successfully synced (all tasks run).", done: "dry-run",
		},
		"the dry run does not end": {
			prepare: func(s *scene) { s.meanwhile["dry-run"] = func() { s.dryLasts = time.Hour } },
			lasts:   5 * time.Minute, state: action.Failed, result: "The dry run did not end within 2 min, so nothing was changed.", done: "dry-run terminate",
		},
		"a hook fails": {
			prepare: func(s *scene) { s.syncFails = "Job has reached the specified backoff limit" },
			state:   action.Failed, result: "The sync of 3f2a91c failed. Job/db-migrate: Job has reached the specified backoff limit.", done: "dry-run sync",
		},
		"Git moves during the dry run": {
			prepare: func(s *scene) { s.meanwhile["dry-run"] = func() { s.app.Status.Sync.Revision = newer } },
			state:   action.Changed, result: "The situation changed during the dry run, so nothing was done. Git moved on from 3f2a91c to 9c1d2e3, which changes what is synced.", done: "dry-run",
		},
		"somebody else's sync fails before the dry run": {
			prepare: func(s *scene) {
				s.beforeDryRun(func() {
					s.app.Status.OperationState = &evidence.OperationState{Phase: evidence.OperationFailed, StartedAt: evidence.Time{Time: time.Now()},
						FinishedAt: evidence.Time{Time: time.Now()}, Operation: evidence.Operation{Sync: &evidence.SyncOperation{Revision: confirmed}}}
				})
			},
			state: action.Changed, result: "Another operation started after this was confirmed, so nothing was done.", done: "",
		},
		"somebody else asks for a sync before the dry run": {
			prepare: func(s *scene) {
				s.beforeDryRun(func() { s.app.Operation = &evidence.Operation{Sync: &evidence.SyncOperation{Revision: confirmed}} })
			},
			state: action.Changed, result: "Another operation started after this was confirmed, so nothing was done.", done: "",
		},
		"somebody else syncs before the end of the dry run is seen": {
			prepare: func(s *scene) {
				s.meanwhile["dry-run"] = func() {
					time.AfterFunc(3500*time.Millisecond, func() { s.change(s.othersSync) })
				}
			},
			state: action.Changed, result: "Another operation replaced the dry run, so nothing was changed.", done: "dry-run",
		},
		"somebody else syncs after the dry run": {
			prepare: func(s *scene) { s.afterDryRun(s.othersSync) },
			state:   action.Changed, result: "The situation changed during the dry run, so nothing was done. Someone started a sync of 3f2a91c at 00:00 UTC.", done: "dry-run",
		},
		"a window closes after the dry run": {
			prepare: func(s *scene) { s.afterDryRun(func() { s.closed = true }) },
			state:   action.Changed, result: "Not possible now: a sync window of the project blocks it now.", done: "dry-run",
		},
		"the diff changes after the dry run": {
			prepare: func(s *scene) { s.afterDryRun(func() { s.replicas = "2" }) },
			state:   action.Changed, result: "The situation changed during the dry run, so nothing was done. The plan would now be: sync 3f2a91c (1 changed).", done: "dry-run",
		},
		"the source changes after the dry run": {
			prepare: func(s *scene) {
				s.afterDryRun(func() {
					s.app.Spec.Source = &evidence.ApplicationSource{RepoURL: "https://git.example.com/other.git", Path: "other"}
				})
			},
			state: action.Changed, result: "The situation changed during the dry run, so nothing was done.", done: "dry-run",
		},
		"the sync policy changes after the dry run": {
			prepare: func(s *scene) { s.afterDryRun(func() { s.app.Policy = evidence.Digest{Low: 1} }) },
			state:   action.Changed, result: "The situation changed during the dry run, so nothing was done.", done: "dry-run",
		},
		"the source changes, and Argo CD has not compared with the new one": {
			prepare: func(s *scene) {
				s.afterDryRun(func() { s.app.Compared, s.app.Wanted = evidence.Digest{Low: 1}, evidence.Digest{Low: 2} })
			},
			state: action.Changed, result: "Not possible now: the source of the application was changed, and Argo CD has not compared with the new one yet.", done: "dry-run",
		},
		"Argo CD takes another revision": {
			prepare: func(s *scene) { s.takes = newer; s.cluster.lasts = time.Minute },
			state:   action.Changed, result: "Argo CD took 9c1d2e3 instead of the confirmed 3f2a91c, so the sync was terminated immediately.", done: "dry-run sync terminate",
		},
		"Argo CD tries another revision": {
			prepare: func(s *scene) { s.tries = newer },
			state:   action.Changed, result: "Argo CD would now sync 9c1d2e3 instead of the confirmed 3f2a91c. Nothing was changed.", done: "dry-run terminate",
		},
		"Argo CD takes another revision and is quick": {
			prepare: func(s *scene) { s.takes = newer; s.cluster.lasts = time.Millisecond },
			state:   action.Failed, result: "Argo CD took 9c1d2e3 instead of the confirmed 3f2a91c and finished before it could be terminated", done: "dry-run sync",
		},
		"it takes long": {
			prepare: func(s *scene) { s.cluster.lasts = 2 * time.Hour },
			lasts:   40 * time.Minute, state: action.Interrupted, result: "The sync of 3f2a91c started and is still running after 30 min. It is no longer followed here; check Argo CD.", done: "dry-run sync",
		},
		"every answer is lost": {
			prepare: func(s *scene) { s.answerLost = true },
			state:   action.Done, result: "The sync of 3f2a91c succeeded.", done: "dry-run sync",
		},
		"Argo CD refuses": {
			prepare: func(s *scene) { s.refuses = "cannot sync: blocked by sync window" },
			state:   action.Failed, result: "Argo CD refused the dry run; nothing was changed: cannot sync: blocked by sync window.", done: "",
		},
		"the application goes": {
			prepare: func(s *scene) { s.meanwhile["sync"] = func() { s.gone = true } },
			state:   action.Failed, result: "then the application was deleted", done: "dry-run sync",
		},
	} {
		t.Run(name, func(t *testing.T) {
			play(t, everybodyMay, func(s *scene) {
				if x.prepare != nil {
					x.prepare(s)
				}
				bot := s.start("a")
				w := wish(action.Sync)
				a := bot.shown(dana, w) // the options are ticked in what is shown
				a.Sync = x.options
				if _, err := bot.Request(s.Context(), a); err != nil {
					t.Fatal(err)
				}
				s.pass(max(x.lasts, 2*time.Minute))
				s.endsAs(x.state, x.result)
				if got := strings.Join(s.done, " "); got != x.done {
					t.Errorf("done: %s", got)
				}
				bot.stop()
			})
		})
	}
}

// TestHowADeletionEnds: only this Job goes, only when nobody needs it, and never without its log in the thread.
func TestHowADeletionEnds(t *testing.T) {
	for name, x := range map[string]struct {
		prepare func(s *scene)
		lasts   time.Duration
		state   action.State
		result  string
		done    string
	}{
		"an operation waits for it": {
			prepare: func(s *scene) { s.stuck() },
			state:   action.Done, result: "Deleted Job/db-migrate through Kubernetes.", done: "terminate delete",
		},
		"Argo CD removes it when the operation ends": {
			prepare: func(s *scene) { s.stuck(); s.meanwhile["job"] = func() { s.job = nil } },
			state:   action.Done, result: "Job/db-migrate was already gone: Argo CD removed it when the operation ended.", done: "terminate",
		},
		"the operation does not end": {
			prepare: func(s *scene) { s.stuck(); s.hangs = true },
			lasts:   5 * time.Minute, state: action.Failed, result: "After 2 min Argo CD is still terminating the operation that started at 31 Dec 23:00 UTC", done: "terminate",
		},
		"another Job of the name": {
			prepare: func(s *scene) { s.meanwhile["job"] = func() { s.job.UID = "job-2" } },
			state:   action.Done, result: "Job/db-migrate was already gone.", done: "",
		},
		"it runs again": {
			prepare: func(s *scene) { s.meanwhile["job"] = func() { s.job.Active = 1 } },
			state:   action.Changed, result: "Job/db-migrate is running again, so it was not deleted.", done: "",
		},
		"an operation begins": {
			prepare: func(s *scene) {
				s.meanwhile["job"] = func() { s.begin(evidence.Operation{Sync: &evidence.SyncOperation{}}) }
			},
			state: action.Changed, result: "Another operation has started and may be waiting for Job/db-migrate, so it was not deleted.", done: "",
		},
		"it changes at the last moment": {
			prepare: func(s *scene) { s.meanwhile["delete"] = func() { s.job.UID = "job-2" } },
			state:   action.Done, result: "Job/db-migrate was deleted.", done: "",
		},
		"a finalizer": {
			prepare: func(s *scene) { s.finalizer = true },
			state:   action.Done, result: "Deleted Job/db-migrate through Kubernetes. It still exists, because Kubernetes is waiting for its finalizers", done: "delete",
		},
		"the answer is lost": {
			prepare: func(s *scene) { s.answerLost = true },
			state:   action.Done, result: "Job/db-migrate was deleted.", done: "delete",
		},
		"there is no log": {
			prepare: func(s *scene) { s.noLog = fmt.Errorf("its pods are gone: %w", evidence.ErrAbsent) },
			state:   action.Done, result: "Deleted Job/db-migrate", done: "delete",
		},
		"the log cannot be read for a moment": {
			prepare: func(s *scene) { s.noLog = fmt.Errorf("read log of Job/db-migrate: %w", context.DeadlineExceeded) },
			state:   action.Failed, result: "The log of Job/db-migrate could not be read, so nothing was deleted: read log of Job/db-migrate: context deadline exceeded.", done: "",
		},
		"Slack is down": {
			prepare: func(s *scene) {
				s.thread.down = errors.New("Slack does not answer")
				time.AfterFunc(90*time.Second, func() { s.thread.fails(nil) })
			},
			lasts: 3 * time.Minute, state: action.Failed, result: "The log of Job/db-migrate could not be saved to the thread, so nothing was deleted: Slack does not answer.", done: "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			play(t, everybodyMay, func(s *scene) {
				x.prepare(s)
				bot := s.start("a")
				bot.pressed(dana, wish(action.DeleteHookJob))
				s.pass(max(x.lasts, time.Minute))
				s.endsAs(x.state, x.result)
				if got := strings.Join(s.done, " "); got != x.done {
					t.Errorf("done: %s", got)
				}
				for _, n := range s.thread.said {
					switch {
					case strings.Contains(n.Log, "hunter2"):
						t.Errorf("a password in the thread: %s", n.Log)
					case n.State == action.Running && s.noLog == nil && (!strings.Contains(n.Log, "column missing") || n.From != "Job/db-migrate"):
						t.Errorf("the log that was saved: %+v", n)
					case n.State == action.Running && s.noLog != nil && n.Text != "There is no log of Job/db-migrate to save: its pods are gone: not available.":
						t.Errorf("instead of the log: %q", n.Text)
					}
				}
				bot.stop()
			})
		})
	}
}

func TestHowATerminationEnds(t *testing.T) {
	for name, x := range map[string]struct {
		prepare func(s *scene)
		state   action.State
		result  string
	}{
		"it hangs": {
			prepare: func(s *scene) { s.hangs = true },
			state:   action.Failed, result: "After 2 min Argo CD is still terminating the operation that started at 31 Dec 23:00 UTC",
		},
		"it ends by itself": {
			prepare: func(s *scene) {
				s.meanwhile["terminate"] = func() {
					s.app.Status.OperationState.Phase, s.app.Status.OperationState.Message = evidence.OperationSucceeded, "all done"
				}
			},
			state: action.Changed, result: "The operation that started at 31 Dec 23:00 UTC ended before it could be terminated: Succeeded, all done.",
		},
		"the answer is lost": {
			prepare: func(s *scene) { s.answerLost = true },
			state:   action.Done, result: "has ended: Failed, Operation terminated.",
		},
		"Argo CD refuses": {
			prepare: func(s *scene) { s.refuses = "permission denied" },
			state:   action.Failed, result: "The operation that started at 31 Dec 23:00 UTC was not terminated: permission denied.",
		},
	} {
		t.Run(name, func(t *testing.T) {
			play(t, everybodyMay, func(s *scene) {
				s.stuck()
				x.prepare(s)
				bot := s.start("a")
				bot.pressed(dana, wish(action.Terminate))
				s.pass(3 * time.Minute)
				s.endsAs(x.state, x.result)
				if s.did("terminate") > 1 {
					t.Errorf("done: %v", s.done)
				}
				bot.stop()
			})
		})
	}
}

func TestARefreshThatFailsSaysWhyAndAMuteOfNothingToo(t *testing.T) {
	play(t, everybodyMay, func(s *scene) {
		s.refuses = "rpc error: repo-server does not answer"
		s.thread.calm = true
		bot := s.start("a")
		bot.pressed(dana, wish(action.HardRefresh))
		s.pass(time.Minute)
		s.endsAs(action.Failed, "The hard refresh failed: rpc error: repo-server does not answer.")
		r := bot.pressed(dana, wish(action.Mute))
		s.pass(time.Minute)
		all, err := bot.Audit(s.Context(), nil)
		if err != nil || all[0].ID != r.ID || all[0].Result != "The application has no open incident to mute." {
			t.Errorf("%+v, %v", all[0], err)
		}
		bot.stop()
	})
}
