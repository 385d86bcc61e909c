package setup

import (
	"fmt"
	"path/filepath"
	"strings"
)

// Result is what was written.
type Result struct {
	Dir     string
	Answers Answers
	// HasArgoCDToken: secret.sh has no token to make.
	HasArgoCDToken bool
}

// Next are the commands that are left, in the order in which to run them.
func (r *Result) Next() []string {
	ns, in := r.Answers.Namespace, func(name string) string { return shell(filepath.Join(r.Dir, name)) }
	return []string{
		"sh " + in(secretSh),
		fmt.Sprintf("helm install argo-why deploy/charts/argo-why --namespace %s -f %s --wait", ns, in(valuesFile)),
		fmt.Sprintf("kubectl -n %s exec deploy/argo-why -- /argo-why check -c /etc/argo-why/config.yaml --post", ns),
	}
}

// Mention is what the bot is called in Slack.
func (a Answers) Mention() string { return "@" + strings.TrimPrefix(a.Command, "/") }
