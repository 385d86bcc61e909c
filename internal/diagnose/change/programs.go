package change

import (
	"slices"
	"strings"
)

// harmless are the programs that a printed command may start without being judged, each with the words that may come first; none takes any. They only
// look, or they change what is the reader's own: a clone, a list of chart repositories.
var harmless = map[string][]string{
	"argo-why": {"why"},
	"argocd": {
		"account generate-token --account NAME", "admin settings rbac can",
		"app diff", "app get", "app history", "app list", "app logs", "app manifests", "app resources", "app wait",
		"cert add-ssh --batch", "cert add-tls", "cert list", // what is trusted comes from the host, or from a file of the reader
		"cluster add CONTEXT", "cluster get", "cluster list", "gpg list", "proj get", "proj list", "proj windows list",
		"relogin", "repo get", "repo list", "repocreds list", "version",
	},
	"aws":         {"ecr get-login-password"},
	"az":          {"role assignment list"},
	"cat":         nil,
	"cd":          nil,
	"docker":      {"manifest inspect"},
	"du":          nil,
	"getent":      {"hosts"},
	"git":         {"clone", "commit", "fetch", "lfs", "log", "ls-remote", "ls-tree", "push", "rm", "show", "submodule update", "update-index"},
	"grep":        nil,
	"head":        nil,
	"helm":        {"dependency", "pull", "repo add", "repo update", "search repo", "show", "template"},
	"helm2":       {"dependency"},
	"jq":          nil,
	"jsonnet":     nil,
	"kustomize":   {"build"},
	"ls":          nil,
	"openssl":     {"s_client", "x509"},
	"oras":        {"repo tags"},
	"readlink":    nil,
	"ssh-keyscan": nil,
	"wc":          nil,
	"yq":          nil,
}

// kubectlLooks are the verbs of kubectl that change nothing.
var kubectlLooks = []string{
	"api-resources", "api-versions", "argo rollouts get", "auth can-i", "auth whoami", "cluster-info", "config current-context", "config get-contexts", "config view",
	"describe", "diff", "events", "explain", "get", "logs", "rollout history", "rollout status", "top", "version", "wait",
}

// kubectlChanges are those that change something, and are judged.
var kubectlChanges = []string{"annotate", "apply", "argo rollouts", "cordon", "create", "delete", "edit", "exec", "label", "patch", "replace", "rollout", "set", "taint"}

// kubectlFlags are the flags of a change. Others would make it another one: --as, --context, --all.
var kubectlFlags = []string{
	"-c", "-f", "-l", "-n", "-o", "-p", "--cascade", "--cert", "--clusterrole", "--docker-password", "--docker-server", "--docker-username", "--dry-run",
	"--field-manager", "--force", "--force-conflicts", "--from", "--from-file", "--from-literal", "--grace-period", "--group", "--key", "--list", "--namespace",
	"--overwrite", "--patch", "--reset", "--resource", "--role", "--selector", "--server-side", "--serviceaccount", "--subresource", "--type", "--user", "--verb",
	"--wait",
}

// argocdChanges are those of argocd.
var argocdChanges = []string{
	"app confirm-deletion", "app rollback", "app set", "app sync", "app terminate-op", "app unset",
	"proj add-destination", "proj add-destination-service-account", "proj add-signature-key", "proj add-source", "proj add-source-namespace",
	"proj allow-cluster-resource", "proj allow-namespace-resource", "proj edit", "proj remove-destination", "proj windows enable-manual-sync",
	"repo add", "repo rm",
}

// beginsWith reports whether the first words are those of one of these.
func beginsWith(words, firsts []string) bool {
	return slices.ContainsFunc(firsts, func(first string) bool {
		want := strings.Fields(first)
		return len(words) >= len(want) && slices.Equal(words[:len(want)], want)
	})
}

// read is what a simple command changes; changes is false where that is nothing but what is the reader's own. What it does not know may change
// anything.
func read(words []string) (c Change, changes bool) {
	program, rest := words[0], words[1:]
	switch program {
	case "kubectl", "oc":
		if len(rest) > 0 && rest[0] == "argo-why" { // ourselves, as a plug-in
			return read(rest)
		}
		return ofKubectl(words, kubectlChanges)
	case "argocd":
		if beginsWith(rest, argocdChanges) {
			return ofArgoCD(words)
		}
	case "flux": // reconcile KIND NAME -n NAMESPACE
		return ofKubectl(words, []string{"reconcile"})
	case "cmctl": // renew NAME -n NAMESPACE
		if beginsWith(rest, []string{"renew"}) {
			return ofKubectl(slices.Insert(slices.Clone(words), 2, "certificate.cert-manager.io"), []string{"renew"})
		}
	case "aws":
		if beginsWith(rest, []string{"eks"}) {
			return ofEKS(words)
		}
	case "oras":
		if len(rest) == 3 && rest[0] == "push" {
			return Change{Verb: "oras push", Targets: []Target{{Kind: "repository", Name: rest[1]}}, Words: words}, true
		}
	case "curl": // asks for what an address has
		if !slices.ContainsFunc(rest, func(w string) bool { return strings.HasPrefix(w, "-") && strings.Trim(w[1:], "sSIL") != "" }) {
			return Change{}, false
		}
	case "find", "xargs":
		if inner, ok := started(program, rest); ok && len(inner) == 0 {
			return Change{}, false
		} else if ok {
			if _, changes := read(inner); !changes { // what it does with more words is not known
				return Change{}, false
			}
		}
	}
	if first, known := harmless[program]; known && (first == nil || beginsWith(rest, first)) {
		return Change{}, false
	}
	return Change{Verb: Unread, Words: words}, true
}

// started is the command that find or xargs starts for each of many; none if they start none. ok is false where they may do more.
func started(program string, words []string) (inner []string, ok bool) {
	if program == "xargs" {
		for len(words) > 0 && (words[0] == "-n" || words[0] == "-n1" || words[0] == "1") {
			words = words[1:]
		}
		return words, len(words) > 0
	}
	tests := words
	if at := slices.Index(words, "-exec"); at >= 0 {
		tests, inner = words[:at], words[at+1:]
		end := len(inner) - 1
		if end < 1 || inner[end] != ";" && inner[end] != "+" {
			return nil, false
		}
		inner = inner[:end]
	}
	known := []string{"-ls", "-maxdepth", "-name", "-o", "-type"}
	return inner, !slices.ContainsFunc(slices.Concat(tests, inner), func(w string) bool { return w == ";" }) &&
		!slices.ContainsFunc(tests, func(w string) bool { return strings.HasPrefix(w, "-") && !slices.Contains(known, w) })
}

// ofEKS reads the command that gives an IAM role rights in a cluster of EKS: a binding for an account that is to be filled in.
func ofEKS(words []string) (c Change, changes bool) {
	c = Change{Verb: Unread, Words: words}
	if !beginsWith(words[1:], []string{"eks associate-access-policy --cluster-name CLUSTER --principal-arn arn:aws:iam::ACCOUNT:role/ROLE"}) {
		return c, true
	}
	for i, w := range words {
		if w == "--access-scope" && i+2 == len(words) {
			if namespace, ok := strings.CutPrefix(words[i+1], "type=namespace,namespaces="); ok && !strings.Contains(namespace, ",") {
				return Change{Verb: "create", Namespace: namespace, Targets: []Target{{Kind: "rolebinding"}}, Subjects: []string{"ACCOUNT"}, Words: words}, true
			}
		}
	}
	return c, true
}
