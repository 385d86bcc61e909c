package rules_test

import (
	"testing"
)

// TestPodsAreFollowedToTheCause: what a report of a recorded case says about a pod that does not start or does not run.
func TestPodsAreFollowedToTheCause(t *testing.T) {
	for name, want := range map[string][]string{
		"health/config-missing/account-of-token":             {"ServiceAccount/exporter is missing", "create serviceaccount exporter"},
		"health/config-missing/key-of-volume":                {"ConfigMap/router-rules has no key routes.yaml"},
		"health/config-missing/two-secrets":                  {"Secret/intake-signing", "Secret/intake-webhook-tls", "create secret tls intake-webhook-tls", "It also lacks"},
		"health/container-create/file-onto-directory":        {"not a directory", "the subPath must be a key"},
		"health/container-create/flag-as-command":            {"flag --listen=:9000 is taken for the command", `args: ["--listen=:9000", "--verbose"]`},
		"health/container-create/image-link":                 {"/etc/passwd of the image is a link"},
		"health/container-create/post-start-hook":            {"its postStart hook fails", "exited with 127"},
		"health/crash-loop/gke-namespace":                    {"GKE does not let workloads use its own namespaces"},
		"health/crash-loop/missing-variable":                 {"Set QUEUE_ADDRESS in Git", "- name: QUEUE_ADDRESS"},
		"health/crash-loop/pg-hba":                           {"sslmode=require"},
		"health/crash-loop/scratch-directory":                {"Container may not use its files", "mountPath: /var/cache/nginx"},
		"health/crash-loop/unresolved-upstream":              {"cannot resolve pricing-api", "create the Service of that name in namespace orders"},
		"health/image-pull/expired-certificate":              {"Renew the certificate of cr.example.org"},
		"health/image-pull/mirror-refuses":                   {"can reach pull.example.org"},
		"health/image-pull/server-error":                     {"registry answers with an error of its own", "Check the status or the log of cr.example.org"},
		"health/image-pull/service-name":                     {"name of the registry cannot be resolved", "nodes do not use the cluster's DNS"},
		"health/image-pull/signature":                        {"signature of the image is not accepted"},
		"health/pod-sandbox/inner-plugin":                    {"OVN-Kubernetes does not run on the node", "ovnkube-node"},
		"health/pod-sandbox/old-bridge":                      {"bridge cni0 of the node has an old address", "ip link delete cni0"},
		"health/readiness/waits-in-loop":                     {"init container await-records does not finish", "StatefulSet/records"},
		"health/readiness/own-address":                       {"Find in its log why the process does not listen there itself"},
		"health/readiness/owner-words":                       {"container web is not ready", "It has no readiness probe that would say why"},
		"health/unschedulable/attach-limit-in-zone":          {"no further volume attaches", "Free a volume on a node where its own can be attached"},
		"health/unschedulable/attach-limit-of-matching-node": {"It asks for nodes with disk=nvme", "Raise the maximum size of the node group", "If the pod may also run on the 4 nodes", "By its own words it needs StatefulSet/acme-index"},
		"health/unschedulable/closest-node":                  {"insufficient memory", "It requests memory 24Gi"},
		"health/unschedulable/full-disk-and-full-nodes":      {"nodes short of disk space", "Container web was using 41943040Ki", "raise the number of pods that a node may have", "kubectl describe node rack-12"},
		"health/volume-pending/no-class-beside-an-edit":      {"StatefulSet/acme-bus-broker: claim has no storage class", "is-default-class", "By its own words it needs StatefulSet/acme-bus-broker"},
		"health/unschedulable/node-under-pressure":           {"nodes short of disk space", "2 pods of Deployment/thumbs were evicted before, from node edge-7", "kubectl describe node edge-7"},
		"health/unschedulable/selector-named":                {"It asks for nodes with gpu.example.org/model=l40", "kubectl get nodes -L gpu.example.org/model"},
		"health/volume-pending/held-by-leaving-pod":          {"volume is still in use on node rack-b-4", "Pod/wiki-6d5f8c7b9-old11 is marked for deletion", "kubectl get node rack-b-4"},
		"health/volume-pending/late-only":                    {"volume is not mounted in time", "older events"},
		"health/volume-pending/node-down":                    {"node rack-b-4 is down and keeps the volume", "has not reported for 41 min", "kubectl taint nodes rack-b-4 node.kubernetes.io/out-of-service=nodeshutdown:NoExecute"},
		"health/volume-pending/stale-attachment":             {"volume is not attached, though Kubernetes says so", "delete the VolumeAttachment"},
	} {
		t.Run(name, func(t *testing.T) {
			says(t, name, want)
		})
	}
}
