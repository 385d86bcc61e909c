package evidence

import "time"

// ahead is how far clocks may differ. A date further ahead says only that one of them is wrong.
const ahead = 5 * time.Minute

// newest is the newest date that says when something was observed, which is when an undated file was saved, or shortly before. A date
// at which something will happen (a certificate expires, a job is due) is none.
type newest struct {
	now time.Time // what is after it does not count
	at  time.Time
}

func (n *newest) see(dates ...Time) {
	for _, t := range dates {
		if t.After(n.at) && !t.After(n.now.Add(ahead)) {
			n.at = t.Time
		}
	}
	if n.at.After(n.now) {
		n.at = n.now
	}
}

func (n *newest) inCase(c *Case) {
	if c.Application != nil {
		n.inApplication(c.Application)
	}
	if c.Tree != nil {
		for _, nodes := range [][]Node{c.Tree.Nodes, c.Tree.OrphanedNodes} {
			for i := range nodes {
				n.see(nodes[i].CreatedAt)
				n.inHealth(nodes[i].Health)
			}
		}
	}
	for _, o := range c.Resources {
		n.inObject(o)
	}
	for _, e := range c.Events {
		n.see(e.FirstTimestamp, e.LastTimestamp, e.EventTime)
	}
}

func (n *newest) inApplication(a *Application) {
	m, st := &a.Metadata, &a.Status
	n.see(m.CreationTimestamp, m.DeletionTimestamp, st.ReconciledAt)
	for _, f := range m.ManagedFields {
		n.see(f.Time)
	}
	for _, c := range st.Conditions {
		n.see(c.LastTransitionTime)
	}
	n.inHealth(&st.Health)
	for i := range st.Resources {
		n.inHealth(st.Resources[i].Health)
	}
	if op := st.OperationState; op != nil {
		n.see(op.StartedAt, op.FinishedAt)
	}
	for _, d := range st.History {
		n.see(d.DeployStartedAt, d.DeployedAt)
	}
	for _, h := range []*HydrateOperation{st.SourceHydrator.CurrentOperation, st.SourceHydrator.LastSuccessfulOperation} {
		if h != nil {
			n.see(h.StartedAt, h.FinishedAt)
		}
	}
}

func (n *newest) inHealth(h *Health) {
	if h != nil {
		n.see(h.LastTransitionTime)
	}
}

// observed are the fields of a status, or of an event, that say when something was observed.
var observed = map[string]bool{
	"lastTransitionTime": true, "lastUpdateTime": true, "lastHeartbeatTime": true, "lastProbeTime": true,
	"startTime": true, "completionTime": true, "startedAt": true, "finishedAt": true, "reconciledAt": true,
	"lastScheduleTime": true, "lastSuccessfulTime": true, "lastScaleTime": true, "refreshTime": true,
	"firstTimestamp": true, "lastTimestamp": true, "eventTime": true, "lastObservedTime": true,
}

func (n *newest) inObject(o Object) {
	n.see(o.Time("metadata", "creationTimestamp"))
	for _, f := range o.List("metadata", "managedFields") {
		n.see(f.Time("time"))
	}
	for key := range observed {
		n.see(o.Time(key))
	}
	n.inStatus(o["status"])
}

func (n *newest) inStatus(v any) {
	switch v := v.(type) {
	case map[string]any:
		for key, field := range v {
			if observed[key] {
				n.see(Object(v).Time(key))
			}
			n.inStatus(field)
		}
	case []any:
		for _, member := range v {
			n.inStatus(member)
		}
	}
}
