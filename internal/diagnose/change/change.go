package change

import (
	"slices"
	"strings"
)

// Change is one simple command that changes something: in a cluster with kubectl, or an application, a project or a repository with argocd.
type Change struct {
	// Verb is what it does: "delete", "patch", "create". That of argocd stands behind what it is about: "app sync", "repo add".
	Verb string
	// Namespace is that of kubectl's -n; empty without one.
	Namespace string
	// Targets are the objects that it names. One that is created, or chosen by a label, may have no name.
	Targets []Target
	// Subjects are the accounts that a binding gives rights to, as the API server calls them.
	Subjects []string
	// Words are all of it.
	Words []string
}

// Target is an object as kubectl is given it: "deployment.apps/web" is kind "deployment", group "apps", name "web".
type Target struct{ Kind, Group, Name string }

// withValue are the flags of kubectl whose value is a word of its own.
var withValue = []string{"-n", "-l", "-p", "-f", "-c", "-o", "-L", "--namespace", "--type", "--context", "--selector", "--patch"}

// Unread is the verb of a line that no shell takes, and of a command that is none of those that are known: it may change anything.
const Unread = "unread"

// Of is what a command line would change, in its order.
func Of(line string) []Change {
	var out []Change
	var printed Change // what the last command printed in place of creating it
	all, ok := commands(line)
	if !ok {
		return []Change{{Verb: Unread}}
	}
	for _, words := range all {
		c, changes := read(words)
		switch {
		case !changes:
			printed = c
		case c.Verb == "apply" && len(c.Targets) == 0 && printed.Verb == "create" && slices.Contains(words, "-"):
			out = append(out, printed)
		default:
			out = append(out, c)
		}
	}
	return out
}

// ofArgoCD is what a command of argocd changes; changes is false where it only says what it would do.
func ofArgoCD(words []string) (c Change, changes bool) {
	about, verb, rest := words[1], words[2], words[3:]
	if verb == "windows" { // its verbs come after it
		verb, rest = rest[0], rest[1:]
	}
	if len(rest) == 0 {
		return Change{Verb: Unread, Words: words}, true
	}
	t := Target{Kind: about, Name: rest[0]}
	switch about {
	case "app":
		t.Kind, t.Group = "application", "argoproj.io"
	case "proj":
		t.Kind, t.Group = "appproject", "argoproj.io"
	case "repo":
		t.Kind = "repository"
	}
	return Change{Verb: about + " " + verb, Targets: []Target{t}, Words: words}, about != "app" || !slices.Contains(words, "--dry-run")
}

// ofKubectl is what a command of kubectl, or of one that is like it, changes by one of the verbs; ok is false where it only looks.
func ofKubectl(words, verbs []string) (c Change, ok bool) {
	c.Words = words
	var positions []string
	dryRun, strange := false, false
	for i := 1; i < len(words); i++ {
		w := words[i]
		if w == "--" { // what runs in the container
			break
		}
		flag, value, joined := strings.Cut(w, "=")
		if !strings.HasPrefix(w, "-") || w == "-" {
			positions = append(positions, w)
			continue
		}
		if !joined && slices.Contains(withValue, flag) && i+1 < len(words) {
			i++
			value = words[i]
		}
		strange = strange || !slices.Contains(kubectlFlags, flag)
		switch flag {
		case "-n", "--namespace":
			c.Namespace = value
		case "--serviceaccount":
			c.Subjects = append(c.Subjects, "system:serviceaccount:"+value)
		case "--user", "--group":
			c.Subjects = append(c.Subjects, value)
		case "--list":
			if len(positions) > 1 && positions[0] == "set" { // set env --list
				return c, false
			}
		case "--dry-run":
			dryRun = value == "client" || value == "server"
		}
	}
	switch {
	case beginsWith(positions, kubectlLooks):
		return c, false
	case strange || !beginsWith(positions, verbs):
		c.Verb = Unread
		return c, true
	}
	c.Verb, positions = positions[0], positions[1:]
	switch c.Verb {
	case "set", "rollout":
		positions = positions[min(1, len(positions)):]
	case "argo": // the plugin: argo rollouts retry rollout NAME
		positions = positions[min(2, len(positions)):]
		if len(positions) == 1 { // promote and abort take nothing but Rollouts
			positions = []string{"rollout.argoproj.io", positions[0]}
		}
	case "cordon", "uncordon", "drain":
		positions = append([]string{"node"}, positions...)
	case "create":
		if len(positions) > 1 && positions[0] == "secret" { // generic, tls, docker-registry
			positions = append([]string{"secret"}, positions[2:]...)
		}
	}
	c.Targets = targets(positions)
	return c, !dryRun
}

// targets are the objects that words name: "kind/name", or a kind and names behind it. What a command sets (key=value, key-) is none.
func targets(words []string) []Target {
	words = slices.DeleteFunc(slices.Clone(words), func(w string) bool { return strings.Contains(w, "=") || strings.HasSuffix(w, "-") })
	if len(words) == 0 {
		return nil
	}
	var out []Target
	if strings.Contains(words[0], "/") {
		for _, w := range words {
			kind, name, _ := strings.Cut(w, "/")
			out = append(out, target(kind, name))
		}
		return out
	}
	for kind := range strings.SplitSeq(words[0], ",") {
		for _, name := range words[1:] {
			out = append(out, target(kind, name))
		}
		if len(words) == 1 {
			out = append(out, target(kind, ""))
		}
	}
	return out
}

// aliases are how kubectl lets people call kinds, and how it calls them.
var aliases = map[string]string{
	"pvc": "persistentvolumeclaim", "pv": "persistentvolume", "cm": "configmap", "sa": "serviceaccount", "svc": "service",
	"deploy": "deployment", "nodes": "node", "pods": "pod", "ns": "namespace",
}

func target(kind, name string) Target {
	kind, group, _ := strings.Cut(strings.ToLower(kind), ".")
	if whole, ok := aliases[kind]; ok {
		kind = whole
	}
	return Target{Kind: kind, Group: group, Name: name}
}
