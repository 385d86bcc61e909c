package health

import (
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/text"
)

// volumeSays is the most telling text about a volume: what provisioning, attaching or mounting said.
func volumeSays(s *unhealthy.Resource) (said, from string) {
	if s.Symptom.Trouble == pods.VolumePending && message.HasAny(s.Symptom.Reason, "FailedMount", "FailedAttachVolume", "FailedMapVolume") {
		return text.OneLine(s.Symptom.Text), s.Symptom.From // the last that says why
	}
	for _, reasons := range [][]string{{"ProvisioningFailed", "FailedAttachVolume", "FailedBinding"}, {"FailedMount", "FailedMapVolume"}, {"WaitForFirstConsumer", "ExternalProvisioning", "WaitForPodScheduled"}} {
		for i := len(s.Events) - 1; i >= 0; i-- {
			for _, r := range reasons {
				if e := &s.Events[i]; e.Reason == r {
					return text.OneLine(e.Message), pods.EventName(e)
				}
			}
		}
	}
	if s.Symptom.Text != s.Text || s.Pod != nil {
		return text.OneLine(s.Symptom.Text), s.Symptom.From
	}
	return text.OneLine(s.Text), s.Ref.String()
}

var (
	// mountOutput is how the kubelet shows a mount command that failed; only its output says why.
	mountOutput = pattern.MustCompile(`mount failed: exit status \d+ Mounting command: .* Output: (.*)$`)
	// volumeWrapping is what the kubelet puts in front of the words of a volume plug-in.
	volumeWrapping = pattern.MustCompile(`^(?:(?:MountVolume|AttachVolume|MapVolume)\.\S+ failed for volume "[^"]*" ?: |(?:kubernetes\.io/)?csi: |attacher\.\w+ failed to create newCsiDriverClient: |mounter\.SetUpAt failed to get CSI client: |rpc error: code = \w+ desc = )+`)
	driverName     = pattern.MustCompile(`driver name (\S+) not found in the list|does not contain driver (\S+)`)
	nfsDenied      = pattern.MustCompile(`access denied by server while mounting (\S+:\S+)`)
	// stalePassing passes by itself; onlyLate says that a volume is late, and not why.
	stalePassing = pattern.MustCompile(`object "[^"]*"/"[^"]*" not registered|failed to sync (?:configmap|secret) cache`)
	onlyLate     = pattern.MustCompile(`(?i)^unable to (?:attach or )?mount volumes.*(?:timed out waiting|deadline exceeded)|timeout expired waiting for volumes`)
	// missingInstance is a machine, missingDisk a disk that the cloud does not know.
	missingInstance = pattern.MustCompile(`(?i)\binstance "?[\w-]+"? (?:was )?not found|InvalidInstanceID|instance not found`)
	missingDisk     = pattern.MustCompile(`invalidvolume\.notfound|volume "?vol-\w+"? (?:does not exist|not found)|could not find (?:disk|volume)|disk \S+ (?:is )?not found|the resource 'projects/\S+/disks/\S+' was not found|image not found|volume not found`)
	localPath       = pattern.MustCompile(`NewMounter initialization failed for volume "[^"]*" ?: path "([^"]+)" does not exist`)
	hostPathCheck   = pattern.MustCompile(`hostPath type check failed: (\S+ is not an? [a-z ]+)`)
)

// volumeWords are the words about a volume without the wrapping of the kubelet and of mount.
func volumeWords(said string) string {
	said = volumeWrapping.ReplaceAllString(said, "")
	if m := mountOutput.FindStringSubmatch(said); m != nil {
		return m[1]
	}
	return said
}

// volumeTrouble is what is wrong with a volume. claim: what helps is another claim; driver: its driver is to be looked at on the node;
// attached: another node may have it; held: another node has it.
type volumeTrouble struct {
	short, fix                    string
	claim, driver, attached, held bool
	// look is a command that shows the state of the volume in its storage system.
	look string
	// onNode: the node is at fault. complete: the title says all of it.
	onNode   bool
	complete bool
	// elsewhere: the volume exists and no node that can use it takes the pod. lost: nodes do not respond.
	elsewhere, lost bool
	// unmatched: nothing provisions a volume, and none of those that exist fits.
	unmatched bool
}

// noClaim is the trouble of a pod whose claim does not exist.
const noClaim = "volume claim does not exist"

// noClass is the trouble of a claim without a storage class in a cluster without a default one, where no volume fits.
const noClass = "claim has no storage class"

// waitsForPod is the trouble of a claim that no pod uses yet.
const waitsForPod = "volume is waiting for a pod to use it"

func volumeFailure(said string) volumeTrouble {
	lower := strings.ToLower(said)
	if w, ok := mountTrouble(said, lower); ok {
		return w
	}
	switch {
	case message.HasAny(lower, "storageclass") && strings.Contains(lower, "not found"):
		return volumeTrouble{short: "storage class does not exist", fix: "In Git, set an existing storage class in the claim; the class of a claim cannot be changed, so delete the unbound claim as well", claim: true}
	case strings.Contains(lower, "no storage class is set"):
		return volumeTrouble{unmatched: true, short: noClass, fix: "In Git, set storageClassName of the claim to a class of the cluster, or create a PersistentVolume that fits. Where storageClassName is left out, a default class does as well: annotate one with storageclass.kubernetes.io/is-default-class: \"true\"", claim: true}
	case message.HasAny(lower, "no persistent volumes available"):
		return volumeTrouble{unmatched: true, short: "no volume fits the claim", fix: "Set a storage class in the claim or a default class in the cluster, or create a volume that fits", claim: true}
	case message.HasAny(lower, "waiting for first consumer", "waitforfirstconsumer", "wait for pod"):
		return volumeTrouble{short: waitsForPod, fix: "Put a pod that uses the claim in the same sync wave, or use a storage class with volumeBindingMode: Immediate"}
	case message.HasAny(lower, "volume node affinity", "nodeaffinity check failed"):
		return boundElsewhere(said)
	case message.HasAny(lower, "persistentvolumeclaim") && strings.Contains(lower, "is being deleted"):
		return volumeTrouble{short: "its volume claim is being deleted", fix: "Wait until the claim is gone, or delete what still uses it; a sync then creates it again"}
	case message.HasAny(lower, "persistentvolumeclaim") && strings.Contains(lower, "not found"):
		return volumeTrouble{short: noClaim, fix: "Create the claim, or correct its name in Git"}
	case message.HasAny(lower, "unauthorized", "not authorized", "permission denied", "accessdenied", "access denied", "forbidden", "403"):
		return volumeTrouble{short: "storage denies access to the CSI driver", fix: "Give the provisioner of the storage class the permission that is named, in the cloud account or storage system"}
	case message.HasAny(lower, "quota", "limit exceeded", "no space", "insufficient", "not enough free", "out of capacity"):
		return volumeTrouble{short: "storage has no room for the volume", fix: "Request less storage, free some, or raise the storage quota"}
	case message.HasAny(lower, "failed to provision"):
		return volumeTrouble{short: "volume cannot be provisioned", fix: "Check the credentials, permissions and limits of the storage class's provisioner, and the parameters of the class"}
	case message.HasAny(lower, "external provisioner", "provisioner", "waiting for a volume to be created"):
		return volumeTrouble{short: "volume has not been provisioned", fix: "Check the pods of the storage class's CSI driver"}
	case message.HasAny(lower, "unbound"):
		return volumeTrouble{short: "volume claim is not bound"}
	case said == "":
		return volumeTrouble{short: "waiting for a volume"}
	}
	return volumeTrouble{short: "volume is not available"}
}

// mountTrouble is what keeps a volume that exists from being attached to a node or mounted there.
func mountTrouble(said, lower string) (volumeTrouble, bool) {
	attaches := strings.Contains(lower, "mount") || strings.Contains(lower, "attach") || strings.Contains(lower, "csinode")
	switch {
	case !attaches || message.HasAny(lower, "nodes are available", "nodeaffinity check failed"):
		return volumeTrouble{}, false
	case strings.Contains(lower, "multi-attach"):
		return volumeTrouble{short: "volume is still attached to another node", attached: true, held: true, fix: "-"}, true
	case stalePassing.MatchString(said):
		return volumeTrouble{short: "node has not loaded its Secrets and ConfigMaps", fix: "Wait a minute: a kubelet that has just started repeats this until it has read them. If it stays, delete the pod, or restart the kubelet of the node"}, true
	case onlyLate.MatchString(said):
		return volumeTrouble{short: "volume is not mounted in time", fix: "Find in the older events what the volume waits for; where they say nothing, check the CSI driver's pod on the node", attached: true}, true
	case message.HasAny(lower, "hasn't been attached", "has not been attached", "not attached to node"):
		return volumeTrouble{short: "volume is not attached, though Kubernetes says so", fix: "Detach it and attach it again: delete the VolumeAttachment of that volume, or scale the workload to 0 until the storage shows it as detached", attached: true}, true
	case message.HasAny(lower, "maximum number of data disks", "attachmentlimitexceeded", "attachment limit", "maximum number of volumes", "max volume limit"):
		return volumeTrouble{short: "node can attach no further volume", fix: "Let the pod run on a node with fewer volumes, or use machines that take more"}, true
	case missingInstance.MatchString(said):
		return volumeTrouble{short: "machine of its node is not found in the cloud", fix: "Check whether that machine still exists; if not, delete its node, so that the pod gets another one", onNode: true}, true
	case missingDisk.MatchString(lower):
		return volumeTrouble{short: "disk of its volume no longer exists", fix: "Restore the disk from a snapshot or backup. If its data is not needed, delete claim and volume, so that an empty one is created"}, true
	case strings.Contains(lower, "is not ready for workloads"):
		return volumeTrouble{short: "Longhorn volume is not ready", fix: "Check the state of the volume and its replicas in Longhorn, and the disk space of its nodes", look: "kubectl get volumes.longhorn.io -A"}, true
	case localPath.MatchString(said):
		return volumeTrouble{complete: true, short: "local volume " + localPath.FindStringSubmatch(said)[1] + " does not exist on the node", fix: "Create that directory, or mount that disk, on the node, or correct the path of the PersistentVolume"}, true
	case hostPathCheck.MatchString(said):
		return volumeTrouble{complete: true, short: "hostPath " + strings.TrimSpace(hostPathCheck.FindStringSubmatch(said)[1]), fix: "Create it on the node, or correct path and type of the hostPath volume in Git"}, true
	case driverName.MatchString(said):
		m := driverName.FindStringSubmatch(said)
		return volumeTrouble{short: "CSI driver " + m[1] + m[2] + " is not on the node", fix: "Install the driver, or check its pod on that node: it has not registered with the kubelet", driver: true}, true
	case message.HasAny(lower, "secrets store objects", "secretproviderclass", "secrets-store"):
		return volumeTrouble{short: "secrets cannot be read from their store", fix: "Fix what the store answers: the access of the pod's service account, or the objects in the SecretProviderClass"}, true
	case message.HasAny(lower, "/sbin/mount.", "mount helper", "unknown filesystem type"):
		return volumeTrouble{short: "node cannot mount this file system", fix: "Install the client of that file system on the nodes: nfs-common or nfs-utils for NFS, cifs-utils for SMB"}, true
	case message.HasAny(lower, "wrong fs type", "bad superblock", "structure needs cleaning", "fsck", "input/output error", "superblock"):
		return volumeTrouble{short: "file system of the volume cannot be mounted", fix: "Check the volume in its storage system: its file system is damaged, of another type, or in use elsewhere. Do not format it before its data is safe", attached: true}, true
	case nfsDenied.MatchString(said):
		return volumeTrouble{short: "NFS server denies the mount", fix: "Allow the nodes to mount " + nfsDenied.FindStringSubmatch(said)[1] + " in the exports of the NFS server, or correct server and path in Git"}, true
	case strings.Contains(lower, "cifs") && message.HasAny(lower, "permission denied", "error(13)"):
		return volumeTrouble{short: "SMB server denies the mount", fix: "Correct user and password (for Azure Files the storage account key) in the Secret that the volume names; also check the firewall of the share"}, true
	case strings.Contains(lower, "attachvolume") && message.HasAny(lower, "not authorized", "unauthorized", "accessdenied", "access denied", "forbidden", "permission denied"):
		return volumeTrouble{short: "cloud denies attaching the volume", fix: "Give the CSI driver's controller (for AWS its IAM role) the permission to attach volumes"}, true
	case message.HasAny(lower, "access denied by server", "permission denied", "accessdenied", "access denied", "not authorized", "unauthorized", "operation not permitted"):
		return volumeTrouble{short: "storage denies the mount", fix: "Allow the nodes, or the CSI driver's account, to use this volume: the exports of an NFS server, the permissions of a cloud volume"}, true
	case strings.Contains(lower, ".efs.") && strings.Contains(lower, "failed to resolve"):
		return volumeTrouble{short: "name of the EFS file system cannot be resolved", fix: "Check the file system ID, and that it has a mount target in the zone of the node; the VPC needs DNS resolution and DNS hostnames"}, true
	case message.HasAny(lower, "failed to resolve", "no such host", "name or service not known", "could not resolve"):
		return volumeTrouble{short: "name of the storage server cannot be resolved", fix: "Correct its name or the DNS of the nodes. Nodes do not use the cluster's DNS: they cannot resolve the name of a Service"}, true
	case message.HasAny(lower, "connection refused", "no route to host", "connection timed out", "host is down", "failed to resolve", "no such host", "unreachable", "name or service not known"):
		return volumeTrouble{short: "storage server cannot be reached", fix: "Make sure that the nodes reach the storage server: its name, network and firewall"}, true
	case message.HasAny(lower, "no such file or directory", "does not exist", "not found", "special device"):
		return volumeTrouble{short: "what it should mount does not exist", fix: "Create it in the storage system, or correct the path or ID in Git"}, true
	case message.HasAny(lower, "attachment is being deleted", "expected device to be attached", "still attached", "already attached", "is in use", "volumeinuse"):
		return volumeTrouble{short: "volume is not detached from another node yet", fix: "Wait until it is detached; if that takes longer than ten minutes, check the CSI driver's controller and the old node", attached: true}, true
	case message.HasAny(lower, "operation with the given volume", "operation already exists"):
		return volumeTrouble{short: "an earlier operation on the volume has not ended", fix: "Check the CSI driver's pod on the node and the storage system: the call before this one is still under way, or hangs. If it stays, restart that pod", driver: true}, true
	case message.HasAny(lower, "already exists", "deadline exceeded", "timed out waiting", "timeout"):
		return volumeTrouble{short: "storage does not answer in time", fix: "Check the CSI driver's pod on the node and the storage system behind it", driver: true}, true
	}
	return volumeTrouble{short: "volume cannot be attached or mounted", fix: "Check the CSI driver and the storage system for what it says"}, true
}
