package cost_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/argo-why/argo-why/internal/argo"
	"github.com/argo-why/argo-why/internal/argo/argotest"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/rules"
	"github.com/argo-why/argo-why/internal/evidence"
)

// outside is an Argo CD and a cluster that note what a diagnosis asks for outside of the application.
type outside struct {
	*argo.App
	recorded evidence.Source

	mu sync.Mutex
	// inVain is what Argo CD does not show, reached what the cluster was asked for.
	inVain, reached []evidence.Outside
}

func (o *outside) note(list *[]evidence.Outside, kind evidence.Outside) {
	o.mu.Lock()
	defer o.mu.Unlock()
	*list = append(*list, kind)
}

// Object implements evidence.Source.
func (o *outside) Object(ctx context.Context, q evidence.ObjectQuery) (evidence.Object, error) {
	found, err := o.App.Object(ctx, q)
	if errors.Is(err, evidence.ErrAbsent) {
		o.note(&o.inVain, evidence.Outside{Group: q.Group, Kind: q.Kind})
	}
	return found, err
}

// asCluster is the cluster of the recording.
type asCluster struct{ *outside }

func (c asCluster) Object(ctx context.Context, q evidence.ObjectQuery) (evidence.Object, error) {
	kind, _ := evidence.OutsideOf(q.Ref)
	c.note(&c.reached, kind)
	return c.recorded.Object(ctx, q)
}

func (c asCluster) Events(ctx context.Context, q evidence.ObjectQuery) ([]evidence.Event, error) {
	c.note(&c.reached, evidence.OutsideEvent)
	return c.recorded.Events(ctx, q)
}

func (c asCluster) Autoscalers(ctx context.Context, namespace string) ([]evidence.Object, error) {
	for _, kind := range evidence.OutsideAutoscalers {
		c.note(&c.reached, kind)
	}
	return c.recorded.Autoscalers(ctx, namespace)
}

func (c asCluster) All(ctx context.Context, kind evidence.Outside) ([]evidence.Object, error) {
	c.note(&c.reached, kind)
	return c.recorded.All(ctx, kind)
}

// inTheApplication are kinds that Argo CD shows, except where a recording leaves the object out: no role is needed for them.
var inTheApplication = map[string]string{
	"/Pod":            "the pods of a workload are in the tree",
	"apps/Deployment": "a wave waits for resources of the application",
}

// TestWhatIsReadInAClusterIsDeclared: the roles in deploy/rbac are made of what rules declare. What they do not declare is never read, so a
// rule that needs it would be blind.
func TestWhatIsReadInAClusterIsDeclared(t *testing.T) {
	e := engine(t)
	declared := map[string][]evidence.Outside{}
	for _, r := range rules.All() {
		declared[r.Group()] = append(declared[r.Group()], r.Outside...)
	}
	seen := map[string]bool{}
	for _, r := range load(t) {
		if r.c.Application == nil {
			continue
		}
		client := connect(t, argotest.NewServer(t, r.text))
		o := &outside{App: client.App(r.c.Application.Metadata.Name, r.c.Application.Metadata.Namespace, ""), recorded: r.c.Source()}
		rep, err := e.Examine(t.Context(), evidence.WithCluster(o, asCluster{o}, o.Application), r.c.Now.Time)
		if err := errors.Join(err, client.Close()); err != nil {
			t.Fatalf("%s: %v", r.name, err)
		}
		for _, asked := range o.inVain {
			name := asked.Group + "/" + asked.Kind
			known := slices.ContainsFunc(evidence.AllOutside, func(k evidence.Outside) bool { return k.Group == asked.Group && k.Kind == asked.Kind })
			if !known && inTheApplication[name] == "" {
				t.Errorf("%s: a rule asks for a %s outside of the application, and none declares it", r.name, name)
			}
		}
		for _, kind := range o.reached {
			seen[kind.Resource] = true
			if !declaredBy(kind, declared, rep) {
				t.Errorf("%s: the cluster is asked for %s, and no rule of a group that is looked at declares it", r.name, kind.Resource)
			}
		}
	}
	if len(seen) < 9 {
		t.Errorf("the recordings only ask for %v", seen)
	}
}

// declaredBy reports whether a rule of the report's groups declares the kind. A healthy application is looked at for its health.
func declaredBy(kind evidence.Outside, declared map[string][]evidence.Outside, rep *diagnose.Report) bool {
	groups := []string{"health", "hook"}
	for _, f := range rep.Findings {
		groups = append(groups, diagnose.Group(f.Rule))
	}
	return slices.ContainsFunc(groups, func(g string) bool { return slices.Contains(declared[g], kind) })
}

// TestNoRightIsUnused: what no rule declares, no role grants.
func TestNoRightIsUnused(t *testing.T) {
	for _, kind := range evidence.AllOutside {
		if !slices.ContainsFunc(rules.All(), func(r *diagnose.Rule) bool { return slices.Contains(r.Outside, kind) }) {
			t.Errorf("no rule declares %s.%s", kind.Resource, kind.Group)
		}
	}
	for _, r := range rules.All() {
		for _, kind := range r.Outside {
			if !slices.Contains(evidence.AllOutside, kind) {
				t.Errorf("%s declares %s.%s, which is not in evidence.AllOutside: the cluster is never asked for it", r.ID, kind.Resource, kind.Group)
			}
		}
	}
}
