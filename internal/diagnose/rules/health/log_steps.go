package health

import (
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/evidence"
)

var (
	// missingFile is how programs name a file that they cannot open: Go and C before the reason, Python and Node.js behind it.
	missingFile = pattern.MustCompile(`(?:open|stat|read|load|opening) "?(/[^\s":]+)"?: [Nn]o such file or directory|[Nn]o such file or directory(?:, open|:) '(/[^']+)'`)
	// dirtyMigration is how migration tools say that the last one failed in the middle.
	dirtyMigration = pattern.MustCompile(`dirty database version|database is dirty|migration lock|detected failed migration|changelog lock|could not acquire change log lock`)
	// forbiddenAccount is how the API server refuses a service account: verb, resource, group, namespace.
	forbiddenAccount = pattern.MustCompile(`User "system:serviceaccount:([^:"]+):([^"]+)" cannot (\w+) resource "([^"]+)" in API group "([^"]*)"(?: in the namespace "([^"]+)")?( at the cluster scope)?`)
	// execFailure is what the container runtime writes into the log of a command that it cannot execute.
	execFailure = pattern.MustCompile(`exec format error|^exec \S+: no such file or directory|bad interpreter`)
)

// accountSteps give a service account the right that it lacks.
func accountSteps(m []string) []diagnose.Fix {
	ns, name, verb, resource, group, in := m[1], m[2], m[3], m[4], m[5], m[6]
	verbs := fmt.Sprintf("%q", verb)
	if verb == "list" || verb == "watch" { // a program that keeps a list up to date does both
		verbs = `"list", "watch"`
	}
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
			Patch: fmt.Sprintf("rules:\n- apiGroups: [%q]\n  resources: [%q]\n  verbs: [%s]\n", group, resource, verbs),
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

// credentialsUsed points at where the container takes its credentials from.
func credentialsUsed(in *diagnose.In, s *unhealthy.Resource) []diagnose.Fix {
	step := diagnose.Fix{Text: "Correct the user or password that the container gets, or the one on the server"}
	var secrets []string
	for _, r := range pods.References(s.Object) {
		if r.Kind == "Secret" {
			secrets = append(secrets, r.String())
		}
	}
	switch secrets = withoutRepeats(secrets); len(secrets) {
	case 0:
	case 1:
		step.Text = fmt.Sprintf("Correct the user or password in %s, which the pod reads, or the one on the server; then restart the pod", secrets[0])
	default:
		step.Text = fmt.Sprintf("Correct the user or password in the one of %s that has it, or on the server; then restart the pod", strings.Join(secrets, ", "))
	}
	for _, r := range in.App().Status.Resources {
		other := len(secrets) > 0 && !slices.Contains(secrets, "Secret/"+r.Name) // the pod logs in with another one
		if r.Kind == "Secret" && r.Group == "" && r.Namespace == s.Target().Namespace && r.Status == "OutOfSync" && !other {
			return []diagnose.Fix{{Text: fmt.Sprintf("Find out whether Secret/%s has the password: it differs from Git, and a server keeps the password that it was set up with when a chart generates a new one. Then give the chart a fixed one (an existing Secret), the same as on the server", r.Name)}, step}
		}
	}
	return []diagnose.Fix{step}
}

// refusedWith are the Secrets that a pod reads whose log says that a server refuses its login.
func refusedWith(s *unhealthy.Resource) []evidence.Ref {
	if !loginRefused(strings.ToLower(s.LogSays().Text)) {
		return nil
	}
	var out []evidence.Ref
	for _, r := range pods.References(s.Object) {
		if r.Kind == "Secret" {
			r.Namespace = s.Target().Namespace
			out = append(out, r)
		}
	}
	return out
}
