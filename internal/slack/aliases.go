package slack

import (
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/slack/answer"
	"github.com/argo-why/argo-why/internal/slack/apps"
	"github.com/argo-why/argo-why/internal/slack/command"
	"github.com/argo-why/argo-why/internal/slack/request"
)

// What whoever ties the bot to an Argo CD implements and makes, by one name.
type (
	Backend   = answer.Backend
	Failing   = answer.Failing
	Diff      = answer.Diff
	Differing = answer.Differing
	History   = answer.History
	Known     = apps.Known
	Found     = apps.Found
	Viewer    = apps.Viewer
	Sender    = request.Sender
	Trouble   = request.Error
)

// Search finds a target among all applications.
func Search(t command.Target, all []Known) Found { return apps.Search(t, all) }

// Compare makes a Diff of what Argo CD says of an application and of its resources.
func Compare(app *evidence.Application, managed []evidence.ResourceDiff) Diff {
	return answer.Compare(app, managed)
}
