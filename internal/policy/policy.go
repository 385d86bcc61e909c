// Package policy names the keys of argocd-rbac-cm for the rights of an account. The script that makes the account writes them and
// says how to remove them, so what a message has a person add must be in the same ones, or it would stay behind.
package policy

import (
	"fmt"
	"regexp"
	"strings"
)

// Reading is the key for what an account may read. Argo CD reads each policy.*.csv in addition to policy.csv.
func Reading(account string) string { return "policy." + account + ".csv" }

// Acting is the key for what an account may change.
func Acting(account string) string { return "policy." + account + "-actions.csv" }

// IsAccount reports whether a name can be that of a local account, and of a key.
func IsAccount(name string) bool { return localAccount.MatchString(name) }

var localAccount = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$`)

// Grant says how to give somebody the right to a verb on objects of a kind: "add to policy.argo-why.csv in argocd-rbac-cm: p, argo-why,
// clusters, get, *, allow", with a line for each of the objects.
func Grant(subject, resource, verb string, objects ...string) string {
	var lines []string
	for _, o := range objects {
		lines = append(lines, Line(subject, resource, verb, o))
	}
	return "add to " + Place(subject, verb) + ": " + strings.Join(lines, " and ")
}

// Line is that of a policy.
func Line(subject, resource, verb, objects string) string {
	return fmt.Sprintf("p, %s, %s, %s, %s, allow", subject, resource, verb, objects)
}

// Place is where a line belongs that gives somebody the right to a verb: "policy.argo-why.csv in argocd-rbac-cm". Who is not a local
// account has no key of its own.
func Place(subject, verb string) string {
	const in = " in argocd-rbac-cm"
	account := strings.TrimSuffix(subject, ":apiKey") // as Argo CD's refusals have it
	switch {
	case !IsAccount(account):
		return "policy.csv" + in
	case verb == "get":
		return Reading(account) + in
	}
	return Acting(account) + in
}
