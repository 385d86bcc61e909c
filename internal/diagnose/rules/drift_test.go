package rules_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/evidence"
)

// differing is an application with one resource that differs.
func differing(t *testing.T, kind, live, desired, managedFields string) *evidence.Case {
	t.Helper()
	c := &evidence.Case{Now: evidence.Time{Time: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)}, Application: &evidence.Application{}}
	c.Application.Metadata.Name = "web"
	c.Application.Status.Sync.Status = "OutOfSync"
	c.Application.Status.Health.Status = "Healthy"
	c.Application.Status.Resources = []evidence.ResourceStatus{{Kind: kind, Namespace: "shop", Name: "thing", Status: "OutOfSync"}}
	object := func(body, fields string) evidence.State {
		return evidence.State(fmt.Sprintf(`{"apiVersion":"v1","kind":%q,"metadata":{"name":"thing","namespace":"shop","managedFields":%s},%s}`, kind, fields, body))
	}
	c.Managed = &struct {
		Items []evidence.ResourceDiff `json:"items"`
	}{Items: []evidence.ResourceDiff{{
		Kind: kind, Namespace: "shop", Name: "thing", TargetState: object(desired, "[]"), LiveState: object(live, managedFields),
		NormalizedLiveState: object(live, "[]"), PredictedLiveState: object(desired, "[]"),
	}}}
	return c
}

// TestSecretsAreNotShown: a secret value is nowhere in a report: not as a diff, not in the lines to paste, not as a hash.
func TestSecretsAreNotShown(t *testing.T) {
	e := engine(t)
	const byPerson = `[{"manager":"kubectl-edit","operation":"Update","time":"2026-11-20T11:00:00Z","fieldsV1":{"f:data":{"f:key":{},"f:DB_PASSWORD":{}},"f:stringData":{},"f:spec":{"f:env":{}}}}]`
	for name, c := range map[string]*evidence.Case{
		"a Secret, edited":                differing(t, "Secret", `"data":{"key":"TElWRVZBTFVF"}`, `"data":{"key":"R0lUVkFMVUU="}`, byPerson),
		"a Secret, rendered anew":         differing(t, "Secret", `"data":{"key":"TElWRVZBTFVF"}`, `"data":{"key":"R0lUVkFMVUU="}`, "[]"),
		"a Secret with a key more":        differing(t, "Secret", `"data":{"key":"TElWRVZBTFVF"}`, `"data":{}`, byPerson),
		"a Secret without data":           differing(t, "Secret", `"type":"Opaque"`, `"stringData":{"key":"GITVALUE"},"type":"Opaque"`, "[]"),
		"the last applied of a Secret":    differing(t, "Secret", `"metadata":{"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{\"data\":{\"key\":\"LIVEVALUE\"}}"}}`, `"data":{}`, "[]"),
		"a ConfigMap that holds a secret": differing(t, "ConfigMap", `"data":{"DB_PASSWORD":"LIVEVALUE"}`, `"data":{"DB_PASSWORD":"GITVALUE"}`, byPerson),
		"an environment variable":         differing(t, "Pod", `"spec":{"env":[{"name":"API_TOKEN","value":"LIVEVALUE"}]}`, `"spec":{"env":[{"name":"API_TOKEN","value":"GITVALUE"}]}`, byPerson),
		"a list with such a variable":     differing(t, "Pod", `"spec":{"env":[{"name":"API_TOKEN","value":"LIVEVALUE"}]}`, `"spec":{}`, byPerson),
	} {
		t.Run(name, func(t *testing.T) {
			rep := diagnosed(t, e, c)
			out, err := json.Marshal(rep)
			if err != nil {
				t.Fatal(err)
			}
			if len(rep.Findings) == 0 {
				t.Fatal("nothing was found: the test shows nothing")
			}
			for _, value := range []string{"LIVEVALUE", "GITVALUE", "TElWRVZBTFVF", "R0lUVkFMVUU"} {
				if strings.Contains(string(out), value) {
					t.Errorf("%s is in the report: %s", value, out)
				}
			}
			if !strings.Contains(string(out), "differs") {
				t.Errorf("the report does not say that it differs: %s", out)
			}
		})
	}
}
