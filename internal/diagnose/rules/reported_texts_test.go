package rules_test

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestWhatPeopleReportedReadsRight: what each of these reports lacked, and what it said that was wrong.
func TestWhatPeopleReportedReadsRight(t *testing.T) {
	for name, s := range map[string]struct{ has, lacks []string }{
		"apply/namespace-missing/reported-misspelt": {
			[]string{"does not exist, typo of shop-namespace?", "The sync applies Service/auth-service to it. It applied 7 resources to namespace shop-namespace", "from shop-namespaces to shop-namespace, then push"},
			[]string{"create namespace", "CreateNamespace"},
		},
		"apply/admission-denied/reported-no-result": {[]string{"policies: PlacementRule", "PlacementRule/placement-app was denied by a policy"}, []string{"A resource"}},
		"health/deleting/reported-no-finalizer": {
			[]string{"no finalizer keeps it", "removes an object without finalizers at once", "That it was Degraded is its last state"},
			[]string{"finalizers\\\":null", "last resort"},
		},
		"drift/excluded-resource/reported-without-group": {
			[]string{"Pod/standalone-pod: excluded", "Endpoint/raw-endpoint: excluded", "The application is also Degraded, and no resource that was read says why."}, nil,
		},
		"drift/autosync-off/reported-uncompared": {[]string{"1.15.0 not synced yet", "2222222, 1.14.2 was synced last", "Auto-sync is off"}, []string{"last checked Git"}},
		"drift/autosync-off/reported-two-sources": {
			[]string{"(9d0069a, synced 3 d ago); Git has since moved on to 5e091a8. Auto-sync is off."}, []string{"won't help", "9999999 "},
		},
	} {
		raw, err := json.Marshal(reportOf(t, name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range s.has {
			if !strings.Contains(string(raw), part) {
				t.Errorf("%s lacks %q\n%s", name, part, raw)
			}
		}
		for _, part := range s.lacks {
			if strings.Contains(string(raw), part) {
				t.Errorf("%s has %q\n%s", name, part, raw)
			}
		}
	}
}
