package nodes_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/argo-why/argo-why/internal/diagnose/nodes"
	"github.com/argo-why/argo-why/internal/evidence"
)

func object(t *testing.T, text string) evidence.Object {
	t.Helper()
	var o evidence.Object
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return o
}

// The nodes of a small cluster.
const (
	plain    = `{"metadata":{"name":"plain","labels":{"pool":"web","cpus":"8"}}}`
	batch    = `{"metadata":{"name":"batch","labels":{"pool":"batch","cpus":"64"}}}`
	cordoned = `{"metadata":{"name":"cordoned","labels":{"pool":"batch"}},"spec":{"unschedulable":true,"taints":[{"key":"node.kubernetes.io/unschedulable","effect":"NoSchedule"}]}}`
	tainted  = `{"metadata":{"name":"tainted","labels":{"pool":"gpu"}},"spec":{"taints":[{"key":"gpu","value":"a","effect":"NoSchedule"},{"key":"old","effect":"PreferNoSchedule"}]}}`
	control  = `{"metadata":{"name":"control","labels":{"pool":"web","node-role.kubernetes.io/control-plane":""}},"spec":{"unschedulable":true}}`
)

func TestWhatKeepsAPodOffTheNodes(t *testing.T) {
	for name, x := range map[string]struct {
		pod   string
		nodes []string
		want  nodes.Obstacle
		near  []string
	}{
		"a node takes it":                      {`{}`, []string{plain, cordoned}, nodes.None, nil},
		"no node has the label":                {`{"spec":{"nodeSelector":{"pool":"ml"}}}`, []string{plain, cordoned}, nodes.Labels, []string{"plain", "cordoned"}},
		"the nodes of its pool are cordoned":   {`{"spec":{"nodeSelector":{"pool":"batch"}}}`, []string{plain, plain, cordoned}, nodes.Cordoned, []string{"cordoned"}},
		"the nodes of its pool are tainted":    {`{"spec":{"nodeSelector":{"pool":"gpu"}}}`, []string{plain, cordoned, tainted}, nodes.Tainted, []string{"tainted"}},
		"it tolerates the taint":               {`{"spec":{"nodeSelector":{"pool":"gpu"},"tolerations":[{"key":"gpu","value":"a"}]}}`, []string{plain, tainted}, nodes.None, nil},
		"it tolerates another value":           {`{"spec":{"nodeSelector":{"pool":"gpu"},"tolerations":[{"key":"gpu","value":"b"}]}}`, []string{tainted}, nodes.Tainted, []string{"tainted"}},
		"it tolerates another effect":          {`{"spec":{"tolerations":[{"key":"gpu","operator":"Exists","effect":"NoExecute"}]}}`, []string{tainted}, nodes.Tainted, []string{"tainted"}},
		"it tolerates everything":              {`{"spec":{"tolerations":[{"operator":"Exists"}]}}`, []string{tainted}, nodes.None, nil},
		"more are tainted than cordoned":       {`{}`, []string{tainted, tainted, cordoned}, nodes.Tainted, []string{"tainted", "tainted"}},
		"one of two terms is enough":           {`{"spec":{"affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[{"matchExpressions":[{"key":"pool","operator":"In","values":["ml"]}]},{"matchExpressions":[{"key":"cpus","operator":"Gt","values":["32"]}]}]}}}}}`, []string{plain, batch}, nodes.None, nil},
		"all are excluded":                     {`{"spec":{"affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[{"matchExpressions":[{"key":"pool","operator":"NotIn","values":["web","batch"]}]}]}}}}}`, []string{plain, batch}, nodes.Labels, []string{"plain", "batch"}},
		"a control plane is not for it":        {`{"spec":{"nodeSelector":{"pool":"web"}}}`, []string{control, batch}, nodes.Labels, []string{"batch"}},
		"a control plane is all there is":      {`{"spec":{"nodeSelector":{"pool":"web"}}}`, []string{control}, nodes.Cordoned, []string{"control"}},
		"cordoned and tainted at once":         {`{}`, []string{`{"metadata":{"name":"x"},"spec":{"unschedulable":true,"taints":[{"key":"gpu","effect":"NoSchedule"}]}}`}, nodes.None, nil},
		"an expression that no API accepts":    {`{"spec":{"affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[{"matchExpressions":[{"key":"pool","operator":"Near","values":["web"]}]}]}}}}}`, []string{plain}, nodes.Labels, []string{"plain"}},
		"no nodes at all, so none has a label": {`{"spec":{"nodeSelector":{"pool":"web"}}}`, nil, nodes.Labels, nil},
	} {
		var all []evidence.Object
		for _, n := range x.nodes {
			all = append(all, object(t, n))
		}
		got, near := nodes.Decide(nodes.Fits(object(t, x.pod), all))
		var names []string
		for _, f := range near {
			names = append(names, f.Node)
		}
		if got != x.want || !slices.Equal(names, x.near) {
			t.Errorf("%s: %v of %v, want %v of %v", name, got, names, x.want, x.near)
		}
	}
}

func TestWhatNoNodeHas(t *testing.T) {
	pod := object(t, `{"spec":{"nodeSelector":{"pool":"batch","cpus":"8"}}}`)
	all := []evidence.Object{object(t, plain), object(t, batch)}
	if got := nodes.Lacking(nodes.Fits(pod, all)); len(got) != 0 {
		t.Errorf("each label is on some node, and %v are said to be on none", got)
	}
	pod = object(t, `{"spec":{"nodeSelector":{"pool":"batch","disk":"nvme"}}}`)
	fits := nodes.Fits(pod, all)
	if got := nodes.Lacking(fits); len(got) != 1 || got[0].String() != "disk=nvme" {
		t.Errorf("no node has %v, want disk=nvme", got)
	}
	if got := nodes.Values(fits, "pool"); !slices.Equal(got, []string{"batch", "web"}) {
		t.Errorf("the pools are %v", got)
	}
}
