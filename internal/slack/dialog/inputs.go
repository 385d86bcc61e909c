package dialog

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/incident/posted"
	"github.com/argo-why/argo-why/internal/slack/blocks"
	"github.com/argo-why/argo-why/internal/text"
)

// The inputs, by action_id.
const (
	InputPrune     = "argo_why_prune"
	InputDryRun    = "argo_why_dry_run"
	InputResources = "argo_why_resources"
	InputConfirm   = "argo_why_confirmed"
	InputReason    = "argo_why_reason"
)

const (
	// https://docs.slack.dev/reference/block-kit/composition-objects/option-object,
	// https://docs.slack.dev/reference/block-kit/block-elements/multi-select-menu-element
	maxOption  = 75
	maxOptions = 100

	ticked = "yes"
)

// syncInputs are what has to be confirmed, prune (off), dry run only (off), and the resources (all).
func syncInputs(p *action.Plan) []slack.Block {
	var out []slack.Block
	if p.Confirm != "" {
		content, _ := blocks.Shorten("I confirm that "+p.Confirm, maxOption)
		box := tick(InputConfirm, p, "Required confirmation", content, "")
		box.Optional = false // Slack does not submit without it
		out = append(out, box)
	}
	if named := pruneList(p); len(named) > 0 {
		out = append(out, tick(InputPrune, p, "Prune", "Prune: delete "+text.Count(len(named), "resource", "resources")+" removed from Git", strings.Join(named, ", ")))
	}
	out = append(out, tick(InputDryRun, p, "Dry run", "Dry run only: nothing is changed", "Overwrites the last operation's result in Argo CD"))
	if options := choices(p); len(options) > 0 {
		hint := "Leave empty to sync all of them. Hooks do not run if you select resources."
		if n := selectable(p); n > maxOptions {
			hint += fmt.Sprintf(" Only the first %d of %d are listed.", maxOptions, n)
		}
		menu := slack.NewOptionsMultiSelectBlockElement(slack.MultiOptTypeStatic, blocks.PlainText("All"), InputResources, options...)
		out = append(out, slack.NewInputBlock(blockOf(InputResources, p), blocks.PlainText("Resources"), blocks.PlainText(hint), menu).WithOptional(true))
	}
	return out
}

// blockOf makes the block of an input another one when the plan is another one: else a client keeps what was ticked for what
// was shown before.
func blockOf(input string, p *action.Plan) string {
	sum := sha256.Sum256([]byte(p.Fingerprint))
	return input + " " + hex.EncodeToString(sum[:4])
}

// tick is a single box, not ticked.
func tick(id string, p *action.Plan, label, content, description string) *slack.InputBlock {
	option := slack.NewOptionBlockObject(ticked, blocks.PlainText(content), nil)
	if description, _ = blocks.Shorten(description, maxOption); description != "" {
		option.Description = blocks.PlainText(description)
	}
	box := slack.NewCheckboxGroupsBlockElement(id, option)
	return slack.NewInputBlock(blockOf(id, p), blocks.PlainText(label), nil, box).WithOptional(true)
}

// pruneList names what would go, what holds data first.
func pruneList(p *action.Plan) []string {
	var names []string
	for _, c := range gravestFirst(p) {
		if prunable(c) {
			names = append(names, c.Ref.String())
		}
	}
	return names
}

// mayChoose are the changes that a sync of chosen resources can do.
func mayChoose(p *action.Plan) []action.Change {
	return slices.DeleteFunc(gravestFirst(p), func(c action.Change) bool { return c.Effect == action.Kept && !prunable(c) })
}

func selectable(p *action.Plan) int { return len(mayChoose(p)) }

func choices(p *action.Plan) []*slack.OptionBlockObject {
	list := mayChoose(p)
	var out []*slack.OptionBlockObject
	for i, c := range list[:min(maxOptions, len(list))] {
		name, _ := blocks.Shorten(short(shortRef(c.Ref, maxOption), maxOption), maxOption) // as Slack counts: an emoji is two
		out = append(out, slack.NewOptionBlockObject(choice(i, c.Ref), blocks.PlainText(name), nil))
	}
	return out
}

// choice is the value of an option: a name may be longer than the 150 characters that Slack takes, so it is the place in the
// list and a digest of the name.
func choice(i int, r evidence.Ref) string {
	sum := sha256.Sum256([]byte(key(r)))
	return strconv.Itoa(i) + " " + hex.EncodeToString(sum[:8])
}

// Chosen reads the options back: what a person chose of the plan that was shown. It reports false when something was chosen
// that the plan does not have.
func Chosen(p posted.Plan, state *slack.ViewState) (o action.SyncOptions, ok bool) {
	o = Ticked(state)
	list := mayChoose(p.View())
	for _, value := range Selected(state) {
		at, _, _ := strings.Cut(value, " ")
		i, err := strconv.Atoi(at)
		if err != nil || i < 0 || i >= len(list) || choice(i, list[i].Ref) != value {
			return o, false
		}
		o.Resources = append(o.Resources, list[i].Ref)
	}
	return o, true
}

// Ticked are the boxes.
func Ticked(state *slack.ViewState) action.SyncOptions {
	is := func(id string) bool {
		return slices.ContainsFunc(input(state, id).SelectedOptions, func(o slack.OptionBlockObject) bool { return o.Value == ticked })
	}
	return action.SyncOptions{Prune: is(InputPrune), DryRun: is(InputDryRun), Confirmed: is(InputConfirm)}
}

// Selected are the values of the resources that were chosen.
func Selected(state *slack.ViewState) []string {
	var out []string
	for _, o := range input(state, InputResources).SelectedOptions {
		out = append(out, o.Value)
	}
	return out
}

// Reason is the text of a denial.
func Reason(state *slack.ViewState) string { return strings.TrimSpace(input(state, InputReason).Value) }

func input(state *slack.ViewState, id string) slack.BlockAction {
	if state == nil {
		return slack.BlockAction{}
	}
	for _, block := range state.Values {
		if input, ok := block[id]; ok {
			return input
		}
	}
	return slack.BlockAction{}
}
