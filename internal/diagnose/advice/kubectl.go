package advice

import (
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
)

// InNamespace is the flag for kubectl; empty for a cluster-scoped resource.
func InNamespace(ref evidence.Ref) diagnose.Raw {
	if ref.Namespace == "" {
		return ""
	}
	return diagnose.Raw(diagnose.Shell("-n %s ", ref.Namespace))
}

// NamespaceFlag is the same flag behind the name, for plugins, which take none in front.
func NamespaceFlag(ref evidence.Ref) diagnose.Raw {
	if ref.Namespace == "" {
		return ""
	}
	return diagnose.Raw(diagnose.Shell(" -n %s", ref.Namespace))
}

// SubjectFlag names an account to kubectl create rolebinding.
func SubjectFlag(user string) diagnose.Raw {
	if account, ok := strings.CutPrefix(user, "system:serviceaccount:"); ok && strings.Count(account, ":") == 1 {
		return diagnose.Raw(diagnose.Shell("--serviceaccount=%s", account))
	}
	return diagnose.Raw(diagnose.Shell("--user=%s", user))
}
