package pods

import (
	"cmp"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/text"
)

var (
	missingObject   = pattern.MustCompile(`(?i)([a-z]+|service account|priority class)(?:\.[a-z0-9.\-]+)? ["'](?:[a-z0-9\-]+/)?([a-zA-Z0-9.\-_]+)["'](?: was)? (?:not found|does not exist)|(secret|configmap|serviceaccount|service account|persistentvolumeclaim|secretproviderclass) (?:[a-z0-9\-]+/)?([a-zA-Z0-9.\-_]+),? (?:not found|does not exist)`)
	missingPriority = pattern.MustCompile(`no PriorityClass with name ([a-z0-9.\-]+) was found`)
	missingKey      = pattern.MustCompile(`(?:couldn't find key|references non-existent secret key:|references non-existent config key:) ?([^ ]+)(?: in (Secret|ConfigMap) (?:[^/ ]+/)?([^ ]+))?`)
)

// Missing is the object (and key) that a text says is missing.
func Missing(said string) (kind, name, key string, ok bool) {
	said = text.OneLine(said)
	if !lacks(said) {
		return "", "", "", false
	}
	if m := missingObject.FindStringSubmatch(said); m != nil {
		return kindName(m[1] + m[3]), m[2] + m[4], "", true
	}
	if m := missingPriority.FindStringSubmatch(said); m != nil {
		return "PriorityClass", m[1], "", true
	}
	if m := missingKey.FindStringSubmatch(said); m != nil {
		kind = cmp.Or(m[2], "Secret or ConfigMap")
		if strings.Contains(m[0], "non-existent secret key") {
			kind = "Secret"
		} else if strings.Contains(m[0], "non-existent config key") {
			kind = "ConfigMap"
		}
		return kind, m[3], m[1], true
	}
	return "", "", "", false
}

// lacks spares the texts that speak of nothing missing, which are most, the expressions.
func lacks(said string) bool {
	said = strings.ToLower(said)
	return strings.Contains(said, "not found") || strings.Contains(said, "does not exist") || strings.Contains(said, "find key") || strings.Contains(said, "no priorityclass with name") || strings.Contains(said, "non-existent")
}

// kindName is the kind as the API spells it: Kubernetes' own messages write some in lower case or as two words.
func kindName(s string) string {
	plain := strings.ToLower(strings.ReplaceAll(s, " ", ""))
	for _, kind := range []string{"Secret", "ConfigMap", "SecretProviderClass", "ServiceAccount", "PersistentVolumeClaim", "RuntimeClass", "PriorityClass", "StorageClass"} {
		if plain == strings.ToLower(kind) || plain == strings.ToLower(kind)+"s" {
			return kind
		}
	}
	return s
}
