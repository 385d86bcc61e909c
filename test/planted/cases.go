package planted

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
)

type (
	object = map[string]any
	list   = []any
)

// UID is that of every application.
const UID = "6c2f7a55-31c8-4f9e-8a52-0c7b9f1d7a0d"

const (
	revision  = "3f2a91c0d4b7e6a5f8c1d2e3b4a5968778695a4b"
	server    = "https://kubernetes.default.svc"
	repoURL   = "https://git.example.com/shop/deploy.git"
	namespace = "shop"
)

func jsonString(s string) string { return jsonText(s) }

// jsonText is JSON as most programs write it: Go's own escapes <, > and &.
func jsonText(v any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // of maps, lists and strings
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// application is a case of an application that is well.
func application(name string) object {
	source := object{"repoURL": repoURL, "path": "apps/" + name, "targetRevision": "main"}
	return object{
		"case": "argo-why.dev/v1", "origin": "planted", "now": "2026-11-20T18:32:00Z",
		"application": object{
			"apiVersion": "argoproj.io/v1alpha1", "kind": "Application",
			"metadata": object{"name": name, "namespace": "argocd", "uid": UID, "creationTimestamp": "2026-10-09T09:40:00Z"},
			"spec":     object{"project": "default", "source": source, "destination": object{"server": server, "namespace": namespace}},
			"status": object{
				"sync": object{"status": "Synced", "revision": revision}, "health": object{"status": "Healthy"},
				"resources":    list{},
				"reconciledAt": "2026-11-20T18:31:00Z", "controllerNamespace": "argocd",
				"operationState": object{
					"operation": object{"sync": object{"revision": revision}, "initiatedBy": object{"username": "dana"}, "retry": object{}},
					"phase":     "Succeeded", "message": "successfully synced (all tasks run)", "startedAt": "2026-11-20T18:02:00Z", "finishedAt": "2026-11-20T18:03:00Z",
					"syncResult": object{"revision": revision, "resources": list{}, "source": source},
				},
				"history": list{object{"id": 7, "revision": revision, "deployedAt": "2026-11-20T18:03:00Z", "deployStartedAt": "2026-11-20T18:02:00Z", "source": source}},
			},
		},
		"resourceTree": object{"nodes": list{}}, "managedResources": object{"items": list{}}, "resources": list{}, "events": list{}, "logs": list{},
		"project":      object{"metadata": object{"name": "default"}, "spec": object{"sourceRepos": list{"*"}, "destinations": list{object{"server": "*", "namespace": "*"}}}},
		"syncWindows":  object{"canSync": true},
		"repositories": list{object{"repo": repoURL, "type": "git", "connectionState": object{"status": "Successful", "message": ""}}},
	}
}

// at is what is under a path; it is made where it is missing.
func at(o object, path ...string) object {
	for _, key := range path {
		next, ok := o[key].(object)
		if !ok {
			next = object{}
			o[key] = next
		}
		o = next
	}
	return o
}

func status(c object) object { return at(c, "application", "status") }

// appendTo adds to a list under a path.
func appendTo(o object, key string, values ...any) {
	all, _ := o[key].(list)
	o[key] = append(all, values...)
}

// reference is how Argo CD names an object.
func reference(group, kind, name string) object {
	r := object{"version": "v1", "kind": kind, "namespace": namespace, "name": name}
	if group != "" {
		r["group"] = group
	}
	return r
}

func uidOf(ref object) string { return fmt.Sprint("uid-of-", ref["name"]) }

// with is a copy of an object with more in it.
func with(o object, more object) object {
	out := maps.Clone(o)
	maps.Copy(out, more)
	return out
}

// syncFails makes the last sync fail, with what it says of itself and of some resources.
func syncFails(c object, message string, results ...any) {
	op := at(status(c), "operationState")
	op["phase"], op["message"] = "Failed", message
	at(op, "syncResult")["resources"] = results
	at(status(c), "sync")["status"] = "OutOfSync"
}

const tasksFailed = "one or more synchronization tasks completed unsuccessfully"

// degraded adds a resource that is applied but not healthy.
func degraded(c object, ref object, message string) {
	health := object{"status": "Degraded", "message": message}
	at(status(c), "health")["status"] = "Degraded"
	appendTo(status(c), "resources", with(ref, object{"status": "Synced", "health": health}))
	appendTo(at(c, "resourceTree"), "nodes", with(ref, object{"uid": uidOf(ref), "createdAt": "2026-11-20T18:02:00Z", "health": health}))
}

// ownedPod adds the pod of an object: the reason that Argo CD shows for its state, and how its containers are.
func ownedPod(c object, owner object, reason string, podStatus object) {
	name := fmt.Sprint(owner["name"], "-x2k4p")
	parent := with(owner, object{"uid": uidOf(owner)})
	appendTo(at(c, "resourceTree"), "nodes", with(reference("", "Pod", name), object{
		"uid": "uid-of-" + name, "createdAt": "2026-11-20T18:02:10Z", "parentRefs": list{parent}, "health": object{"status": "Degraded"},
		"images": list{"registry.example.com/shop:1.2.3"}, "info": list{object{"name": "Status Reason", "value": reason}},
	}))
	appendTo(c, "resources", object{
		"apiVersion": "v1", "kind": "Pod", "metadata": object{
			"name": name, "namespace": namespace, "uid": "uid-of-" + name, "creationTimestamp": "2026-11-20T18:02:10Z",
			"ownerReferences": list{object{"apiVersion": "v1", "kind": owner["kind"], "name": owner["name"], "uid": parent["uid"], "controller": true}},
		},
		"spec":   object{"nodeName": "node-5", "containers": list{object{"name": "app", "image": "registry.example.com/shop:1.2.3"}}, "initContainers": list{object{"name": "setup", "image": "registry.example.com/shop:1.2.3"}}},
		"status": podStatus,
	})
}

// terminated is the status of a container that has ended.
func terminated(name, message string, code int) object {
	ended := object{"exitCode": code, "reason": "Error", "startedAt": "2026-11-20T18:20:00Z", "finishedAt": "2026-11-20T18:20:05Z"}
	if message != "" {
		ended["message"] = message
	}
	return object{
		"name": name, "image": "registry.example.com/shop:1.2.3", "ready": false, "restartCount": 6, "started": false,
		"state":     object{"waiting": object{"reason": "CrashLoopBackOff", "message": "back-off 5m0s restarting failed container=" + name}},
		"lastState": object{"terminated": ended},
	}
}

func crashing(name, message string) object {
	return object{"phase": "Running", "containerStatuses": list{terminated(name, message, 1)}}
}

func logOf(c object, pod, container, text string, previous bool) {
	appendTo(c, "logs", object{"namespace": namespace, "pod": pod + "-x2k4p", "container": container, "previous": previous, "text": text})
}

// drifts adds a resource whose live state is another one than the desired.
func drifts(c object, ref object, apiVersion string, target, live object) {
	at(status(c), "sync")["status"] = "OutOfSync"
	appendTo(status(c), "resources", with(ref, object{"status": "OutOfSync", "health": object{"status": "Healthy"}}))
	appendTo(at(c, "resourceTree"), "nodes", with(ref, object{"uid": uidOf(ref), "createdAt": "2026-11-20T18:02:00Z"}))
	livingMeta := object{"uid": uidOf(ref), "creationTimestamp": "2026-10-09T09:40:00Z", "managedFields": list{
		object{"manager": "argocd-controller", "operation": "Update", "time": "2026-11-20T18:02:00Z", "apiVersion": apiVersion, "fieldsType": "FieldsV1", "fieldsV1": object{}},
		object{"manager": "kubectl-edit", "operation": "Update", "time": "2026-11-20T18:12:00Z", "apiVersion": apiVersion, "fieldsType": "FieldsV1", "fieldsV1": object{"f:data": object{}, "f:spec": object{}}},
	}}
	whole := func(o object, more object) object {
		meta := with(object{"name": ref["name"], "namespace": namespace}, more)
		out := with(object{"apiVersion": apiVersion, "kind": ref["kind"]}, o)
		if annotations, ok := o["annotations"]; ok { // of the object, and not beside its spec
			meta["annotations"] = annotations
			delete(out, "annotations")
		}
		return with(out, object{"metadata": meta})
	}
	living := jsonText(whole(live, livingMeta))
	appendTo(at(c, "managedResources"), "items", with(ref, object{
		"targetState": jsonText(whole(target, nil)), "liveState": living, "normalizedLiveState": living,
		"predictedLiveState": jsonText(whole(target, livingMeta)), "modified": true,
	}))
}
