package preflight

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/argo-why/argo-why/internal/text"
)

// Reading is the right to read a kind of object in a cluster. None is required: without one, reports say less.
type Reading struct {
	// Right is the right in words: "list issuers.cert-manager.io".
	Right string
	// Unknown is what reports do not say without it.
	Unknown string
	// ClusterScoped: objects of the kind have no namespace.
	ClusterScoped bool
	// Off: the right is not given unless somebody wants that.
	Off bool
	// Named: it is only given in namespaces that are named.
	Named bool
	// Lacks says what the account cannot do in a namespace, in all of them without one; "" if it lacks nothing.
	Lacks func(ctx context.Context, namespace string) (string, error)
}

// maxReadNamespaces is in how many namespaces rights are asked for that the account does not have in all of them.
const maxReadNamespaces = 3

// held is the outcome for one right.
type held struct {
	lacking string   // the first that is missing
	without []string // the namespaces where it is missing, if that is not everywhere
	somehow bool     // not everywhere, but in namespaces that were asked for
}

// CheckReading finds out what the account can read in a cluster, beside what Argo CD shows. grant is the command that gives what is
// missing: to the account in all namespaces, or only in those that it has other rights in.
func CheckReading(ctx context.Context, what string, all []Reading, namespaces []string, grant func(scoped bool, right Reading) string) []Finding {
	namespaces = slices.Compact(slices.Sorted(slices.Values(namespaces)))
	namespaces = namespaces[:min(len(namespaces), maxReadNamespaces)]
	outcomes := make([]held, len(all))
	scoped, lacking := false, 0
	for i, r := range all {
		var err error
		if outcomes[i], err = r.ask(ctx, namespaces); err != nil {
			return []Finding{NotRead(what, err)}
		}
		scoped = scoped || outcomes[i].somehow && !r.Off
		if outcomes[i].lacking != "" && !r.Off {
			lacking++
		}
	}
	where := "in all namespaces"
	if scoped {
		where = "in " + fewNamespaces(namespaces)
	}
	var found []Finding
	if lacking == 0 {
		found = append(found, Finding{What: what, Detail: "everything that rules read " + where})
	}
	for i, r := range all {
		o := outcomes[i]
		switch {
		case o.lacking == "" && r.Off:
			found = append(found, Finding{What: what, Detail: r.Right + ", which is optional"})
		case o.lacking == "":
		case r.Off && len(o.without) > 0:
			found = append(found, Finding{What: what, Detail: fmt.Sprintf("%s is off in %s: reports on them do not say %s: %s", r.Right, fewNamespaces(o.without), r.Unknown, grant(scoped, r))})
		case r.Off:
			found = append(found, Finding{What: what, Detail: fmt.Sprintf("%s is off: reports do not say %s: %s", r.Right, r.Unknown, grant(scoped, r))})
		default:
			problem := o.lacking
			if len(o.without) > 1 {
				problem += " (also in " + fewNamespaces(o.without[1:]) + ")"
			}
			found = append(found, Finding{What: what, Optional: true, Problem: problem + ", so reports do not say " + r.Unknown, Remedy: grant(scoped, r)})
		}
	}
	return found
}

// ask asks for the right everywhere, and else in each of the namespaces.
func (r Reading) ask(ctx context.Context, namespaces []string) (held, error) {
	lacking, err := r.Lacks(ctx, "")
	if err != nil || lacking == "" || r.ClusterScoped || len(namespaces) == 0 {
		return held{lacking: lacking}, err
	}
	h := held{somehow: true}
	for _, namespace := range namespaces {
		there, err := r.Lacks(ctx, namespace)
		switch {
		case err != nil:
			return held{}, err
		case there != "":
			h.lacking = cmp.Or(h.lacking, there)
			h.without = append(h.without, namespace)
		}
	}
	if len(h.without) == len(namespaces) { // nowhere
		return held{lacking: lacking}, nil
	}
	return h, nil
}

// NotRead is the finding about a cluster that is not read at all.
func NotRead(what string, err error) Finding {
	return Finding{What: what, Optional: true, Problem: "reports leave out what Argo CD does not show (docs/rights.md): " + text.OneLine(err.Error())}
}
