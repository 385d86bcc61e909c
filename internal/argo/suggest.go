package argo

import (
	"cmp"
	"context"
	"strings"

	"github.com/argo-why/argo-why/internal/near"
)

// maxSuggestions is what a person reads in one line.
const maxSuggestions = 5

// Suggest lists the applications that may have been meant by a name that Argo CD does not know: the same name in other
// namespaces, names that contain it or are contained in it, names that are a slip away; the nearest first, at most five,
// as "name", or "namespace/name" outside of the namespace where most are. One request, about all applications that
// the account may see: only worth it after an error. Nothing when that fails: it is a courtesy.
func (c *Client) Suggest(ctx context.Context, name string) []string {
	list, err := c.List(ctx)
	if err != nil {
		return nil
	}
	bare := name[strings.LastIndexByte(name, '/')+1:]
	type named struct{ name, namespace string }
	all, count := make([]named, len(list)), map[string]int{}
	for i := range list {
		all[i] = named{list[i].Name, list[i].Namespace}
		count[all[i].namespace]++
	}
	candidates := near.Rank(all, near.Threshold, func(n named) float64 { return near.Application(bare, n.name) }, func(a, b named) int {
		return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.namespace, b.namespace))
	})
	usual := mostFrequent(count)
	var out []string
	for _, n := range candidates[:min(len(candidates), maxSuggestions)] {
		if n.namespace == usual && n.name != bare {
			out = append(out, n.name)
		} else {
			out = append(out, n.namespace+"/"+n.name)
		}
	}
	return out
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
