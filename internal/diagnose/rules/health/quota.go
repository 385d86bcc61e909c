package health

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
)

var Quota = &diagnose.Rule{
	ID:    "health/quota",
	Needs: statement.RefusalNeeds,
	Doc: diagnose.Doc{
		Title:    "Quota or limits reject the pods",
		What:     "The sync succeeded, but the controller of the workload cannot create its pods: they exceed a ResourceQuota of the namespace, lack the requests and limits that it requires, or are outside a LimitRange.",
		Decisive: "Event FailedCreate of the ReplicaSet, StatefulSet or DaemonSet: \"exceeded quota\", \"failed quota\", or the words of a LimitRange.",
		Example:  "Error creating: pods \"web-d75587d6-w2tz8\" is forbidden: exceeded quota: team, requested: limits.cpu=1, used: limits.cpu=5426m, limited: limits.cpu=6",
		Fix:      "Free resources, request less, or raise the quota.",
	},
	Sync:       advice.Pointless("the cluster already matches Git; the pods do not fit the quota of the namespace"),
	Recognises: refusedPods{},
	Check: statement.Refused(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		if !s.Derived() || !statement.Quota(s) && !statement.LimitRange(s) {
			return diagnose.Finding{}, false
		}
		if statement.LimitRange(s) {
			f := statement.OutsideLimits(in, s, "the pods of "+statement.Name(s))
			f.Sync = advice.Pointless("the cluster already matches Git; the LimitRange of the namespace still rejects its pods")
			return f, true
		}
		f := statement.OverQuota(in, s, "the pods of "+statement.Name(s))
		f.Short = "Quota has no room for the pods"
		if s.Failure.Has("must specify") {
			f.Short = "Quota requires requests and limits"
			f.Fix[0] = setRequired(s)
		}
		return f, true
	}),
}

// mustSpecify is what a quota requires a pod to set: "limits.cpu,requests.cpu", and in newer versions of which containers: "limits.cpu
// for: web; limits.memory for: web,proxy".
var mustSpecify = pattern.MustCompile(`failed quota: ([^:\s]+): must specify ([\w.,/:; -]+)`)

// setRequired is the step for a quota that counts what the pods do not set.
func setRequired(s *diagnose.Statement) diagnose.Fix {
	fix := diagnose.Fix{Text: "Set them in every container in Git and push, or add a LimitRange with defaults to the namespace"}
	m := mustSpecify.FindStringSubmatch(s.Failure.Text)
	if m == nil {
		return fix
	}
	fix.Text = fmt.Sprintf("Set what ResourceQuota/%s counts in every container in Git and push, or add a LimitRange with defaults to the namespace", m[1])
	lines := map[string]string{}
	where := "in each container"
	for part := range strings.SplitSeq(m[2], ";") {
		list, containers, named := strings.Cut(strings.TrimSpace(part), " for: ")
		if named {
			where = "in each container that the API server names"
			if !strings.Contains(m[2], ";") && !strings.Contains(containers, ",") {
				where = "in container " + containers
			}
		}
		for what := range strings.SplitSeq(list, ",") {
			of, resource, ok := strings.Cut(what, ".")
			if !ok { // "cpu" is a request
				of, resource = "requests", what
			}
			amount := map[string]string{"cpu": "100m", "memory": "128Mi", "ephemeral-storage": "1Gi"}[resource]
			if line := fmt.Sprintf("    %s: %s   # %s\n", resource, amount, map[string]string{"requests": "what it usually uses", "limits": "the most it may use"}[of]); amount != "" && !strings.Contains(lines[of], line) {
				lines[of] += line
			}
		}
	}
	patch := ""
	for _, kind := range []string{"requests", "limits"} {
		if lines[kind] != "" {
			patch += "  " + kind + ":\n" + lines[kind]
		}
	}
	if patch != "" {
		fix.Patch = "# " + where + "\nresources:\n" + patch
	}
	return fix
}
