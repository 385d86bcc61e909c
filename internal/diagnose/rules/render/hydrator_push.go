package render

import (
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/evidence"
)

// refusesHydrator: the credentials for pushing are missing, or refused. What fails while the dry source is rendered is about others.
func refusesHydrator(said string) bool {
	f := message.Parse(said)
	lower := strings.ToLower(said)
	return !strings.Contains(lower, "repo objects") && (f.AuthRefused() || message.HasAny(lower, "hydrator credentials", "write credentials"))
}

// ofGitHost quotes the reason that the Git host gives for a push that it refuses.
func ofGitHost(op *evidence.HydrateOperation) diagnose.Said {
	if m := changesBy.FindString(op.Message); m != "" {
		return diagnose.Said{Who: "The Git host says", Text: m}
	}
	f := message.Parse(op.Message)
	said, _, _ := strings.Cut(hostSays(&f), " ! [")
	return diagnose.Said{Who: "The Git host says", Text: said}
}

// changesBy is the sentence in which a Git host says what a push must be like.
var changesBy = pattern.MustCompile(`(?:Changes must be made through [^\n]+?|Commits must [^\n]+?|Cannot (?:force-push|create|update|delete) [^\n]+?|You are not allowed to [^\n]+?|Required status check[^\n]+?|Pushes to this branch are not permitted[^\n]*?)(?:\.|\n|$)`)

// isProtected: the Git host refuses the push because the branch is protected.
func isProtected(said string) bool {
	return message.HasAny(strings.ToLower(said), "protected branch", "gh006", "not allowed to push", "tf402455")
}

// breaksRule: a rule or a hook of the Git host refuses the push.
func breaksRule(said string) bool {
	return message.HasAny(strings.ToLower(said), "pre-receive hook declined", "gh013", "rule violations", "push declined")
}

// noCommitServer: the controller did not reach the commit server.
func noCommitServer(said string) bool {
	lower := strings.ToLower(said)
	return message.HasAny(lower, "failed to create commit service", ":8086", "code = unavailable") && !strings.Contains(lower, "repo objects")
}

// pushRaces: another push came first.
func pushRaces(said string) bool {
	lower := strings.ToLower(said)
	return strings.Contains(lower, "cannot lock ref") && strings.Contains(lower, "but expected") || message.HasAny(lower, "non-fast-forward", "fetch first", "failed to update ref")
}

// refusedBranch is the branch in a refusal of a Git host.
var refusedBranch = pattern.MustCompile(`refs/heads/([\w./-]*\w)`)

// pushedBranch is the branch that the hydrator could not push to.
func pushedBranch(in *diagnose.In, op *evidence.HydrateOperation) string {
	if m := refusedBranch.FindStringSubmatch(op.Message); m != nil {
		return m[1]
	}
	return in.App().Spec.SourceHydrator.Branch()
}
