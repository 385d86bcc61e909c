package diagnose

import (
	"cmp"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// OfConnection makes a report about a connection of an Argo CD out of one about an application that would fail of it: the cause and the
// fix, without what is only the application's. The report is changed.
func (r *Report) OfConnection(instance string, c *evidence.Connection) {
	r.App, r.Context, r.state = AppName{Name: instance}, Context{}, "" // the instance is what it is about
	r.Progress, r.Effects, r.Sync, r.Actions, r.Examined, r.Unread, r.Unchecked = "", nil, Sync{}, nil, nil, nil, nil
	f := r.Root()
	if f == nil && len(r.Findings) > 0 { // no known cause matched
		f = &r.Findings[0]
		_, address, _ := strings.Cut(c.Address, "://")
		f.Title, f.Short, f.written = "Argo CD cannot connect to "+cmp.Or(address, c.Address), "Argo CD cannot connect to a "+string(c.Kind), nil
		f.Why = "No known cause matched. This is all that Argo CD reports."
	}
	if f != nil { // there is no condition of an application yet
		f.Evidence = append([]Quote{{From: "state of the connection to " + c.Address, Text: c.Message}}, cached(c)...)
		f.Fix = append(slices.DeleteFunc(f.Fix, isRefresh), testAgain(c)...)
		r.Findings = []Finding{*f}
	}
	r.compose()
	r.App = AppName{Instance: instance}
}

// cached is what Argo CD last knew of a cluster.
func cached(c *evidence.Connection) []Quote {
	if c.Version == "" {
		return nil
	}
	return []Quote{{From: "what Argo CD last knew of the cluster", Text: "Kubernetes " + c.Version + ", " + text.Count(int(c.Resources), "object", "objects") + " in its cache"}}
}

// isRefresh reports whether a step only has Argo CD look at one application again.
func isRefresh(f Fix) bool { return strings.HasPrefix(f.Command, "argocd app get ") }

// testAgain has Argo CD test a repository now: it keeps what it found for an hour. A cluster it tries again by itself.
func testAgain(c *evidence.Connection) []Fix {
	if c.Kind != evidence.ConnectionToRepository {
		return nil
	}
	command := Shell("argocd repo get %s --refresh hard", c.Address)
	if c.Project != "" {
		command = Shell("argocd repo get %s --project %s --refresh hard", c.Address, c.Project)
	}
	return []Fix{{Text: "Then test the connection again: Argo CD keeps the result of its last test for an hour", Command: command}}
}
