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
	candidates := near.Rank(list, near.Threshold, func(a AppState) float64 { return near.Application(bare, a.Name) }, func(a, b AppState) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Namespace, b.Namespace))
	})
	usual := usualNamespace(list)
	var out []string
	for i := range candidates[:min(len(candidates), maxSuggestions)] {
		if app := &candidates[i]; app.Name == bare {
			out = append(out, app.Namespace+"/"+app.Name)
		} else {
			out = append(out, shortName(app, usual))
		}
	}
	return out
}

// Names are all applications that the account may see, as "name", or "namespace/name" outside of the namespace where most are.
func (c *Client) Names(ctx context.Context) ([]string, error) {
	list, err := c.List(ctx)
	usual := usualNamespace(list)
	var out []string
	for i := range list {
		out = append(out, shortName(&list[i], usual))
	}
	return out, err
}

func shortName(app *AppState, usual string) string {
	if app.Namespace == usual {
		return app.Name
	}
	return app.Namespace + "/" + app.Name
}

// usualNamespace is that of most applications.
func usualNamespace(list []AppState) string {
	count, best := map[string]int{}, ""
	for i := range list {
		count[list[i].Namespace]++
	}
	for name, n := range count {
		if n > count[best] || n == count[best] && name < best {
			best = name
		}
	}
	return best
}
