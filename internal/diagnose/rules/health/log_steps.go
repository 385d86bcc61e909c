package health

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
)

// logSteps is what helps against the error that the log of a container names, where that is one of those that look alike in all
// programs. None where it is the program's own.
func logSteps(in *diagnose.In, s *unhealthy.Resource) []diagnose.Fix {
	said := s.LogSays().Text
	lower := strings.ToLower(said)
	switch {
	case said == "", s.Need != nil: // what it needs has its own step
		return nil
	case forbiddenAccount.MatchString(said):
		return accountSteps(forbiddenAccount.FindStringSubmatch(said))
	case execFailure.MatchString(lower):
		return execSteps(s, lower)
	case message.HasAny(lower, "permission denied", "eacces", "operation not permitted", "read-only file system", "erofs") && !message.HasAny(lower, "bind", "listen", "publickey", "for relation", "for schema", "for table", "for database", "for user"):
		return writeSteps(s, lower)
	case message.HasAny(lower, "bind", "listen") && message.HasAny(lower, "permission denied", "eacces"):
		return advice.Steps("Let it listen on a port above 1023 in Git: its user may not use a lower one")
	case missingFile.MatchString(said):
		m := missingFile.FindStringSubmatch(said)
		return advice.Steps(fmt.Sprintf("Make sure that %s exists in the container: in the image, or mounted there from a ConfigMap, Secret or volume in Git", cmp.Or(m[1], m[2])))
	case message.HasAny(lower, "eaddrinuse", "address already in use"):
		return advice.Steps("Give the port to one process only: another one in the pod, or on the node with hostNetwork, listens on it already")
	case message.HasAny(lower, "password authentication failed", "access denied for user", "authentication failed", "invalid username or password", "wrongpass", "noauth", "invalid username-password"):
		return credentialsUsed(in, s)
	case dirtyMigration.MatchString(lower):
		return advice.Steps("Undo or finish manually what the failed migration left in the database; then clear the failed state with the migration tool (migrate force, or its equivalent) and restart the pod")
	case message.HasAny(lower, "database files are incompatible"):
		return advice.Steps("Go back to the image of the major version that wrote the data, or migrate the data first (pg_upgrade, or dump and restore)")
	case message.HasAny(lower, "no space left on device"):
		return advice.Steps("Free space on the volume that it writes to, or enlarge its claim in Git")
	case message.HasAny(lower, "java heap space", "heap out of memory", "outofmemoryerror"):
		return []diagnose.Fix{{Text: "Raise its memory limit in Git, and the heap size of the process with it"}}
	case message.HasAny(lower, "unknown command", "unknown flag", "unknown option", "unrecognized option", "unrecognized arguments", "flag provided but not defined", "unknown shorthand flag", "unexpected argument"):
		return advice.Steps("Correct command and args in Git to what this version of the image knows")
	case message.HasAny(lower, "cannot find module", "modulenotfounderror", "no module named", "classnotfoundexception", "could not find or load main class", "unable to access jarfile", "cannot load such file", "production build", "error loading shared libraries"):
		return advice.Steps("Build the image so that it contains what is missing, or correct command and working directory in Git")
	case message.HasAny(lower, "no matches for kind", "no kind is registered", "failed to get api group resources", "could not find the requested resource"):
		return []diagnose.Fix{{Text: "Install the CustomResourceDefinitions that this version of the program needs, then list them", Command: "kubectl get customresourcedefinitions"}}
	case message.HasAny(lower, "x509", "certificate verify failed", "pkix path building failed", "self signed certificate", "self-signed certificate"):
		return advice.Steps("Give the container the CA certificate of the server that it talks to, or correct the server's certificate")
	case message.CannotReach(said):
		return reachHostSteps(s)
	}
	return nil
}

// logTrouble is the same error as a title without names; empty where it is the program's own.
func logTrouble(s *unhealthy.Resource) string {
	said := s.LogSays().Text
	lower := strings.ToLower(said)
	switch {
	case forbiddenAccount.MatchString(said):
		return "Service account lacks a right"
	case message.HasAny(lower, "password authentication failed", "access denied for user", "authentication failed", "invalid username or password", "wrongpass", "noauth", "invalid username-password"):
		return "Container cannot log in to a server"
	case dirtyMigration.MatchString(lower):
		return "Container finds a migration half done"
	}
	return ""
}

var (
	// missingFile is how programs name a file that they cannot open: Go and C before the reason, Python and Node.js behind it.
	missingFile = regexp.MustCompile(`(?:open|stat|read|load|opening) "?(/[^\s":]+)"?: [Nn]o such file or directory|[Nn]o such file or directory(?:, open|:) '(/[^']+)'`)
	// dirtyMigration is how migration tools say that the last one failed in the middle.
	dirtyMigration = regexp.MustCompile(`dirty database version|database is dirty|migration lock|detected failed migration|changelog lock|could not acquire change log lock`)
	// forbiddenAccount is how the API server refuses a service account: verb, resource, group, namespace.
	forbiddenAccount = regexp.MustCompile(`User "system:serviceaccount:([^:"]+):([^"]+)" cannot (\w+) resource "([^"]+)" in API group "([^"]*)"(?: in the namespace "([^"]+)")?( at the cluster scope)?`)
	// execFailure is what the container runtime writes into the log of a command that it cannot execute.
	execFailure = regexp.MustCompile(`exec format error|^exec \S+: no such file or directory|bad interpreter`)
)

// accountSteps give a service account the right that it lacks.
func accountSteps(m []string) []diagnose.Fix {
	ns, name, verb, resource, group, in := m[1], m[2], m[3], m[4], m[5], m[6]
	kind, flags := "ClusterRole", diagnose.Raw(" -A")
	if in != "" {
		kind, flags = "Role", diagnose.Raw(diagnose.Shell(" -n %s", in))
	}
	where := "bound to"
	if in != "" {
		where = fmt.Sprintf("of namespace %s that is bound to", in)
	}
	return []diagnose.Fix{
		{
			Text:  fmt.Sprintf("Allow it in Git: add this rule to a %s %s ServiceAccount/%s of namespace %s", kind, where, name, ns),
			Patch: fmt.Sprintf("rules:\n- apiGroups: [%q]\n  resources: [%q]\n  verbs: [%q]\n", group, resource, verb),
		},
		{Text: "Then check that it is allowed", Command: diagnose.Shell("kubectl auth can-i %s %s%s --as=%s", verb, advice.Dotted(resource, group), flags, "system:serviceaccount:"+ns+":"+name)},
	}
}

func execSteps(s *unhealthy.Resource, lower string) []diagnose.Fix {
	image := s.ContainerSpec().Text("image")
	if strings.Contains(lower, "exec format error") {
		return imageSteps(s, image, "Build the image for the node's architecture; a script needs #! in its first line")
	}
	return imageSteps(s, image, "Rebuild the image: the script, or the interpreter in its first line, does not exist there. Line ends of Windows (CRLF) have the same effect")
}

// writeSteps is what helps a process that may not write to its files.
func writeSteps(s *unhealthy.Resource, lower string) []diagnose.Fix {
	if message.HasAny(lower, "read-only file system", "erofs") {
		return []diagnose.Fix{{Text: "If that path is on a volume, find out why it is mounted read-only: readOnly in Git, or an error of its disk. Otherwise mount an emptyDir volume there in Git"}}
	}
	return []diagnose.Fix{{Text: "Give the container's user access to that path: in Git, give its volumes the group of that user, or change the owner of the path in the image", Patch: s.PatchPod("securityContext:", "  fsGroup: 1000   # the group that the process runs with")}}
}

// credentialsUsed points at where the container takes its credentials from.
func credentialsUsed(in *diagnose.In, s *unhealthy.Resource) []diagnose.Fix {
	step := diagnose.Fix{Text: "Correct the user or password that the container gets, or the one on the server"}
	for _, r := range pods.References(s.Object) {
		if r.Kind == "Secret" {
			step.Text = fmt.Sprintf("Correct the user or password in Secret/%s, which the container reads, or the one on the server; then restart the pod", r.Name)
		}
	}
	for _, r := range in.App().Status.Resources {
		if r.Kind == "Secret" && r.Group == "" && r.Namespace == s.Target().Namespace && r.Status == "OutOfSync" {
			return []diagnose.Fix{{Text: fmt.Sprintf("Find out whether Secret/%s has the password: it differs from Git, and a server keeps the password that it was set up with when a chart generates a new one. Then give the chart a fixed one (an existing Secret), the same as on the server", r.Name)}, step}
		}
	}
	return []diagnose.Fix{step}
}

// reachHostSteps is what to check about a host that is no part of the application.
func reachHostSteps(s *unhealthy.Resource) []diagnose.Fix {
	return []diagnose.Fix{{Text: "Check that the host exists, listens on that port, and that no network policy is in between; these are the Services of the namespace", Command: diagnose.Shell("kubectl %sget services,endpoints,networkpolicies", advice.InNamespace(s.Target()))}}
}
