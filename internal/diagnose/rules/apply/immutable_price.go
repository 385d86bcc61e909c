package apply

import (
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/evidence/clean"
	"github.com/argo-why/argo-why/internal/text"
)

// keepsPods is what the deletion of a Deployment can leave.
const keepsPods = "; with --cascade=orphan the old pods keep running, and you delete what is left of them afterwards"

// price is what the change of a selector costs: the Services that no longer reach the pods, and the workloads whose data is in their pods.
type price struct{ cut, lost []evidence.Ref }

// sayPrice adds what the change of a selector has cost already, and what the deletion of the workloads would cost beyond their pods.
func sayPrice(in *diagnose.In, group []fixed, f *diagnose.Finding) {
	p, _ := diagnose.Once(in, "price of "+group[0].ref.String(), func() (price, bool) {
		managed, known := diagnose.Get(in, evidence.FactManaged)
		states := evidence.IndexOf(managed)
		return price{cutOff(managed, states, group[0]), withoutVolume(states, group)}, known
	})
	cut, lost := p.cut, p.lost
	if len(cut) > 0 {
		f.Why = text.Paragraph(f.Why, fmt.Sprintf("%s already %s the new selector, which matches no pod that this application runs.", text.List(names(cut), maxListed), verb(len(cut) > 1, "has", "have")))
	}
	for i, fix := range f.Fix {
		if !strings.Contains(fix.Command, " delete ") {
			continue
		}
		if len(cut) > 0 { // nothing gets to the old pods
			f.Fix[i].Text = strings.Replace(f.Fix[i].Text, keepsPods, "", 1)
		}
		if here := slices.DeleteFunc(slices.Clone(lost), func(ref evidence.Ref) bool { return !strings.Contains(fix.Command, ref.Resource()) }); len(here) > 0 {
			f.Fix[i].Text += fmt.Sprintf(". THE DATA of %s goes with the pods, which mount no persistent volume: back it up first", text.List(names(here), maxListed))
		}
	}
}

func names(refs []evidence.Ref) []string {
	var out []string
	for _, ref := range refs {
		out = append(out, ref.String())
	}
	return out
}

// cutOff are the Services that the sync has given the new labels of a selector, while no workload of the application runs pods with them.
func cutOff(managed []evidence.ResourceDiff, states *evidence.Index[evidence.ResourceDiff], x fixed) []evidence.Ref {
	labels := selectorLabels(x.changes)
	if len(labels) == 0 || x.ref.Group != "apps" {
		return nil
	}
	wanted := clean.Target(states.Find(x.ref))
	var services, running []evidence.Object
	for _, d := range managed {
		ref := d.Ref()
		serves := ref.Kind == "Service" && ref.Group == "" && ref.Namespace == x.ref.Namespace
		if !serves && ref.Group != "apps" && ref.Kind != "Pod" && ref.Kind != "Job" {
			continue
		}
		switch o := clean.State(d.LiveState); {
		case o == nil:
		case serves:
			services = append(services, o)
		default:
			running = append(running, o)
		}
	}
	var out []evidence.Ref
	for _, service := range services {
		selector := mapAt(service, "spec", "selector")
		if slices.ContainsFunc(labels, func(l string) bool { return service.Text("spec", "selector", l) != "" }) && matches(wanted, selector) &&
			!slices.ContainsFunc(running, func(o evidence.Object) bool { return matches(o, selector) }) {
			out = append(out, service.Ref())
		}
	}
	return out
}

// matches reports whether the pods of a workload, or the pod, have all labels of a selector.
func matches(o evidence.Object, selector map[string]any) bool {
	labels := mapAt(o, "spec", "template", "metadata", "labels")
	if len(labels) == 0 {
		labels = mapAt(o, "metadata", "labels")
	}
	for k, v := range selector {
		if labels[k] != v {
			return false
		}
	}
	return len(selector) > 0
}

func mapAt(o evidence.Object, path ...string) map[string]any {
	m, _ := o.At(path...).(map[string]any)
	return m
}

// database is an image of a program that keeps data.
var database = pattern.MustCompile(`(?:^|[/-])(?:mariadb|mysql|percona|postgres|postgresql|postgis|timescaledb|mongo|mongodb|redis|valkey|keydb|dragonfly|elasticsearch|opensearch|rabbitmq|nats|kafka|zookeeper|etcd|consul|vault|minio|clickhouse|influxdb|cassandra|couchdb|neo4j|meilisearch|qdrant)(?:[-_][a-z]+)?(?:[:@]|$)`)

// withoutVolume are the workloads of a group that keep data, as the name of an image says, and mount no volume that outlives their pods.
func withoutVolume(states *evidence.Index[evidence.ResourceDiff], group []fixed) []evidence.Ref {
	var out []evidence.Ref
	for _, x := range group {
		d := states.Find(x.ref)
		if d == nil || x.ref.Kind != "Deployment" {
			continue
		}
		o := clean.State(d.LiveState)
		lasting := slices.ContainsFunc(o.List("spec", "template", "spec", "volumes"), func(v evidence.Object) bool {
			for _, kind := range []string{"configMap", "secret", "emptyDir", "downwardAPI", "projected"} {
				if v.At(kind) != nil {
					return false
				}
			}
			return true
		})
		if !lasting && slices.ContainsFunc(o.List("spec", "template", "spec", "containers"), func(c evidence.Object) bool { return database.MatchString(c.Text("image")) }) {
			out = append(out, x.ref)
		}
	}
	return out
}
