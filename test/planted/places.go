package planted

import (
	"cmp"
	"fmt"
	"strings"
)

// place is where something stands in what Argo CD and Kubernetes answer.
type place struct {
	name string
	// url: a URL stands there, alone. fields: it has a field for a name.
	// short: of a long text reports would only show how long it is.
	url, fields, short bool
	// hidden: it is evidence that no report quotes; a case file has it. never: not even a case file has it, because it is in a Secret.
	hidden, never bool
	// put puts it there; nil where it is no part of an application but of an answer to somebody who acts or asks.
	put func(c object, name, text string)
}

// What Argo CD answers.
const (
	DryRun  = "dry run"         // what a sync says that somebody has started
	Refusal = "error of a call" // why Argo CD does not do what it is asked for
)

// Refused is a case of which Argo CD gives no application.
const Refused = "answer of Argo CD"

var (
	deployment = reference("apps", "Deployment", "web")
	configMap  = reference("", "ConfigMap", "web-config")
	secret     = reference("", "Secret", "web-secret")
	job        = reference("batch", "Job", "migrate")
	custom     = object{"group": "db.example.com", "version": "v1", "kind": "Database", "namespace": namespace, "name": "orders"}
)

func failedHook(c object, message string) {
	syncFails(c, tasksFailed, with(job, object{"message": message, "hookType": "PreSync", "hookPhase": "Failed", "syncPhase": "PreSync"}))
	health := object{"status": "Degraded", "message": "Job has reached the specified backoff limit"}
	appendTo(status(c), "resources", with(job, object{"hook": true, "health": health}))
	appendTo(at(c, "resourceTree"), "nodes", with(job, object{"uid": "uid-of-migrate", "createdAt": "2026-11-20T18:02:00Z", "health": health}))
	appendTo(c, "resources", object{
		"apiVersion": "batch/v1", "kind": "Job",
		"metadata": object{"name": "migrate", "namespace": namespace, "uid": "uid-of-migrate", "annotations": object{"argocd.argoproj.io/hook": "PreSync", "argocd.argoproj.io/tracking-id": "shop:batch/Job:shop/migrate"}},
		"spec":     object{"backoffLimit": 1, "template": object{"spec": object{"containers": list{object{"name": "app", "image": "registry.example.com/shop:1.2.3"}}}}},
		"status":   object{"failed": 2, "conditions": list{object{"type": "Failed", "status": "True", "reason": "BackoffLimitExceeded", "message": "Job has reached the specified backoff limit"}}},
	})
}

func failedPod(message string) object {
	ended := object{"exitCode": 1, "reason": "Error", "startedAt": "2026-11-20T18:02:20Z", "finishedAt": "2026-11-20T18:02:40Z"}
	if message != "" {
		ended["message"] = message
	}
	return object{"phase": "Failed", "containerStatuses": list{object{"name": "app", "image": "registry.example.com/shop:1.2.3", "ready": false, "restartCount": 0, "state": object{"terminated": ended}}}}
}

func podEvent(c object, kind, name, reason, message string) {
	appendTo(c, "events", object{
		"type": "Warning", "reason": reason, "message": message, "count": 4, "lastTimestamp": "2026-11-20T18:30:00Z",
		"involvedObject": object{"kind": kind, "namespace": namespace, "name": name, "uid": "uid-of-" + name},
	})
}

// inLog is a text in a log, with lines around it. A text of several lines keeps them.
func inLog(text string) string {
	return "2026-11-20T18:20:01Z starting\nERROR " + text + "\nexiting"
}

func container(more object) object {
	return object{"replicas": 1, "template": object{"spec": object{"containers": list{with(object{"name": "app", "image": "registry.example.com/shop:1.2.3"}, more)}}}}
}

func key(name string) string { return cmp.Or(name, "notes") }

var places = []place{
	{name: "operation message", put: func(c object, _, text string) { syncFails(c, text) }},
	{name: "condition message", put: func(c object, _, text string) {
		at(status(c), "sync")["status"] = "Unknown"
		appendTo(status(c), "conditions", object{"type": "ComparisonError", "message": "Failed to load target state: failed to generate manifest for source 1 of 1: rpc error: code = Unknown desc = " + text, "lastTransitionTime": "2026-11-20T18:30:00Z"})
	}},
	{name: "spec error", put: func(c object, _, text string) {
		appendTo(status(c), "conditions", object{"type": "InvalidSpecError", "message": text, "lastTransitionTime": "2026-11-20T18:30:00Z"})
	}},
	{name: "sync result message", put: func(c object, _, text string) {
		syncFails(c, tasksFailed, with(deployment, object{"status": "SyncFailed", "message": text, "syncPhase": "Sync"}))
	}},
	{name: "webhook refusal", put: func(c object, _, text string) {
		syncFails(c, tasksFailed, with(deployment, object{"status": "SyncFailed", "syncPhase": "Sync", "message": `admission webhook "check.example.com" denied the request: ` + text}))
	}},
	{name: "patch error of kubectl", put: func(c object, _, text string) {
		applied := jsonText(object{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": object{"annotations": object{"note": text}, "name": "web"}})
		patch := jsonText(object{"metadata": object{"annotations": object{"kubectl.kubernetes.io/last-applied-configuration": applied}}})
		syncFails(c, tasksFailed, with(deployment, object{"status": "SyncFailed", "syncPhase": "Sync", "message": "error when applying patch:\n" + patch + "\nto:\nResource: \"apps/v1, Resource=deployments\", GroupVersionKind: \"apps/v1, Kind=Deployment\"\nName: \"web\", Namespace: \"shop\"\nfor: \"/dev/shm/1832\": error when patching \"/dev/shm/1832\": the object is too odd"}))
	}},
	{name: "hook message", put: func(c object, _, text string) { failedHook(c, text) }},
	{name: "hook log", put: func(c object, _, text string) {
		failedHook(c, "Job has reached the specified backoff limit")
		ownedPod(c, job, "Error", failedPod(""))
		logOf(c, "migrate", "app", inLog(text), false)
	}},
	{name: "hook termination message", put: func(c object, _, text string) {
		failedHook(c, "Job has reached the specified backoff limit")
		ownedPod(c, job, "Error", failedPod(text))
	}},
	{name: "job log", put: func(c object, _, text string) {
		degraded(c, job, "Job has reached the specified backoff limit")
		ownedPod(c, job, "Error", failedPod(""))
		logOf(c, "migrate", "app", inLog(text), false)
	}},
	{name: "crash log", put: func(c object, _, text string) {
		degraded(c, deployment, `Deployment "web" exceeded its progress deadline`)
		ownedPod(c, deployment, "CrashLoopBackOff", crashing("app", ""))
		logOf(c, "web", "app", inLog(text), true)
	}},
	{name: "init container log", put: func(c object, _, text string) {
		degraded(c, deployment, `Deployment "web" exceeded its progress deadline`)
		ownedPod(c, deployment, "Init:CrashLoopBackOff", object{"phase": "Pending", "initContainerStatuses": list{terminated("setup", "", 1)}, "containerStatuses": list{
			object{"name": "app", "image": "registry.example.com/shop:1.2.3", "ready": false, "restartCount": 0, "state": object{"waiting": object{"reason": "PodInitializing"}}},
		}})
		logOf(c, "web", "setup", inLog(text), true)
	}},
	{name: "termination message", put: func(c object, _, text string) {
		degraded(c, deployment, `Deployment "web" exceeded its progress deadline`)
		ownedPod(c, deployment, "CrashLoopBackOff", crashing("app", text))
	}},
	{name: "waiting message", put: func(c object, _, text string) {
		degraded(c, deployment, `Deployment "web" exceeded its progress deadline`)
		ownedPod(c, deployment, "CreateContainerError", object{"phase": "Pending", "containerStatuses": list{object{
			"name": "app", "image": "registry.example.com/shop:1.2.3", "ready": false, "restartCount": 0,
			"state": object{"waiting": object{"reason": "CreateContainerError", "message": text}},
		}}})
	}},
	{name: "image pull error", put: func(c object, _, text string) {
		degraded(c, deployment, `Deployment "web" exceeded its progress deadline`)
		ownedPod(c, deployment, "ImagePullBackOff", object{"phase": "Pending", "containerStatuses": list{object{
			"name": "app", "image": "registry.example.com/shop:1.2.3", "ready": false, "restartCount": 0,
			"state": object{"waiting": object{"reason": "ImagePullBackOff", "message": `Back-off pulling image "registry.example.com/shop:1.2.3": ErrImagePull: ` + text}},
		}}})
	}},
	{name: "health message", put: func(c object, _, text string) { degraded(c, custom, text) }},
	{name: "condition of an object", put: func(c object, _, text string) {
		degraded(c, custom, "")
		appendTo(c, "resources", object{
			"apiVersion": "db.example.com/v1", "kind": "Database", "metadata": object{"name": "orders", "namespace": namespace, "uid": "uid-of-orders"},
			"status": object{"conditions": list{object{"type": "Ready", "status": "False", "reason": "Failed", "message": text}}},
		})
	}},
	{name: "event", put: func(c object, _, text string) {
		degraded(c, deployment, `Deployment "web" exceeded its progress deadline`)
		ownedPod(c, deployment, "ContainerCreating", object{"phase": "Pending", "containerStatuses": list{object{
			"name": "app", "image": "registry.example.com/shop:1.2.3", "ready": false, "restartCount": 0, "state": object{"waiting": object{"reason": "ContainerCreating"}},
		}}})
		podEvent(c, "Pod", "web-x2k4p", "FailedMount", `MountVolume.SetUp failed for volume "data": `+text)
	}},
	{name: "event of a controller", put: func(c object, _, text string) {
		degraded(c, deployment, "")
		podEvent(c, "Deployment", "web", "FailedCreate", text)
	}},
	{name: "ConfigMap that differs", fields: true, put: func(c object, name, text string) {
		drifts(c, configMap, "v1", object{"data": object{key(name): "from-git"}}, object{"data": object{key(name): text}})
	}},
	{name: "environment that differs", fields: true, put: func(c object, name, text string) {
		drifts(c, deployment, "apps/v1", object{"spec": container(object{"env": list{object{"name": key(name), "value": "from-git"}}})}, object{"spec": container(object{"env": list{object{"name": key(name), "value": text}}})})
	}},
	{name: "arguments that differ", short: true, put: func(c object, name, text string) {
		drifts(c, deployment, "apps/v1", object{"spec": container(object{"args": list{"serve", "--from-git"}})}, object{"spec": container(object{"args": list{"serve", text}})})
	}},
	{name: "annotation that differs", fields: true, put: func(c object, name, text string) {
		of := func(value string) object { return object{"annotations": object{"example.com/" + key(name): value}} }
		drifts(c, configMap, "v1", of("from-git"), of(text))
	}},
	{name: "field that differs", fields: true, put: func(c object, name, text string) {
		drifts(c, custom, "db.example.com/v1", object{"spec": object{key(name): "from-git"}}, object{"spec": object{key(name): text}})
	}},
	{name: "Secret that differs", fields: true, never: true, put: func(c object, name, text string) {
		drifts(c, secret, "v1", object{"data": object{key(name): base64Of("from-git")}}, object{"data": object{key(name): base64Of(text)}})
	}},
	{name: "Helm parameter", fields: true, put: func(c object, name, text string) {
		parameters := object{"parameters": list{object{"name": "web." + key(name), "value": text}}}
		at(c, "application", "spec", "source")["helm"] = parameters
		at(status(c), "sync")["status"] = "Unknown"
		appendTo(status(c), "conditions", object{"type": "ComparisonError", "lastTransitionTime": "2026-11-20T18:30:00Z", "message": "Failed to load target state: failed to generate manifest for source 1 of 1: rpc error: code = Unknown desc = Manifest generation error (cached): `helm template . --name-template shop --set web." + key(name) + "=" + text + "` failed exit status 1: Error: execution error at (shop/templates/web.yaml:4:12): a value is missing"})
	}},
	{name: "inline values", fields: true, put: func(c object, name, text string) {
		at(c, "application", "spec", "source")["helm"] = object{"values": "web:\n  " + key(name) + ": " + indented(text), "valuesObject": object{"web": object{key(name): text}}}
		drifts(c, configMap, "v1", object{"data": object{"a": "b"}}, object{"data": object{"a": "c"}})
	}, hidden: true},
	{name: "repository URL", url: true, put: func(c object, _, text string) {
		at(c, "application", "spec", "source")["repoURL"] = text
		at(status(c), "sync")["status"] = "Unknown"
		appendTo(status(c), "conditions", object{"type": "ComparisonError", "lastTransitionTime": "2026-11-20T18:30:00Z", "message": "Failed to load target state: failed to generate manifest for source 1 of 1: rpc error: code = Unknown desc = failed to list refs: authentication required: Repository not found."})
	}},
	{name: "git error", url: true, put: func(c object, _, text string) {
		at(status(c), "sync")["status"] = "Unknown"
		appendTo(status(c), "conditions", object{"type": "ComparisonError", "lastTransitionTime": "2026-11-20T18:30:00Z", "message": "Failed to load target state: failed to generate manifest for source 1 of 1: rpc error: code = Internal desc = Failed to fetch default: `git fetch origin --tags --force --prune` failed exit status 128: fatal: unable to access '" + text + "/': Could not resolve host"})
	}},
	{name: "repository connection", put: func(c object, _, text string) {
		c["repositories"] = list{object{"repo": repoURL, "type": "git", "connectionState": object{"status": "Failed", "message": text}}}
		at(status(c), "sync")["status"] = "Unknown"
		appendTo(status(c), "conditions", object{"type": "ComparisonError", "lastTransitionTime": "2026-11-20T18:30:00Z", "message": "Failed to load target state: failed to generate manifest for source 1 of 1: rpc error: code = Unknown desc = failed to list refs: authentication required: Repository not found."})
	}, hidden: true},
	{name: "project", url: true, hidden: true, put: func(c object, _, text string) {
		at(c, "project", "spec")["sourceRepos"] = list{text}
		appendTo(status(c), "conditions", object{"type": "InvalidSpecError", "lastTransitionTime": "2026-11-20T18:30:00Z", "message": "application repo " + repoURL + " is not permitted in project 'default'"})
	}},
	{name: "operation info", put: func(c object, _, text string) {
		syncFails(c, "the sync was ended by somebody")
		at(status(c), "operationState", "operation")["info"] = list{object{"name": "Reason", "value": text}}
		at(c, "application", "spec")["info"] = list{object{"name": "Note", "value": text}}
	}, hidden: true},
	{name: "child application", put: func(c object, _, text string) {
		leaf := fmt.Sprint(at(c, "application", "metadata")["name"], "-leaf") // it becomes an application of its own
		degraded(c, object{"group": "argoproj.io", "version": "v1alpha1", "kind": "Application", "namespace": "argocd", "name": leaf}, "")
		appendTo(c, "resources", object{
			"apiVersion": "argoproj.io/v1alpha1", "kind": "Application", "metadata": object{"name": leaf, "namespace": "argocd", "uid": "uid-of-leaf"},
			"spec": object{"project": "default", "source": object{"repoURL": repoURL, "path": "leaf"}, "destination": object{"server": server, "namespace": namespace}},
			"status": object{
				"sync": object{"status": "Unknown"}, "health": object{"status": "Degraded"},
				"conditions": list{object{"type": "ComparisonError", "message": text, "lastTransitionTime": "2026-11-20T18:30:00Z"}},
			},
		})
	}},
	{name: DryRun}, {name: Refusal},
	{name: Refused, put: func(c object, _, text string) {
		delete(c, "application")
		c["apiError"] = "rpc error: code = Unknown desc = " + text
	}},
}

func indented(s string) string { return strings.ReplaceAll(s, "\n", "\n  ") }
