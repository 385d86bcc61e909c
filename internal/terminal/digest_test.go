package terminal_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/digest/digesttest"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/terminal"
)

func TestADigestIsAPageAndTheSameAsJSON(t *testing.T) {
	week := digesttest.Of(digesttest.Options())
	fine := incident.Digest{At: digesttest.Monday, Since: digesttest.Monday.Add(-24 * time.Hour), From: digesttest.Monday.Add(-7 * 24 * time.Hour)}
	week.Outlook = digesttest.Outlook()
	silent := fine
	silent.Silent = []string{"prod"}
	for name, d := range map[string]*incident.Digest{"digest-week": &week, "digest-fine": &fine, "digest-silent": &silent} {
		var b bytes.Buffer
		if err := terminal.DigestText(&b, d, terminal.Options{}); err != nil {
			t.Fatal(err)
		}
		golden(t, name+".txt", b.String())
	}
	var b bytes.Buffer
	if err := terminal.DigestJSON(&b, &week); err != nil {
		t.Fatal(err)
	}
	golden(t, "digest-week.json", b.String())
}

func TestNothingHostileOrSecretIsInADigest(t *testing.T) {
	bad := "\x1b[2J\u202etoken=" + secret + " "
	line := incident.DigestLine{App: incident.App{Instance: bad, Namespace: bad, Name: bad}, Title: bad, Rule: bad, Thread: bad}
	d := &incident.Digest{
		At: digesttest.Monday, Silent: []string{bad}, Failures: []incident.DigestLine{line}, OutOfSync: []incident.DigestLine{line}, Recovered: []incident.DigestLine{line},
		Causes: []incident.DigestCause{{Rule: bad, Title: bad}}, Often: []incident.DigestApp{{App: line.App}},
		Outlook: &incident.Outlook{
			Unread: []string{bad}, Windows: []incident.DigestWindow{{Instance: bad, Project: bad, Kind: bad, Of: bad}},
			Hooks: []incident.DigestHook{{App: line.App, Kind: bad, Name: bad, NoDeadline: true}},
		},
	}
	var b bytes.Buffer
	if err := terminal.DigestText(&b, d, terminal.Options{Width: 2000}); err != nil {
		t.Fatal(err)
	}
	if err := terminal.DigestJSON(&b, d); err != nil {
		t.Fatal(err)
	}
	if got := b.String(); strings.Contains(got, secret[10:]) || strings.ContainsAny(got, "\x1b\u202e") {
		t.Errorf("a secret or a control character in\n%q", got)
	}
}
