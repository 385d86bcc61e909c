package argo

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/agext/levenshtein" // 300 lines, no dependencies, finished: edit distance with a bonus for the same start
	applicationpkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/application"
)

const (
	// maxSuggestions is what a person reads in one line.
	maxSuggestions = 5
	// nearEnough is the similarity (0 to 1) from which a name may have been meant: two slips (or two letters swapped) in
	// a name of six.
	nearEnough = 0.6
)

// Suggest lists the applications that may have been meant by a name that Argo CD does not know: the same name in other
// namespaces, names that contain it or are contained in it, names that are a slip away; the nearest first, at most five,
// as "name", or "namespace/name" outside of the namespace where most are. One request, which brings all applications that
// the account may see (about 20 KB each): only worth it after an error. Nothing when that fails: it is a courtesy.
func (c *Client) Suggest(ctx context.Context, name string) []string {
	list, err := c.applications.List(ctx, &applicationpkg.ApplicationQuery{})
	if err != nil {
		return nil
	}
	bare := name[strings.LastIndexByte(name, '/')+1:]
	type candidate struct {
		name, namespace string
		score           float64
	}
	var near []candidate
	count := map[string]int{}
	for i := range list.Items {
		app := &list.Items[i]
		count[app.Namespace]++
		if score := similarity(bare, app.Name); score >= nearEnough {
			near = append(near, candidate{app.Name, app.Namespace, score})
		}
	}
	slices.SortStableFunc(near, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.name, b.name), cmp.Compare(a.namespace, b.namespace))
	})
	usual := mostFrequent(count)
	var out []string
	for _, n := range near[:min(len(near), maxSuggestions)] {
		if n.namespace == usual && n.name != bare {
			out = append(out, n.name)
		} else {
			out = append(out, n.namespace+"/"+n.name)
		}
	}
	return out
}

// similarity is 1 for the same name and at least 0.8 where one contains the other: people leave out an environment.
func similarity(wanted, name string) float64 {
	wanted, name = strings.ToLower(wanted), strings.ToLower(name)
	score := levenshtein.Match(wanted, name, nil)
	if len(wanted) >= 3 && len(name) >= 3 && (strings.Contains(name, wanted) || strings.Contains(wanted, name)) {
		short, long := min(len(wanted), len(name)), max(len(wanted), len(name))
		score = max(score, 0.8+0.2*float64(short)/float64(long))
	}
	return score
}

func mostFrequent(count map[string]int) string {
	best := ""
	for name, n := range count {
		if n > count[best] || n == count[best] && name < best {
			best = name
		}
	}
	return best
}
