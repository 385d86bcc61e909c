package main

import (
	"flag"
	"os"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// deploy/argocd/notifications.yaml is what the command writes, for those who look there first.
func TestNotificationsOfDeployAreThoseGenerated(t *testing.T) {
	const path = "../../deploy/argocd/notifications.yaml"
	o := notificationOptions{Namespace: "argocd", TokenKey: "argo-why-token"}
	if err := o.complete("https://argo-why.example.com", "prod"); err != nil {
		t.Fatal(err)
	}
	got, err := notifications(o)
	if err != nil {
		t.Fatal(err)
	}
	isNew(t, path, got, "Notifications")
}

// isNew compares a generated file with what would be generated now; with -update the test that is named writes it.
func isNew(t *testing.T, path, got, test string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is old: go test ./cmd/bot -run %s -update", path, test)
	}
}

// Argo CD reads each key as YAML of its own, and a mistake in one of them silences all notifications.
func TestEachKeyOfTheNotificationsIsYAML(t *testing.T) {
	o := notificationOptions{Namespace: "tools", TokenKey: "token_2"}
	if err := o.complete("http://argo-why.argo-why.svc:8080/", "prod-eu"); err != nil {
		t.Fatal(err)
	}
	text, err := notifications(o)
	if err != nil {
		t.Fatal(err)
	}
	var configMap struct {
		Metadata struct{ Name, Namespace string }
		Data     map[string]string
	}
	if err := yaml.UnmarshalStrict([]byte(text), &struct {
		APIVersion, Kind string
		Metadata         *struct{ Name, Namespace string }
		Data             *map[string]string
	}{Metadata: &configMap.Metadata, Data: &configMap.Data}); err != nil {
		t.Fatal(err)
	}
	if configMap.Metadata.Namespace != "tools" {
		t.Errorf("namespace is %q", configMap.Metadata.Namespace)
	}
	var service struct {
		URL     string
		Headers []struct{ Name, Value string }
	}
	decode(t, configMap.Data["service.webhook.argo-why"], &service)
	if service.URL != "http://argo-why.argo-why.svc:8080/hooks/argocd/prod-eu" || service.Headers[0].Value != "Bearer $token_2" {
		t.Errorf("service: %+v", service)
	}
	var subscriptions []struct{ Recipients, Triggers []string }
	decode(t, configMap.Data["subscriptions"], &subscriptions)
	for _, name := range subscriptions[0].Triggers {
		var conditions []struct {
			When, Description, OncePer string
			Send                       []string
		}
		decode(t, configMap.Data["trigger."+name], &conditions)
		if len(conditions) != 1 || conditions[0].OncePer != "" || strings.Join(conditions[0].Send, " ") != "argo-why" || conditions[0].When == "" {
			t.Errorf("trigger %s: %+v", name, conditions)
		}
	}
	if len(subscriptions[0].Triggers) != len(notificationTriggers) {
		t.Errorf("subscribed to %d triggers of %d", len(subscriptions[0].Triggers), len(notificationTriggers))
	}
}

// The subscriptions that are there are kept, and an older entry of ours makes way.
func TestSubscriptionsOfOthersAreKept(t *testing.T) {
	o := notificationOptions{Subscriptions: `
  # on-call
  - recipients: ["slack:alerts"]
    triggers: [on-sync-failed]
    selector: team=a
  - recipients: [argo-why]
    triggers: [argo-why-old]
`}
	text, others, err := o.subscribe([]string{"argo-why-new"})
	if err != nil || !others {
		t.Fatalf("others %v, %v", others, err)
	}
	const want = `    - recipients:
      - slack:alerts
      selector: team=a
      triggers:
      - on-sync-failed
    - recipients:
      - argo-why
      triggers:
      - argo-why-new`
	if text != want {
		t.Errorf("subscriptions\n%s\nwant\n%s", text, want)
	}
	for _, bad := range []string{"recipients: [argo-why]", "just a text", "- [a"} {
		o.Subscriptions = bad
		if text, _, err := o.subscribe(nil); err == nil {
			t.Errorf("%q was taken for subscriptions: %s", bad, text)
		}
	}
}

func decode(t *testing.T, text string, into any) {
	t.Helper()
	if err := yaml.Unmarshal([]byte(text), into); err != nil || text == "" {
		t.Fatalf("%q: %v", text, err)
	}
}
