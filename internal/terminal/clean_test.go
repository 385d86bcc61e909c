package terminal_test

import (
	"bytes"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/terminal"
)

// A secret of GitHub's form, put together here so that no scanner takes this file for a leak.
var secret = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"

func TestNothingHostileOrSecretIsPrintedFromAnyField(t *testing.T) {
	const evil = "\x1b]0;owned\x07\x1b[2J\u009b31m\x00\r\u202e\xff"
	bad := evil + "token=" + secret[:8] + "\x1b[0m" + secret[8:] + " "
	r := &diagnose.Report{
		App: diagnose.AppName{Instance: bad, Namespace: bad, Name: bad}, Verdict: diagnose.VerdictFailing, Headline: bad,
		Context: diagnose.Context{
			Project: bad, Destination: evidence.Destination{Server: bad, Name: bad, Namespace: bad}, Revision: bad,
			SyncStatus: bad, Health: bad, Phase: bad, InitiatedBy: bad,
		},
		Effects: []string{bad}, Sync: diagnose.Sync{Verdict: diagnose.SyncVerdict(bad), Why: bad, Affects: []string{bad}},
		Actions:  []diagnose.Action{{Label: bad, Why: bad, RefusedBecause: bad}},
		Examined: []diagnose.Examined{{Fact: evidence.KindLog, Error: bad}}, Unread: []string{bad},
	}
	for _, role := range []diagnose.Role{diagnose.RoleCause, diagnose.RoleNote} {
		r.Findings = append(r.Findings, diagnose.Finding{
			Rule: bad, Role: role, Confidence: diagnose.Confidence(bad), Resource: evidence.Ref{Kind: bad, Name: bad},
			Others: []evidence.Ref{{Kind: bad, Name: bad}}, Title: bad, Why: bad, Links: []string{bad},
			Evidence: []diagnose.Quote{{From: bad, Text: bad}}, Fix: []diagnose.Fix{{Text: bad, Command: bad, Patch: bad}},
		})
	}
	var yaml, json bytes.Buffer
	if err := terminal.YAML(&yaml, r); err != nil {
		t.Fatal(err)
	}
	if err := terminal.JSON(&json, r); err != nil {
		t.Fatal(err)
	}
	for form, got := range map[string]string{"text": text(t, r, terminal.Options{}), "yaml": yaml.String(), "json": json.String()} {
		if !utf8.ValidString(got) {
			t.Errorf("%s: not UTF-8", form)
		}
		for _, c := range got {
			if unicode.IsControl(c) && c != '\n' || unicode.Is(unicode.Bidi_Control, c) {
				t.Fatalf("%s: %U in\n%q", form, c, got)
			}
		}
		if joined := strings.Join(strings.Fields(got), ""); strings.Contains(joined, secret[10:]) || strings.Contains(joined, "owned") {
			t.Errorf("%s: secret or title in\n%s", form, got)
		}
	}
	if r.Headline != bad {
		t.Error("the caller's report was changed")
	}
}
