package health

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
)

var (
	// unresolved is how Crossplane says that a reference of a managed resource leads nowhere: the field, and why.
	unresolved = pattern.MustCompile(`cannot resolve references: mg\.Spec\.(\w+)\.([\w.\[\]]+): (.*)`)
	// noConfig is how it says that the ProviderConfig of one does not exist.
	noConfig = pattern.MustCompile(`(?:cannot get|cannot track) (?:referenced )?(?:Cluster)?ProviderConfig.*?: (?:\S+ )?"([^"]+)" not found`)
	// unready is how a composite resource names the parts that it waits for.
	unready = pattern.MustCompile(`^Unready resources: (.+)$`)
	// provider is the frame that a provider made of Terraform puts around an error.
	provider = pattern.MustCompile(`\[\{0 (.*?)\s*\[\]\}\]`)
)

// crossplaneTrouble is what a managed resource of Crossplane says.
func crossplaneTrouble(s *unhealthy.Resource, said string) operatorTrouble {
	lower := strings.ToLower(said)
	m := unresolved.FindStringSubmatch(said)
	switch {
	case unready.MatchString(said):
		return operatorTrouble{what: "waits for " + unready.FindStringSubmatch(said)[1], fix: []diagnose.Fix{{Text: "Look at the resources that it is composed of: their conditions say what is wrong", Command: "kubectl get managed"}}}
	case m != nil && strings.Contains(m[3], "no resources matched selector"):
		selector, labels := selectorFor(s, m[2])
		return operatorTrouble{what: "its " + selector + " matches nothing", fix: advice.Steps(fmt.Sprintf("Create the object that it selects, or give it the labels%s; else correct the selector in spec.forProvider in Git", cmp.Or(message.After(" ", labels), " that it asks for")))}
	case m != nil && strings.Contains(m[3], "referenced field was empty"):
		return operatorTrouble{what: "what it refers to is not ready yet", fix: advice.Steps("Look at the object that it refers to: it has no identifier yet")}
	case m != nil:
		return operatorTrouble{what: "a reference leads nowhere", fix: advice.Steps("Create the object that it refers to, or correct the reference in Git")}
	case noConfig.MatchString(said):
		name := noConfig.FindStringSubmatch(said)[1]
		return operatorTrouble{what: "ProviderConfig " + name + " does not exist", fix: advice.Steps(fmt.Sprintf("Create ProviderConfig %s, or correct spec.providerConfigRef in Git", name))}
	case message.HasAny(lower, "doesn't support update", "refuse to update the external resource", "requires replacing it", "cannot change the value of the argument"):
		return operatorTrouble{what: "its provider cannot apply a change", fix: []diagnose.Fix{
			{Text: "In Git, set spec.forProvider to the values in status.atProvider where they differ. The provider cannot change them: for others, what it manages has to be deleted and created again"},
			{Text: "Compare both", Command: diagnose.Shell("kubectl %sget %s -o yaml", advice.InNamespace(s.Ref), s.Ref.Resource())},
		}}
	}
	return operatorTrouble{}
}

// selectorFor is the selector behind a field of a managed resource, with the labels that it asks for as far as the object shows them.
func selectorFor(s *unhealthy.Resource, field string) (name, labels string) {
	name = "selector for " + field
	params, _ := s.Object.At("spec", "forProvider").(map[string]any)
	stem := strings.TrimRight(strings.ToLower(field), "s")
	for _, key := range slices.Sorted(maps.Keys(params)) {
		if lower := strings.ToLower(key); !strings.HasPrefix(lower, stem) || !strings.HasSuffix(lower, "selector") {
			continue
		}
		name = key
		match, _ := s.Object.At("spec", "forProvider", key, "matchLabels").(map[string]any)
		var out []string
		for _, label := range slices.Sorted(maps.Keys(match)) {
			out = append(out, fmt.Sprintf("%s=%v", label, match[label]))
		}
		labels = strings.Join(out, ", ")
	}
	return name, labels
}
