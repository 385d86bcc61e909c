package dialog_test

import (
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/slack/dialog"
)

// TestNoNameLooksLikeAnother: who approves a request reads by whom it is and about what, and must not be shown another's name.
func TestNoNameLooksLikeAnother(t *testing.T) {
	r, p := requestOf(prunePlan()), prunePlan()
	honest := text(t, dialog.Approve(recorded(r), planned(p), dialog.Options{}))
	for _, unseen := range []string{"\u200b", "\u00ad", "\u2060", "\u3164", "\ufe0f", "\U000e0061", "\u202e", "\x00"} {
		r.By = action.Person{ID: r.By.ID, Name: "Da" + unseen + "na"}
		if got := text(t, dialog.Approve(recorded(r), planned(p), dialog.Options{})); !strings.Contains(got, "Da�na") || got == honest {
			t.Errorf("%q: the requester is not told from Dana in\n%s", unseen, got)
		}
		other := *p
		other.App.Name += unseen
		if got := text(t, dialog.Approve(recorded(requestOf(&other)), planned(&other), dialog.Options{})); !strings.Contains(got, p.App.Name+"�") {
			t.Errorf("%q: the application is not told from %s in\n%s", unseen, p.App.Name, got)
		}
	}
}

// TestNoNameIsTooLongForAnOption: Slack refuses the whole dialog for one option that is too long, and nobody could sync. Names are as they
// are in Git, where nothing has checked them yet.
func TestNoNameIsTooLongForAnOption(t *testing.T) {
	for _, name := range []string{strings.Repeat("😀", 200), strings.Repeat("&", 200), strings.Repeat("n", 253)} {
		p := syncPlan()
		p.Changes = []action.Change{{Ref: evidence.Ref{Kind: "ConfigMap", Namespace: name, Name: name}, Effect: action.Created}}
		for _, b := range dialog.Plan(planned(p), dialog.Options{Metadata: "signed"}).Blocks.BlockSet {
			input, _ := b.(*slack.InputBlock)
			if input == nil {
				continue
			}
			menu, _ := input.Element.(*slack.MultiSelectBlockElement)
			if menu == nil {
				continue
			}
			for _, o := range menu.Options {
				if n := len(utf16.Encode([]rune(o.Text.Text))); n == 0 || n > 75 {
					t.Errorf("%.8s…: %d characters, Slack takes 75", name, n)
				}
			}
		}
	}
}

// TestNoModalShowsWhatIsHidden puts a secret that is disguised into what a plan has from outside.
func TestNoModalShowsWhatIsHidden(t *testing.T) {
	secret := "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
	for _, between := range []string{"", "\u200b", "\u00ad", "\U000e0061", "\u202e", "\x1b[1m", "\x07"} {
		bad := "token " + secret[:8] + between + secret[8:]
		p := syncPlan()
		p.Why, p.Reason, p.Confirm, p.Notes, p.Steps, p.Ignored = bad, bad, bad, []string{bad}, []string{bad}, []string{bad}
		for _, v := range []*dialog.View{dialog.Plan(planned(p), dialog.Options{Metadata: "signed", Changed: bad}), dialog.Told(action.Sync, bad), dialog.Refused(action.Sync, bad, action.Who{Users: []string{bad}})} {
			if got := text(t, v); strings.Contains(got, secret[9:]) {
				t.Errorf("%q: the secret is in\n%s", between, got)
			}
		}
	}
}
