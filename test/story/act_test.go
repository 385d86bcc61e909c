package story_test

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/story"
)

// allow is a rule of the policy.
func (s *script) allow(args []string) error {
	given, err := story.NewGrant(args)
	if err != nil {
		return err
	}
	r := action.Grant{Kinds: given.Kinds, Who: s.who(given.Who)}
	if len(given.Approvers) > 0 {
		r.Approval = &action.ApprovalRule{From: s.who(given.Approvers), ExpireAfter: given.Expire}
	}
	s.rules = append(s.rules, r)
	return nil
}

func (s *script) who(names []string) (w action.Who) {
	ids := story.IDs(s.slack)
	for _, name := range names {
		id := cmp.Or(ids[name], name) // somebody who is not there
		if strings.HasPrefix(name, "@") {
			w.Groups = append(w.Groups, id)
		} else {
			w.Users = append(w.Users, id)
		}
	}
	return w
}

// did shows what happened to applications and clusters, in order.
func (s *script) did(step story.Step) error {
	s.mu.Lock()
	text := strings.Join(s.effects, "\n")
	s.mu.Unlock()
	if text == "" {
		text = "(nothing)"
	}
	return s.compare(step.Args[0], text+"\n")
}

// happens changes what is so of an application, without the bot.
func (s *script) happens(step story.Step) error {
	verb, args := step.Verb, step.Args
	app := named(args[0])
	s.mu.Lock()
	it := s.simulated[app]
	s.mu.Unlock()
	if it == nil {
		return fmt.Errorf("%s does not fail of a case", args[0])
	}
	s.mu.Lock()
	switch verb {
	case "fixed":
		it.fixed = true
		if len(args) > 1 {
			it.commit(args[1], false)
		}
	case "synced":
		revision := it.Application.Status.Sync.Revision
		if len(args) > 2 {
			revision = args[2]
		}
		it.syncedBy(args[1], revision)
	case "refuses":
		it.refuses = step.Rest(1)
	case "git":
		it.commit(args[1], len(args) > 2)
	case "job":
		it.changeJob(args[1])
	case "operation":
		it.end(evidence.OperationFailed, "somebody else ended it")
	}
	s.mu.Unlock()
	if verb == "git" || verb == "operation" || verb == "synced" {
		s.changed(app)
	}
	return nil
}

// commit makes a commit the newest. One elsewhere in the repository wants the same of the application as the one before.
func (s *simulated) commit(revision string, elsewhere bool) {
	was := s.Application.Status.Sync.Revision
	if elsewhere {
		s.same[revision] = cmp.Or(s.same[was], was)
	}
	s.Application.Status.Sync.Revision = revision
}

// syncs is somebody who presses Sync in Argo CD.
func (s *script) syncs(name string) error {
	app := named(name)
	s.mu.Lock()
	it := s.simulated[app]
	if it == nil {
		s.mu.Unlock()
		return fmt.Errorf("%s does not fail of a case", name)
	}
	it.operate(evidence.OperationRunning, evidence.SyncOperation{Revision: it.Application.Status.Sync.Revision}, nil)
	it.Application.Status.OperationState.Operation.InitiatedBy.Username = "admin"
	it.Application.Status.OperationState.StartedAt = it.Now // diagnosed by the clock of the case
	s.later(app, syncTakes, (*simulated).syncEnds)
	s.mu.Unlock()
	s.changed(app)
	return nil
}

func (s *simulated) changeJob(how string) {
	switch how {
	case "gone":
		s.job = nil
	case "running":
		s.job.Active, s.job.Finished = 1, ""
	case "another":
		s.job.UID = "uid-of-another-one"
	}
}
