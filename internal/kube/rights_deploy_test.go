package kube

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
	"sigs.k8s.io/yaml"
)

// granted are the rights of the roles in a file of deploy/rbac, one text for each: "delete jobs.batch".
func granted(t *testing.T, file string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../deploy/rbac", file))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, document := range strings.Split(string(text), "\n---\n") {
		var role rbacv1.ClusterRole
		if !strings.Contains(document, "rules:") {
			continue // who has the role, or the Secret for the key of buttons
		}
		if err := yaml.UnmarshalStrict([]byte(document), &role); err != nil {
			t.Fatal(err)
		}
		for _, rule := range role.Rules {
			for _, verb := range rule.Verbs {
				for _, resource := range rule.Resources {
					out = append(out, verb+" "+resource+"."+rule.APIGroups[0])
				}
			}
		}
	}
	slices.Sort(out)
	return out
}

// TestTheRolesAreWhatTheBotAsksFor: bot check asks for each right that is shipped, and for no other.
func TestTheRolesAreWhatTheBotAsksFor(t *testing.T) {
	on := func(resource string, rights []right) (out []string) {
		for _, r := range rights {
			name := resource
			if r.subresource != "" {
				name += "/" + r.subresource
			}
			out = append(out, r.verb+" "+name+"."+r.resource.Group)
		}
		return out
	}
	in := func(rights []right) []right {
		for i := range rights {
			rights[i].resource = group.WithResource("")
		}
		return rights
	}
	// Of events and Applications the bot asks in their namespaces: see LacksEvents and verify.
	announce := []string{"create events.", "get applications.argoproj.io"}
	// bot check does not ask for these but reads the keys: only then it is known whether the Secret is there.
	keys := []string{"get secrets.", "update secrets."}
	for file, want := range map[string][]string{
		"journal.yaml": slices.Concat(on("incidents", in(incidentRights())), on("incidentmembers", in(memberRights())), on("actionlogs", in(actionLogRights())), on("leases", leaseRights("bot")), keys),
		"actions.yaml": slices.Concat(on("jobs", jobRights("shop")), announce),
	} {
		slices.Sort(want)
		if got := granted(t, file); !slices.Equal(got, want) {
			t.Errorf("deploy/rbac/%s grants\n%s\nand the bot needs\n%s", file, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}
