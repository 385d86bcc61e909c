package hooks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/evidence"
)

// obstacles are what stands in the way of programs of every kind, beside what the rules about health know. Their words are common, so they decide
// only in the line that does.
var obstacles = []stumble{
	{
		said:        []string{"password authentication failed", "access key id you provided does not exist", "missing authentication credentials", "permission denied (publickey"},
		step:        "Correct the credentials that the hook logs in with, or those that the server expects",
		credentials: true,
	},
	{ // curl
		said: []string{"the requested url returned error: 404"},
		step: "Correct the URL that the hook calls, or find out why nothing is served there: its Ingress or route, the path, the version that is running",
	},
	{
		said:        []string{"the requested url returned error: 401", "the requested url returned error: 403"},
		step:        "Give the hook credentials that this URL accepts",
		credentials: true,
	},
	{
		said: []string{"lock timeout", "lock wait timeout", "deadlock detected", "deadlock found"},
		step: "Find the session that holds the lock in the database, such as a long transaction of the running application, and let the hook run again once it is done",
	},
	{
		said: []string{"duplicate column", "42p07", "42701", "42s01", "42s21", "duplicateobject", "duplicatetable", "duplicatecolumn"},
		like: pattern.MustCompile(`\b(?:relation|column|table|type|index|constraint|schema|database) .*already exists`),
		step: "If an earlier run created it and stopped halfway, or somebody did outside the migrations: mark the migration as applied if all of its change is there, or else undo the part that is",
	},
	{
		said: []string{"certificate has expired", "certificate is expired", "certificate expired"},
		step: "Renew the certificate that has expired",
	},
	{
		said: []string{"could not create unique index", "duplicate entry", "contains null values", "violates unique", "violates foreign", "violates not-null", "violates check"},
		step: "Correct the data that violates it in the database, or change the migration in Git, before it runs again",
	},
	{
		like: pattern.MustCompile(`sh: (?:line )?\S+: permission denied`),
		step: "Make that file executable in the image; if it comes from a ConfigMap, set the volume's defaultMode to 0755 in Git",
	},
	{ // of a file that the rules about health do not find in the line
		like: pattern.MustCompile(`can(?:no|')t write to /`),
		step: "Let the hook's container write there: mount a volume at that path, such as an emptyDir, in Git; or take an image in which the path belongs to the user that the container runs as",
	},
	{
		said: []string{"exec format error"},
		step: "In Git, use an image for the CPU architecture of the node. If the command is a script, its first line must be a #! line",
	},
	{ // Helm, run by a hook
		said: []string{"another operation (install/upgrade/rollback) is in progress"},
		step: "Find the release that is pending with helm list --all-namespaces --pending. If no other Helm is at work, roll it back with helm rollback",
	},
}

// obstacleOf is what the line that decides says of one; nil where it says nothing like that.
func (h *run) obstacleOf() *stumble {
	decides, _ := h.lastWords()
	line := strings.ToLower(decides)
	for i := range obstacles {
		if o := &obstacles[i]; message.HasAny(line, o.said...) || o.like != nil && o.like.MatchString(line) {
			return o
		}
	}
	return nil
}

// fromSecrets says where the hook has its credentials from, as far as it is known.
func (h *run) fromSecrets() string {
	var out []evidence.Ref
	for _, ref := range h.references() {
		if ref.Kind == "Secret" && !slices.Contains(out, ref) {
			out = append(out, ref)
		}
	}
	if len(out) == 0 {
		return ""
	}
	return fmt.Sprintf(". Its pod reads %s", advice.Names(out))
}

// references are the Secrets and ConfigMaps that the hook's pod refers to, read from the pod or else from its template.
func (h *run) references() []evidence.Ref {
	if refs := pods.References(h.pod); len(refs) > 0 {
		return refs
	}
	template, _ := h.job.At("spec", "template").(map[string]any)
	return pods.References(evidence.Object(template))
}
