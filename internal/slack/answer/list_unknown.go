package answer

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/near"
	"github.com/argo-why/argo-why/internal/slack/apps"
	"github.com/argo-why/argo-why/internal/slack/command"
)

// unknown are the filters of a list that fit nothing that exists, in a sentence each: a slip in a name is not health. Only what the
// person may see exists for it.
func (l list) unknown(ctx context.Context, q *query, v view) (out []string) {
	if !v.limited() {
		return nil
	}
	everything := l.backend.Applications()
	may := apps.Visible(ctx, l.viewer, q.User, q.Channel)
	all := slices.DeleteFunc(slices.Clone(everything), func(k apps.Known) bool { return !may(k) })
	subject := "No application"
	if l.viewer.Hidden(ctx, q.User, q.Channel) != "" {
		subject += " that you have access to"
	}
	if len(all) == 0 || len(l.silent(v)) > 0 { // it may be there
		all = nil
	}
	for _, f := range v.terms(l.backend.Rules()) {
		if f.wanted == "" || f.of != nil && len(all) == 0 {
			continue
		}
		existing := map[string]bool{}
		for _, id := range f.fixed {
			existing[id] = true
		}
		if f.of != nil {
			for _, k := range all {
				for _, name := range f.of(k) {
					existing[name] = true
				}
			}
		}
		names := slices.Sorted(maps.Keys(existing))
		if slices.ContainsFunc(names, f.fits) {
			continue
		}
		sentence := fmt.Sprintf(strings.Replace(f.sentence, "No application", subject, 1), command.Code(f.wanted))
		if meant := near.Nearest(f.wanted, names); meant != "" {
			sentence += fmt.Sprintf(" Did you mean %s?", command.Code(f.key+meant))
		}
		out = append(out, sentence)
	}
	return out
}

// term is one filter, and what there is that it could fit.
type term struct {
	key, wanted string
	sentence    string
	fits        func(existing string) bool
	// of are the names that an application has; fixed those that there are in any case.
	of    func(apps.Known) []string
	fixed []string
}

func (v view) terms(rules map[string]string) []term {
	same := func(wanted string) func(string) bool { return func(is string) bool { return is == wanted } }
	one := func(get func(apps.Known) string) func(apps.Known) []string {
		return func(k apps.Known) []string { return []string{get(k)} }
	}
	terms := []term{
		{key: "instance:", wanted: v.Instance, sentence: "No application is in Argo CD instance %s.", fits: same(v.Instance), of: one(func(k apps.Known) string { return k.App.Instance })},
		{key: "namespace:", wanted: v.Namespace, sentence: "No application is in namespace %s.", fits: same(v.Namespace), of: one(func(k apps.Known) string { return k.App.Namespace })},
		{key: "project:", wanted: v.Project, sentence: "No application is in project %s.", fits: same(v.Project), of: one(func(k apps.Known) string { return k.Project })},
		{
			key: "cluster:", wanted: v.Cluster, sentence: "No application is deployed to cluster %s.",
			fits: func(is string) bool { return fitsCluster(v.Cluster, is) }, of: one(func(k apps.Known) string { return clusterName(k.Cluster) }),
		},
		{
			key: "rule:", wanted: v.Rule, sentence: "There is no rule %s.",
			fits: func(id string) bool { return fitsRule(v.Rule, id) }, fixed: slices.Collect(maps.Keys(rules)),
		},
	}
	for _, l := range v.Labels {
		terms = append(terms, term{
			key: "label:", wanted: l, sentence: "No application has label %s.",
			fits: func(is string) bool { return fitsLabel(l, is) }, of: func(k apps.Known) []string { return strings.Split(k.Labels, ",") },
		})
	}
	return terms
}
