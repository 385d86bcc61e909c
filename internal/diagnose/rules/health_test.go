package rules_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
)

// unhealthyCase is an application with its resources, its tree and what was read besides, each as the text of a list.
func unhealthyCase(t *testing.T, health, since, resources, nodes, rest string) *evidence.Case {
	t.Helper()
	text := fmt.Sprintf(`{"case":"argo-why.dev/v1","now":"2026-11-20T12:00:00Z",
		"application":{"metadata":{"name":"web","namespace":"argocd"},"spec":{"destination":{"namespace":"shop"}},"status":{
			"sync":{"status":"Synced"},"health":{"status":%q,"lastTransitionTime":%q},"reconciledAt":"2026-11-20T11:59:30Z",
			"operationState":{"phase":"Succeeded","finishedAt":"2026-11-20T09:00:00Z"},"resources":[%s]}},
		"resourceTree":{"nodes":[%s]}%s}`, health, since, resources, joined(resources, nodes), rest)
	cases, err := evidence.DecodeCases([]byte(text), time.Unix(0, 0))
	if err != nil {
		t.Fatal(err)
	}
	return cases[0]
}

// joined is one list of two: a resource is a node of the tree as well.
func joined(resources, nodes string) string {
	return strings.Trim(resources+","+nodes, ",")
}

func resource(kind, name, health string) string {
	group := map[string]string{"Deployment": "apps", "StatefulSet": "apps", "HorizontalPodAutoscaler": "autoscaling", "CronJob": "batch", "Certificate": "cert-manager.io"}[kind]
	return fmt.Sprintf(`{"group":%q,"version":"v1","kind":%q,"namespace":"shop","name":%q,"status":"Synced","health":{"status":%q}}`, group, kind, name, health)
}

func podNode(owner, name, reason, health, created string) string {
	return fmt.Sprintf(`{"version":"v1","kind":"Pod","namespace":"shop","name":%q,"uid":%q,"createdAt":%q,"health":{"status":%q},
		"info":[{"name":"Status Reason","value":%q}],"parentRefs":[{"group":"apps","kind":"Deployment","namespace":"shop","name":%q}]}`, name, name, created, health, reason, owner)
}

const (
	anHourAgo  = "2026-11-20T11:00:00Z"
	aMomentAgo = "2026-11-20T11:59:50Z"
)

func first(t *testing.T, rep *diagnose.Report) diagnose.Finding {
	t.Helper()
	if len(rep.Findings) == 0 {
		t.Fatal("nothing was found")
	}
	return rep.Findings[0]
}

func TestAnAutoscalerThatHasSaidNothingIsNotSaidToLackMetrics(t *testing.T) {
	const target = `,"resources":[{"apiVersion":"autoscaling/v2","kind":"HorizontalPodAutoscaler","metadata":{"name":"web","namespace":"shop"},
		"spec":{"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"wbe"}},"status":{%s}}]`
	const gone = `"conditions":[{"type":"AbleToScale","status":"False","reason":"FailedGetScale","message":"deployments/scale.apps \"wbe\" not found"}]`
	hpa := resource("HorizontalPodAutoscaler", "web", "Progressing")
	f := first(t, diagnosed(t, engine(t), unhealthyCase(t, "Progressing", anHourAgo, hpa, "", fmt.Sprintf(target, ""))))
	if f.Confidence == diagnose.Certain || strings.Contains(f.Why, "metric") || !strings.Contains(f.Why, "Deployment/wbe, which this application does not have") {
		t.Errorf("without conditions: %s: %s (%s)", f.Title, f.Why, f.Confidence)
	}
	f = first(t, diagnosed(t, engine(t), unhealthyCase(t, "Degraded", anHourAgo, hpa, "", fmt.Sprintf(target, gone))))
	if f.Confidence != diagnose.Certain || !strings.Contains(f.Title, "target does not exist") {
		t.Errorf("with a condition: %s (%s)", f.Title, f.Confidence)
	}
	if rep := diagnosed(t, engine(t), unhealthyCase(t, "Progressing", aMomentAgo, hpa, "", fmt.Sprintf(target, ""))); len(rep.Findings) != 0 {
		t.Errorf("a new one: %s", rep.Findings[0].Title)
	}
}

func TestAPodThatHasJustBegunIsNoFailure(t *testing.T) {
	web := resource("Deployment", "web", "Progressing")
	for created, want := range map[string]int{aMomentAgo: 0, anHourAgo: 1} {
		c := unhealthyCase(t, "Progressing", anHourAgo, web, podNode("web", "web-1", "Pending", "Progressing", created), "")
		if rep := diagnosed(t, engine(t), c); len(rep.Findings) != want {
			t.Errorf("created %s: %d findings", created, len(rep.Findings))
		}
	}
	const fine = `,"resources":[{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","namespace":"shop","generation":2},"spec":{"replicas":1},
		"status":{"observedGeneration":2,"replicas":1,"updatedReplicas":1,"availableReplicas":1,"conditions":[{"type":"Progressing","status":"True","lastUpdateTime":%q}]}}]`
	for changed, want := range map[string]int{aMomentAgo: 0, anHourAgo: 1} {
		c := unhealthyCase(t, "Progressing", anHourAgo, web, "", fmt.Sprintf(fine, changed))
		if rep := diagnosed(t, engine(t), c); len(rep.Findings) != want {
			t.Errorf("changed %s: %d findings", changed, len(rep.Findings))
		}
	}
}

func TestAPodThatHasJustBegunToGoHidesNothing(t *testing.T) {
	leaving := podNode("web", "web-1", "Terminating", "Progressing", anHourAgo)
	object := `,"resources":[{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web-1","namespace":"shop","uid":"web-1","deletionTimestamp":"` + aMomentAgo + `"}}]`
	f := first(t, diagnosed(t, engine(t), unhealthyCase(t, "Degraded", anHourAgo, resource("Deployment", "web", "Degraded"), leaving, object)))
	if f.Rule != "health/progress-deadline" {
		t.Errorf("%s: %s", f.Rule, f.Title)
	}
}

func TestTheExaminedPodComesFirst(t *testing.T) {
	both := resource("Deployment", "api", "Degraded") + "," + resource("Deployment", "web", "Degraded")
	pods := podNode("api", "api-1", "ImagePullBackOff", "Degraded", anHourAgo) + "," + podNode("web", "web-1", "CrashLoopBackOff", "Degraded", anHourAgo)
	f := first(t, diagnosed(t, engine(t), unhealthyCase(t, "Degraded", anHourAgo, both, pods, "")))
	if f.Resource.Name != "api" {
		t.Errorf("%s: %s", f.Rule, f.Title)
	}
}

func TestAQuotaIsReportedOnceAndInWords(t *testing.T) {
	owner := `{"group":"apps","version":"v1","kind":"ReplicaSet","namespace":"shop","name":"web-7d","uid":"rs","health":{"status":"Progressing"},"parentRefs":[{"group":"apps","kind":"Deployment","namespace":"shop","name":"web"}]}`
	event := `,"events":[{"type":"Warning","reason":"FailedCreate","involvedObject":{"kind":"ReplicaSet","namespace":"shop","name":"web-7d","uid":"rs"},"lastTimestamp":"` + aMomentAgo + `",
		"message":"(combined from similar events): Error creating: pods \"web-7d-x\" is forbidden: exceeded quota: small, requested: limits.cpu=1,pods=1, used: limits.cpu=500m,pods=1, limited: limits.cpu=1,pods=1"}]`
	rep := diagnosed(t, engine(t), unhealthyCase(t, "Degraded", anHourAgo, resource("Deployment", "web", "Degraded"), owner, event))
	f := first(t, rep)
	const words = "ResourceQuota small has no room: 500m of 1 limits.cpu in use, 1 more requested; 1 of 1 pods in use, 1 more requested."
	if f.Rule != "health/quota" || !strings.Contains(f.Why, words) || strings.Contains(f.Evidence[0].Text, "combined") {
		t.Errorf("%s: %s\n%v", f.Rule, f.Why, f.Evidence)
	}
	if len(rep.Findings) != 1 {
		t.Errorf("reported again: %s", rep.Findings[1].Title)
	}
}

func TestAMissingSecretIsCreatedWithTheKeysThatThePodTakes(t *testing.T) {
	object := `,"resources":[{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web-1","namespace":"shop","uid":"web-1"},"spec":{"containers":[{"name":"web","env":[
		{"name":"A","valueFrom":{"secretKeyRef":{"name":"db","key":"password"}}},{"name":"B","valueFrom":{"secretKeyRef":{"name":"other","key":"x"}}},
		{"name":"C","valueFrom":{"secretKeyRef":{"name":"db","key":"user"}}},{"name":"D","valueFrom":{"secretKeyRef":{"name":"db","key":"user"}}}]}]},
		"status":{"containerStatuses":[{"name":"web","state":{"waiting":{"reason":"CreateContainerConfigError","message":"secret \"db\" not found"}}}]}}]`
	c := unhealthyCase(t, "Progressing", anHourAgo, resource("Deployment", "web", "Progressing"), podNode("web", "web-1", "CreateContainerConfigError", "Degraded", anHourAgo), object)
	const want = "kubectl -n shop create secret generic db --from-literal=password='<VALUE>' --from-literal=user='<VALUE>'"
	f := first(t, diagnosed(t, engine(t), c))
	for _, fix := range f.Fix {
		if fix.Command == want {
			return
		}
	}
	t.Errorf("%s: %v", f.Title, f.Fix)
}

func TestACronJobTellsWhyItsLastRunFailed(t *testing.T) {
	job := `{"group":"batch","version":"v1","kind":"Job","namespace":"shop","name":"nightly-%d","uid":"j%d","health":{"status":"Degraded","message":"failed"},"createdAt":"2026-11-20T0%d:00:00Z",
		"parentRefs":[{"group":"batch","kind":"CronJob","namespace":"shop","name":"nightly"}]}`
	runs := fmt.Sprintf(job, 2, 2, 2) + "," + fmt.Sprintf(job, 1, 1, 1)
	object := `,"resources":[{"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"nightly-2","namespace":"shop","uid":"j2"},"spec":{"activeDeadlineSeconds":600},
		"status":{"conditions":[{"type":"Failed","status":"True","reason":"DeadlineExceeded","message":"Job was active longer than specified deadline"}]}}]`
	rep := diagnosed(t, engine(t), unhealthyCase(t, "Degraded", anHourAgo, resource("CronJob", "nightly", "Degraded"), runs, object))
	f := first(t, rep)
	if f.Rule != "health/job-failed" || !strings.Contains(f.Why, "Job/nightly-2 was stopped because it ran longer than its activeDeadlineSeconds (600 s)") {
		t.Errorf("%s: %s", f.Rule, f.Why)
	}
}

func TestAUserThatIsNotAllowedIsNoMissingObject(t *testing.T) {
	object := `,"resources":[{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web-1","namespace":"shop","uid":"web-1"},"spec":{"containers":[{"name":"web"}]},
		"status":{"containerStatuses":[{"name":"web","state":{"waiting":{"reason":"CreateContainerConfigError","message":"container has runAsNonRoot and image will run as root"}}}]}}]`
	c := unhealthyCase(t, "Progressing", anHourAgo, resource("Deployment", "web", "Progressing"), podNode("web", "web-1", "CreateContainerConfigError", "Degraded", anHourAgo), object)
	f := first(t, diagnosed(t, engine(t), c))
	if f.Rule != "health/config-missing" || strings.Contains(f.Title, "missing") || !strings.Contains(f.Fix[0].Patch, "runAsUser") {
		t.Errorf("%s: %s\n%v", f.Rule, f.Title, f.Fix)
	}
}

// TestManyOfOneKind: a report stays short, however many resources have the same trouble.
func TestManyOfOneKind(t *testing.T) {
	const many = 1500
	var resources, objects, leaving []string
	for i := range many {
		name := fmt.Sprintf("job-%04d", i)
		resources = append(resources, resource("CronJob", name, "Healthy"))
		objects = append(objects, fmt.Sprintf(`{"apiVersion":"batch/v1","kind":"CronJob","metadata":{"name":%q,"namespace":"shop"},"spec":{"suspend":true}}`, name))
		leaving = append(leaving, fmt.Sprintf(`{"version":"v1","kind":"ConfigMap","namespace":"shop","name":%q,"status":"Synced","health":{"status":"Progressing","message":"Pending deletion"}}`, name))
	}
	rep := diagnosed(t, engine(t), unhealthyCase(t, "Healthy", anHourAgo, strings.Join(resources, ","), "", `,"resources":[`+strings.Join(objects, ",")+`]`))
	if len(rep.Findings) != 1 || len(rep.Findings[0].Others) != many-1 {
		t.Errorf("%d notes", len(rep.Findings))
	}
	leaving = append(leaving, `{"version":"v1","kind":"Namespace","name":"shop","status":"Synced","health":{"status":"Progressing","message":"Pending deletion"}}`)
	f := first(t, diagnosed(t, engine(t), unhealthyCase(t, "Progressing", anHourAgo, strings.Join(leaving, ","), "", "")))
	if f.Rule != "health/namespace-terminating" || len(f.Why) > 1000 || len(f.Fix) > 5 {
		t.Errorf("%s: %d bytes, %d fixes", f.Rule, len(f.Why), len(f.Fix))
	}
}
