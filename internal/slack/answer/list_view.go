package answer

import (
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"slices"
	"strings"

	"github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/slack/apps"
	"github.com/argo-why/argo-why/internal/slack/command"
)

// view is what of the list somebody looks at. The buttons of a page carry it, so that nothing is remembered: a page can be turned
// after a restart, and on another replica.
type view struct {
	Instance  string `json:"instance,omitempty"`
	Namespace string `json:"namespace,omitempty"`
	command.Filter
	// Cause is the digest of the only cause that is shown; "" for all.
	Cause string `json:"cause,omitempty"`
	Page  int    `json:"page"`
	// Seen is the digest of what was failing, and Failing how many applications, when the page with the button was made: what was
	// seen there may no longer fit what is shown now.
	Seen    string `json:"seen,omitempty"`
	Failing int    `json:"failing,omitempty"`
	// Public: everyone in the channel sees it.
	Public bool `json:"-"`
}

// listAction begins the actions of the buttons of a list.
const listAction = "argo_why_list"

// readView reads what a button of a list carries. What is clicked in a message that everyone sees is answered to one person, and else
// in the place of the message.
func (a *Answerer) readView(r reading, c slack.InteractionCallback) reading {
	v, q := view{}, r.query
	clicked := c.ActionCallback.BlockActions[0]
	if err := a.list.key.In(c.Channel.ID).Open(clicked.ActionID, clicked.Value, &v); err != nil || v.Page < 1 {
		q.reply = outdatedButton
		return r
	}
	q.command.Verb, q.view = command.List, &v
	q.RespondIn = c.Container.ThreadTs
	q.Thread = c.Container.ThreadTs
	q.turning = c.Container.IsEphemeral || strings.HasPrefix(c.Channel.ID, "D")
	return r
}

// fits reports whether an application, and the rule that says why it fails, is one that the list is about.
func (v view) fits(k apps.Known, rule string) bool {
	return (v.Instance == "" || v.Instance == k.App.Instance) && (v.Namespace == "" || v.Namespace == k.App.Namespace) &&
		(v.Project == "" || v.Project == k.Project) && (v.Rule == "" || fitsRule(v.Rule, rule)) &&
		(v.Cluster == "" || fitsCluster(v.Cluster, k.Cluster)) &&
		!slices.ContainsFunc(v.Labels, func(l string) bool { return !fitsLabel(l, k.Labels) })
}

// limited reports whether not everything is asked for.
func (v view) limited() bool {
	return v.Instance != "" || v.Namespace != "" || v.Project != "" || v.Rule != "" || v.Cluster != "" || len(v.Labels) > 0
}

// fitsRule: a group has all rules whose ID begins with it.
func fitsRule(wanted, id string) bool { return id == wanted || strings.HasPrefix(id, wanted+"/") }

const inCluster = "kubernetes.default.svc"

// fitsCluster compares names, and addresses without what people leave out. Argo CD's own cluster has both.
func fitsCluster(wanted, is string) bool {
	wanted, is = clusterName(wanted), clusterName(is)
	if strings.EqualFold(wanted, is) {
		return is != ""
	}
	host, _, port := strings.Cut(is, ":")
	return port && strings.EqualFold(wanted, host)
}

// clusterName is a cluster as people write it.
func clusterName(cluster string) string {
	if u, err := url.Parse(cluster); err == nil && u.Host != "" {
		cluster = u.Host
	}
	if strings.TrimSuffix(cluster, ":443") == inCluster {
		return "in-cluster"
	}
	return strings.TrimSuffix(cluster, "/")
}

// fitsLabel: "key" fits any value.
func fitsLabel(wanted, labels string) bool {
	_, valued := cutLabel(wanted)
	for l := range strings.SplitSeq(labels, ",") {
		key, _ := cutLabel(l)
		if l == wanted || !valued && key == wanted {
			return l != ""
		}
	}
	return false
}

func cutLabel(l string) (key string, valued bool) {
	key, _, valued = strings.Cut(l, "=")
	return key, valued
}

// scope is what the list is about, in words that follow "failing"; "" for everything.
func (v view) scope() string {
	where := scope(command.Target{Instance: v.Instance, Namespace: v.Namespace})
	for _, part := range []struct{ what, name string }{{"project ", v.Project}, {"cluster ", v.Cluster}} {
		switch {
		case part.name == "":
		case where == "":
			where = " in " + part.what + part.name
		default:
			where += ", " + part.what + part.name
		}
	}
	if len(v.Labels) > 0 {
		where += " with label " + strings.Join(v.Labels, " and ")
	}
	if v.Rule != "" {
		where += " for rule " + v.Rule
	}
	return where
}

// causeDigest stands for a cause where there is little room.
func causeDigest(key string) string { return shortDigest(key) }

// seenDigest is equal while the same applications fail of the same causes.
func seenDigest(groups []*causeGroup) string {
	var all []string
	for _, g := range groups {
		for _, r := range g.rows {
			all = append(all, strings.Join([]string{g.key, r.App.Instance, r.App.Namespace, r.App.Name}, "\n"))
		}
	}
	slices.Sort(all)
	return shortDigest(strings.Join(all, "\n\n"))
}

func shortDigest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:6])
}
