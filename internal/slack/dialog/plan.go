package dialog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/incident/posted"
	"github.com/argo-why/argo-why/internal/reporttext"
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
func Plan(seen posted.Plan, o Options) *View {
	p := seen.View()
	var body []blocks.Block
	switch {
	case o.Changed != "" && p.RefusedBecause != "":
		body = append(body, blocks.Text(blocks.Bold("⚠️ This has changed since you opened it. "), blocks.Plain("Nothing was done. Below is the current state.")))
	case o.Changed != "":
		body = append(body, changedLine(o.Changed))
	}
	return confirmable(p, o, shown(p, body))
}

// changedLine says that what is shown is not what was shown before.
func changedLine(what string) blocks.Block {
	return blocks.Text(blocks.Bold("⚠️ "+text.UpperFirst(text.Sentence(what))), blocks.Plain(" Nothing was done. Below is the current plan. Confirm it again."))
}

// shown is a plan below what there is to say first.
func shown(p *action.Plan, body []blocks.Block) []slack.Block {
	body = append(append(body, warnings(p)...), heading(p))
	if p.RefusedBecause != "" {
		body = append(body, blocks.Text(blocks.Bold("🚫 Not possible now: "), blocks.Plain(text.Sentence(p.RefusedBecause))))
	}
	body = append(body, particulars(p, ifTicked)...)
	return fit(inArgoCD, append(body, notes(p)...)...)
}

// confirmable is a plan that was made, with a button to have it happen if that is possible.
func confirmable(p *action.Plan, o Options, made []slack.Block) *View {
	if p.RefusedBecause != "" {
		return titled(title(p), made...)
	}
	if p.Approval != nil {
		made = append(made, fit("", approvers(*p.Approval))...)
	}
	v := submittable(titled(title(p), append(made, inputs(p)...)...), submit(p), o.Metadata)
	if p.Approval != nil {
		v.Submit = blocks.PlainText("Request approval")
	}
	return v
}

// inArgoCD says where the rest of a plan is that was cut.
const inArgoCD = "see the full diff in Argo CD"

// title warns where the plan can delete something: no button of a modal is red.
func title(p *action.Plan) string {
	if p.Kind == action.Sync && slices.ContainsFunc(p.Changes, func(c action.Change) bool { return prunable(c) || c.Effect == action.Recreated }) {
		return "Sync (can delete)"
	}
	return Title(p.Kind)
}

// warnings say first what is lost: by the plan as it is, and if Prune is ticked.
func warnings(p *action.Plan) []blocks.Block {
	lost := p.Losses()
	if p.Kind == action.Sync {
		kept, pruned := *p, *p
		kept.Changes, pruned.Changes, pruned.Sync.Prune = nil, nil, true
		for _, c := range p.Changes {
			if prunable(c) {
				c.Effect = action.Pruned
				pruned.Changes = append(pruned.Changes, c)
			} else {
				kept.Changes = append(kept.Changes, c)
			}
		}
		lost = nil
		for _, loss := range pruned.Losses() {
			lost = append(lost, "with Prune ticked, "+loss)
		}
		lost = append(lost, kept.Losses()...)
	}
	return warning(lost)
}

func warning(lost []string) []blocks.Block {
	var out []blocks.Block
	for _, loss := range lost {
		out = append(out, blocks.Text(blocks.Bold("⚠️ "+text.UpperFirst(loss))))
	}
	return out
}

func notes(p *action.Plan) []blocks.Block {
	if len(p.Notes) == 0 {
		return nil
	}
	var lines [][]blocks.Span
	for _, n := range p.Notes {
		lines = append(lines, []blocks.Span{blocks.Plain(text.Sentence(n))})
	}
	return []blocks.Block{blocks.Text(blocks.Bold("Notes")), bullets(maxNotes, lines)}
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
	if to := reporttext.Where(p.Destination); to != "" {
		where += ", " + to
	}
	return blocks.Text(blocks.Bold(titles[p.Kind]+" · "+sanitize.App(p.App, maxName)), blocks.Plain(where))
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

func particulars(p *action.Plan, prune pruning) []blocks.Block {
	switch p.Kind {
	case action.Sync:
		return syncBody(p, prune)
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
		line := []blocks.Span{blocks.Mono(resource(j.Ref))}
		if j.Hook != "" {
			line = append(line, blocks.Plain(", "+j.Hook+" hook"))
		}
		if j.Finished != "" {
			line = append(line, blocks.Plain(", "+strings.ToLower(j.Finished)))
		}
		if j.UID != "" {
			line = append(line, blocks.Plain(", UID "), blocks.Mono(sanitize.Start(j.UID, maxUID)))
		}
		body = append(body, blocks.Text(line...))
	}
	body = append(body, steps(p)...)
	if p.RefusedBecause == "" && !slices.ContainsFunc(p.Steps, func(s string) bool { return strings.HasPrefix(s, "Save the log") }) {
		body = append(body, blocks.Text(blocks.Plain("The end of its log is saved to the thread before it is deleted.")))
	}
	return append(body, why(p)...)
}

// terminateBody says since when the operation runs, and what it waits for.
func terminateBody(p *action.Plan) []blocks.Block {
	var body []blocks.Block
	if !p.Operation.IsZero() {
		body = append(body, blocks.Text(blocks.Plain("The operation started "), blocks.Ago(p.Operation), blocks.Plain(fmt.Sprintf(" (%s).", p.Operation.UTC().Format("2006-01-02 15:04:05 UTC")))))
	}
	body = append(body, why(p)...)
	return append(body, steps(p)...)
}

func why(p *action.Plan) []blocks.Block {
	if p.Why == "" {
		return nil
	}
	return []blocks.Block{blocks.Text(blocks.Bold("Why "), blocks.Plain(text.UpperFirst(text.Sentence(p.Why))))}
}

func steps(p *action.Plan) []blocks.Block {
	if len(p.Steps) == 0 {
		return nil
	}
	var lines [][]blocks.Span
	for _, s := range p.Steps {
		lines = append(lines, []blocks.Span{blocks.Plain(s)})
	}
	return []blocks.Block{blocks.Text(blocks.Bold("What will happen")), blocks.Steps(lines...)}
}
