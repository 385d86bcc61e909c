package apps

import (
	"cmp"
	"slices"
	"strings"

	"github.com/agext/levenshtein"

	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/slack/command"
)

// nearThreshold is the similarity (0 to 1) from which a name may have been meant: two slips in a name of six.
const nearThreshold = 0.6

// Search finds a target among all applications: for a Directory that has them in memory. The target's Host is not looked at.
func Search(t command.Target, all []Known) Found {
	var f Found
	type candidate struct {
		known Known
		score float64
	}
	var near []candidate
	for _, k := range all {
		if k.App.Name == t.Name && fits(t.Namespace, k.App.Namespace) && fits(t.Instance, k.App.Instance) {
			f.Matches = append(f.Matches, k)
			continue
		}
		if score := similarity(t.Name, k.App.Name); score >= nearThreshold {
			near = append(near, candidate{k, score})
		}
	}
	slices.SortFunc(f.Matches, func(a, b Known) int { return incident.Compare(a.App, b.App) })
	if len(f.Matches) > 0 {
		return f
	}
	slices.SortFunc(near, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), incident.Compare(a.known.App, b.known.App))
	})
	for _, c := range near {
		f.Near = append(f.Near, c.known)
	}
	return f
}

func fits(wanted, is string) bool { return wanted == "" || wanted == is }

// similarity is 1 for the same name (of another namespace or instance) and at least 0.8 where one contains the other:
// people leave out an environment.
func similarity(wanted, name string) float64 {
	score := levenshtein.Match(wanted, name, nil)
	if len(wanted) >= 3 && len(name) >= 3 && (strings.Contains(name, wanted) || strings.Contains(wanted, name)) {
		short, long := min(len(wanted), len(name)), max(len(wanted), len(name))
		score = max(score, 0.8+0.2*float64(short)/float64(long))
	}
	return score
}
