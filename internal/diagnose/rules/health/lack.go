package health

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/evidence"
)

// lack is an object, or a key of one, that a pod lacks.
type lack struct{ kind, name, key string }

// lackOf is what a text says that a pod lacks. A kubelet that misses a key of a volume does not name the object: the pod does.
func lackOf(s *unhealthy.Resource, said string) (l lack, ok bool) {
	l.kind, l.name, l.key, ok = pods.Missing(said)
	m := mountedVolume.FindStringSubmatch(said)
	if l.key == "" || l.name != "" || m == nil {
		return l, ok
	}
	for _, v := range s.Object.List("spec", "volumes") {
		if v.Text("name") != m[1] {
			continue
		}
		switch l.kind {
		case "Secret":
			l.name = v.Text("secret", "secretName")
		case "ConfigMap":
			l.name = v.Text("configMap", "name")
		}
	}
	return l, ok
}

// list is the step that lists what there is of the kind.
func (l lack) list(s *unhealthy.Resource) diagnose.Fix {
	if l.key != "" && l.name != "" && (l.kind == "Secret" || l.kind == "ConfigMap") {
		return diagnose.Fix{Text: "Show which keys it has", Command: diagnose.Shell("kubectl -n %s describe %s %s", s.Target().Namespace, strings.ToLower(l.kind), l.name)}
	}
	of, resources := "Secrets and ConfigMaps", "secrets,configmaps"
	switch l.kind {
	case "SecretProviderClass":
		of, resources = "SecretProviderClasses", "secretproviderclasses"
	case "ServiceAccount":
		of, resources = "service accounts", "serviceaccounts"
	}
	return diagnose.Fix{Text: fmt.Sprintf("List the %s of the namespace", of), Command: diagnose.Shell("kubectl -n %s get ", s.Target().Namespace) + resources}
}

// anonymous is the title without names.
func (l lack) anonymous() string {
	if l.key != "" {
		return fmt.Sprintf("a key of a %s is missing", l.kind)
	}
	return fmt.Sprintf("a %s is missing", l.kind)
}

// words are what is lacking, for a sentence.
func (l lack) words() string {
	if l.key != "" {
		return fmt.Sprintf("key %s of %s", l.key, strings.TrimSuffix(l.kind+"/"+l.name, "/"))
	}
	return l.kind + "/" + l.name
}

// title is what a pod lacks, for a title.
func (l lack) title() string {
	switch {
	case l.kind == "":
		return "pod needs a missing Secret or ConfigMap"
	case l.key != "" && l.name == "":
		return fmt.Sprintf("key %s is missing from a %s", l.key, l.kind)
	case l.key != "":
		return fmt.Sprintf("%s/%s has no key %s", l.kind, l.name, l.key)
	}
	return fmt.Sprintf("%s is missing", strings.TrimSuffix(l.kind+"/"+l.name, "/"))
}

// where says where it was looked for.
func (l lack) where(ns string) string {
	switch {
	case l.kind == "":
		return ""
	case l.key != "":
		return fmt.Sprintf("The %s exists in namespace %s, but does not have this key.", l.kind, ns)
	}
	return fmt.Sprintf("No such %s exists in namespace %s.", l.kind, ns)
}

// createFix is the step that creates what is missing.
func createFix(pod evidence.Object, l lack, ns string) diagnose.Fix {
	kind, name, key := l.kind, l.name, l.key
	fix := diagnose.Fix{Text: fmt.Sprintf("Create %s, which is not part of this application, or correct the reference in Git", strings.TrimSuffix(kind+"/"+name, "/"))}
	switch {
	case name == "" && key != "":
		fix.Text = fmt.Sprintf("Add key %s to the %s of that volume, or correct the key in Git", key, kind)
	case name == "":
	case key != "":
		fix.Text = fmt.Sprintf("Add key %s to %s/%s, or correct the key in Git", key, kind, name)
		fix.Command = diagnose.Shell("kubectl -n %s edit %s %s", ns, strings.ToLower(kind), name)
		if kind == "Secret" { // an editor would want it in base64
			fix.Command = diagnose.Shell("kubectl -n %s patch secret %s -p %s", ns, name, advice.DataPatch("stringData", key, "<VALUE>"))
		}
	case kind == "Secret" && certificateName.MatchString(name) && len(keysTaken(pod, kind, name)) == 0:
		fix.Text = fmt.Sprintf("Have Secret/%s created, which is not part of this application and by its name a certificate: by a cert-manager Certificate with that secretName (its conditions say why it does not), or out of files", name)
		fix.Command = diagnose.Shell("kubectl -n %s create secret tls %s --cert=tls.crt --key=tls.key", ns, name)
	case kind == "Secret":
		fix.Command = diagnose.Shell("kubectl -n %s create secret generic %s%s", ns, name, literals(pod, kind, name))
	case kind == "ConfigMap":
		fix.Command = diagnose.Shell("kubectl -n %s create configmap %s%s", ns, name, literals(pod, kind, name))
	case kind == "ServiceAccount":
		fix.Command = diagnose.Shell("kubectl -n %s create serviceaccount %s", ns, name)
	}
	return fix
}

// certificateName is how Secrets with a certificate are called.
var certificateName = pattern.MustCompile(`(?:^|-)(?:tls|certs?|certificate|serving-cert|webhook-cert)$`)

// placeholder is what redaction knows to be none of a person's secrets, also after password=.
const placeholder = "'<VALUE>'"

// literals are the flags for the keys that a pod takes out of an object.
func literals(pod evidence.Object, kind, name string) diagnose.Raw {
	out := ""
	for _, key := range keysTaken(pod, kind, name) {
		out += diagnose.Shell(" --from-literal=%s=", key) + placeholder
	}
	return diagnose.Raw(cmp.Or(out, " --from-literal=KEY="+placeholder))
}

// keysTaken are the keys that a pod names one by one, as variables or as files, in the order of its specification.
func keysTaken(pod evidence.Object, kind, name string) []string {
	variable, volume, nameField := "secretKeyRef", "secret", "secretName"
	if kind == "ConfigMap" {
		variable, volume, nameField = "configMapKeyRef", "configMap", "name"
	}
	var out []string
	for _, env := range variablesOf(pod) {
		if env.Text("valueFrom", variable, "name") == name {
			out = append(out, env.Text("valueFrom", variable, "key"))
		}
	}
	for _, v := range pod.List("spec", "volumes") {
		for _, item := range v.List(volume, "items") {
			if v.Text(volume, nameField) == name {
				out = append(out, item.Text("key"))
			}
		}
	}
	return withoutRepeats(out)
}

func variablesOf(pod evidence.Object) []evidence.Object {
	var out []evidence.Object
	for _, c := range pods.ContainerSpecs(pod) {
		out = append(out, c.List("env")...)
	}
	return out
}

// withoutRepeats leaves each text once, in order.
func withoutRepeats(texts []string) []string {
	var out []string
	seen := map[string]bool{"": true}
	for _, t := range texts {
		if !seen[t] {
			seen[t] = true
			out = append(out, t)
		}
	}
	return out
}
