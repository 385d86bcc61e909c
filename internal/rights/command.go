package rights

import (
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/program"
)

// serviceAccount begins the user name of a service account.
const serviceAccount = "system:serviceaccount:"

// AccountOf is the account that a cluster calls by that name.
func AccountOf(user string) Account {
	if rest, ok := strings.CutPrefix(user, serviceAccount); ok {
		if namespace, name, ok := strings.Cut(rest, ":"); ok {
			return Account{namespace, name}
		}
	}
	return Account{Name: user}
}

// Command is what grants the rights, in the cluster of a context of kubectl; "" is its current one.
func Command(o Options, context string) string {
	c := program.Name() + " generate kubernetes-rbac"
	switch {
	case o.Account.Name == "":
		c += " --service-account NAMESPACE:NAME"
	case o.Account.Namespace == "":
		c += diagnose.Shell(" --user %s", o.Account.String())
	default:
		c += diagnose.Shell(" --service-account %s", o.Account.String())
	}
	if len(o.Namespaces) > 0 {
		c += diagnose.Shell(" --namespaces %s", strings.Join(o.Namespaces, ","))
	}
	if len(o.ConfigMaps) > 0 {
		c += diagnose.Shell(" --configmaps %s", strings.Join(o.ConfigMaps, ","))
	}
	switch applications := strings.Join(o.Applications, ","); applications {
	case "argocd":
	case "":
		c += ` --applications ""`
	default:
		c += diagnose.Shell(" --applications %s", applications)
	}
	if o.SecretKeys {
		c += " --secret-keys"
	}
	c += " | kubectl"
	if context != "" {
		c += diagnose.Shell(" --context %s", context)
	}
	return diagnose.Printed(c + " apply -f -")
}
