package rules_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/evidence"
)

// TestAMissingKeyIsShownBesideThoseThereAre: a key that is only spelled in another way is corrected where it is asked for.
func TestAMissingKeyIsShownBesideThoseThereAre(t *testing.T) {
	content, err := os.ReadFile("testdata/cases/health/config-missing/own-01.json")
	if err != nil {
		t.Fatal(err)
	}
	for name, x := range map[string]struct {
		data map[string]any
		want []string // ! for what must not be said
	}{
		"another spelling": {map[string]any{"SMTP_PASSWORD": "++++++++", "host": "++++++++"}, []string{
			"Its keys are SMTP_PASSWORD, host.", "In Git, correct the key that the pod asks for: Secret/mailer has SMTP_PASSWORD, not smtp-password",
		}},
		"others":         {map[string]any{"user": "++++++++", "host": "++++++++"}, []string{"Its keys are host, user.", "!correct the key that the pod asks for"}},
		"none":           {map[string]any{}, []string{"It has no keys at all."}},
		"it is there":    {map[string]any{"smtp-password": "++++++++"}, []string{"!Its keys are", "!no keys"}}, // it was added since
		"it is not read": {nil, []string{"!Its keys are", "!no keys", "Show which keys it has"}},
	} {
		t.Run(name, func(t *testing.T) {
			cases, err := evidence.DecodeCases(content, time.Unix(0, 0))
			if err != nil {
				t.Fatal(err)
			}
			c := cases[0]
			if x.data != nil {
				c.Resources = append(c.Resources, evidence.Object{
					"apiVersion": "v1", "kind": "Secret", "metadata": map[string]any{"namespace": "shop", "name": "mailer"}, "data": x.data,
				})
			}
			r := diagnosed(t, engine(t), c)
			f := r.Findings[0]
			said := f.Why
			for _, fix := range f.Fix {
				said += "\n" + fix.Text
			}
			if f.Rule != "health/config-missing" {
				t.Fatalf("found %s: %s", f.Rule, said)
			}
			for _, w := range x.want {
				unwanted, not := strings.CutPrefix(w, "!")
				if not == strings.Contains(said, unwanted) {
					t.Errorf("%q: %s", w, said)
				}
			}
		})
	}
}
