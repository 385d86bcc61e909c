package apps

import (
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/near"
	"github.com/argo-why/argo-why/internal/slack/command"
)

// Search finds a target among the applications that are visible: for a Directory that has them in memory. The target's Host is not
// looked at.
func Search(t command.Target, all []Known, visible func(Known) bool) Found {
	var f Found
	for _, k := range all {
		if k.App.Name == t.Name && fits(t.Namespace, k.App.Namespace) && fits(t.Instance, k.App.Instance) && visible(k) {
			f.Matches = append(f.Matches, k)
		}
	}
	if len(f.Matches) == 0 {
		f.Matches = slices.DeleteFunc(slices.Clone(all), func(k Known) bool { return !isShownAs(t, k) || !visible(k) })
	}
	slices.SortFunc(f.Matches, func(a, b Known) int { return incident.Compare(a.App, b.App) })
	if len(f.Matches) > 0 {
		return f
	}
	f.Near = near.Rank(all, near.Threshold,
		func(k Known) float64 { return near.Application(t.Name, k.App.Name) },
		func(a, b Known) int { return incident.Compare(a.App, b.App) })
	f.Near = slices.DeleteFunc(f.Near, func(k Known) bool { return !visible(k) })
	return f
}

// isShownAs reports whether messages call an application by the target: with its environment in front, which is an instance or a cluster, and
// without the namespace if that is Argo CD's own. People paste that back.
func isShownAs(t command.Target, k Known) bool {
	switch {
	case k.App.Name != t.Name || t.Namespace == "":
		return false
	case t.Instance == "":
		return strings.EqualFold(k.App.Instance, t.Namespace) || k.IsOn(t.Namespace)
	}
	return k.App.Namespace == t.Namespace && k.IsOn(t.Instance)
}

// IsOn reports whether the application is deployed to a cluster of that name.
func (k Known) IsOn(cluster string) bool {
	return cluster != "" && strings.EqualFold(k.Cluster, cluster)
}

func fits(wanted, is string) bool { return wanted == "" || wanted == is }
