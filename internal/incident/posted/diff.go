package posted

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/diagnose/drift"
	"github.com/argo-why/argo-why/internal/evidence"
)

const (
	// maxResources and maxFields are what a person reads in a chat; argocd app diff has the rest.
	maxResources = 12
	maxFields    = 8
)

// Diff is how an application differs from Git, for an audience. Only [DiffTo] makes one. Its values may have secrets.
type Diff struct {
	// Sync is Argo CD's word: Synced, OutOfSync, Unknown. Revision is what was compared.
	Sync, Revision string
	// Resources are the first that differ, Further how many there are beside.
	Resources []Differing
	Further   int
}

// Differing is a resource that is not as Git has it.
type Differing struct {
	Ref evidence.Ref
	// Prune: it is live and not in Git. Missing: it is in Git and not live.
	Prune, Missing bool
	// Unread says why its fields are not known.
	Unread string
	// Fields are the first that differ, Further how many there are beside.
	Fields  []Field
	Further int
}

// Field is one field that differs.
type Field struct {
	Path string
	// Name is what its value is called.
	Name      string
	Git, Live Value
	// Manager wrote the live value last, At that time; "" where nobody did.
	Manager string
	At      time.Time
}

// Value is what a field has.
type Value struct {
	Text string
	// Set is false of a field that is not there.
	Set bool
}

// DiffTo compares what Argo CD says of an application and of its resources, for an audience.
func DiffTo(who audience.Audience, of audience.App, app *evidence.Application, managed []evidence.ResourceDiff) Diff {
	d := Diff{Sync: app.Status.Sync.Status, Revision: app.Status.Sync.At()}
	for _, status := range app.Status.Resources {
		if status.Status != "OutOfSync" || status.Hook {
			continue
		}
		if len(d.Resources) == maxResources {
			d.Further++
			continue
		}
		d.Resources = append(d.Resources, differing(who, of, status, managed))
	}
	return d
}

func differing(who audience.Audience, of audience.App, status evidence.ResourceStatus, managed []evidence.ResourceDiff) Differing {
	r := Differing{Ref: status.Ref(), Prune: status.RequiresPruning}
	if evidence.HasPrivate(r.Ref.Name) || !seesObject(who, of, r.Ref) {
		if !evidence.HasPrivate(r.Ref.Name) {
			r.Ref.Name = evidence.Private
		}
		r.Unread = "not shown: not everyone who reads this has access to it"
		return r
	}
	i := slices.IndexFunc(managed, func(m evidence.ResourceDiff) bool { return m.Ref().Same(r.Ref) })
	if i < 0 {
		r.Unread = "Argo CD did not return it"
		return r
	}
	compared, err := drift.Compare(managed[i])
	if err != nil {
		r.Unread = "Argo CD's answer could not be read"
		return r
	}
	shown := compared.Fields[:min(maxFields, len(compared.Fields))]
	r.Ref, r.Missing, r.Further = compared.Ref, compared.Live == nil && compared.Target != nil, len(compared.Fields)-len(shown)+compared.Further
	words := func(t string) string { return who.Text(of, t) }
	for _, f := range shown {
		to := Field{Path: words(f.Path.Short()), Name: f.Path.Name(), Git: value(f.Desired, f.InDesired, words), Live: value(f.Live, f.InLive, words)}
		if len(f.Owners) > 0 {
			to.Manager, to.At = words(f.Owners[0].Manager), f.Owners[0].Time.Time
		}
		r.Fields = append(r.Fields, to)
	}
	return r
}

// value is one as it is written: texts without quotes.
func value(v any, set bool, words func(string) string) Value {
	if !set {
		return Value{}
	}
	t, ok := v.(string)
	if raw, err := json.Marshal(v); !ok && err == nil {
		t = string(raw)
	}
	return Value{Text: words(t), Set: true}
}
