package dialog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/sanitize"
	"github.com/argo-why/argo-why/internal/slack/blocks"
	"github.com/argo-why/argo-why/internal/text"
)

// Options are what a plan does not know.
type Options struct {
	// Metadata comes back with the submission: the signed value.
	Metadata string
	// Changed says what is not any more as it was shown before; "" when it is shown for the first time.
	Changed string
}

// Plan is what would happen, with a button to have it happen if that is possible.
func Plan(p *action.Plan, o Options) *View {
	var body []blocks.Block
	switch {
	case o.Changed != "" && p.RefusedBecause != "":
		body = append(body, blocks.Text(blocks.Bold("⚠️ This has changed since you opened it. "), plain("Nothing was done. Below is the current state.")))
	case o.Changed != "":
		body = append(body, blocks.Text(blocks.Bold("⚠️ "+sanitize.Text(text.UpperFirst(text.Sentence(o.Changed)))), plain(" Nothing was done. Below is the current plan. Confirm it again.")))
	}
	body = append(body, heading(p))
	if p.RefusedBecause != "" {
		body = append(body, blocks.Text(blocks.Bold("🚫 Not possible now: "), plain(text.Sentence(p.RefusedBecause))))
	}
	body = append(body, particulars(p)...)
	if len(p.Notes) > 0 {
		var lines [][]blocks.Span
		for _, n := range p.Notes {
			lines = append(lines, []blocks.Span{plain(text.Sentence(n))})
		}
		body = append(body, blocks.Text(blocks.Bold("Notes")), bullets(maxNotes, lines))
	}
	made := fit("see the full diff in Argo CD", body...)
	if p.RefusedBecause != "" {
		return view(p.Kind, made...)
	}
	if p.Approval != nil {
		made = append(made, approvers(*p.Approval))
	}
	v := submittable(view(p.Kind, append(made, inputs(p)...)...), submit(p), o.Metadata)
	if p.Approval != nil {
		v.Submit = plainText("Request approval")
	}
	return v
}

const (
	maxNotes = 8
	// maxUID keeps the first eight digits of a UID, which tell two Jobs of one name apart.
	maxUID = 9
)

// heading says which application it is about.
func heading(p *action.Plan) blocks.Block {
	where := ""
	if p.App.Instance != "" {
		where += " in " + p.App.Instance
	}
	if p.Project != "" {
		where += ", project " + p.Project
	}
	return blocks.Text(blocks.Bold(titles[p.Kind]+" · "+short(p.App.Name, maxName)), plain(where))
}

// maxName is where a name of 253 characters is cut: it is repeated in every line.
const maxName = 100

func submit(p *action.Plan) string {
	switch p.Kind {
	case action.DeleteHookJob:
		if len(p.Needs) > 0 {
			return "Terminate and delete"
		}
		return "Delete"
	case action.Terminate:
		return "Terminate"
	case action.Sync:
		return "Sync"
	case action.HardRefresh, action.Mute:
	}
	return "Confirm"
}

func particulars(p *action.Plan) []blocks.Block {
	switch p.Kind {
	case action.Sync:
		return syncBody(p)
	case action.DeleteHookJob:
		return deleteBody(p)
	case action.Terminate, action.HardRefresh, action.Mute:
	}
	return terminateBody(p)
}

// inputs are what a person chooses.
func inputs(p *action.Plan) []slack.Block {
	if p.Kind != action.Sync {
		return nil
	}
	return syncInputs(p)
}

// deleteBody says which Job, and that nothing of it is lost that is worth keeping.
func deleteBody(p *action.Plan) []blocks.Block {
	var body []blocks.Block
	if j := p.Job; j != nil {
		line := []blocks.Span{mono(resource(j.Ref))}
		if j.Hook != "" {
			line = append(line, plain(", "+j.Hook+" hook"))
		}
		if j.Finished != "" {
			line = append(line, plain(", "+strings.ToLower(j.Finished)))
		}
		if j.UID != "" {
			line = append(line, plain(", UID "), mono(text.Start(j.UID, maxUID)))
		}
		body = append(body, blocks.Text(line...))
	}
	body = append(body, steps(p)...)
	if p.RefusedBecause == "" && !slices.ContainsFunc(p.Steps, func(s string) bool { return strings.HasPrefix(s, "Save the log") }) {
		body = append(body, blocks.Text(plain("The end of its log is saved to the thread before it is deleted.")))
	}
	return append(body, why(p)...)
}

// terminateBody says since when the operation runs, and what it waits for.
func terminateBody(p *action.Plan) []blocks.Block {
	var body []blocks.Block
	if !p.Operation.IsZero() {
		body = append(body, blocks.Text(plain("The operation started "), blocks.Ago(p.Operation), plain(fmt.Sprintf(" (%s).", p.Operation.UTC().Format("2006-01-02 15:04:05 UTC")))))
	}
	body = append(body, why(p)...)
	return append(body, steps(p)...)
}

func why(p *action.Plan) []blocks.Block {
	if p.Why == "" {
		return nil
	}
	return []blocks.Block{blocks.Text(blocks.Bold("Why "), plain(text.UpperFirst(text.Sentence(p.Why))))}
}

func steps(p *action.Plan) []blocks.Block {
	if len(p.Steps) == 0 {
		return nil
	}
	var lines [][]blocks.Span
	for _, s := range p.Steps {
		lines = append(lines, []blocks.Span{plain(s)})
	}
	return []blocks.Block{blocks.Text(blocks.Bold("What will happen")), blocks.Steps(lines...)}
}
