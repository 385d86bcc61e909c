package health

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// child is an Application below this one that is not healthy. status and report are nil where it was not read.
type child struct {
	*unhealthy.Resource
	status *evidence.Application
	report *diagnose.Report
	// tried: it was to be read.
	tried bool
}

// unhealthyChildren are the findings about children: those of which a reason is known in full, the others by name.
func unhealthyChildren(in *diagnose.In) diagnose.Outcome {
	var children []*child
	for _, s := range look(in).Resources {
		if s.Rule == in.Rule() {
			children = append(children, &child{Resource: s})
		}
	}
	readChildren(in, children)
	if in.Waiting() {
		return diagnose.Unknown
	}
	slices.SortStableFunc(children, func(a, b *child) int { return cmp.Compare(a.rank(), b.rank()) })
	var found []diagnose.Finding
	var unexplained []evidence.Ref
	for _, c := range children {
		f, ok := c.finding(in)
		switch {
		case !ok:
		case len(found) > 0 && c.cause() == nil:
			unexplained = append(unexplained, c.Ref)
		default:
			f.Resource, f.Examined = c.Ref, len(found) == 0 // the first comes first
			found = append(found, withDrift(in, c.Resource, unseen(c.Resource, withShort(in, c.Resource, f))))
		}
	}
	if len(unexplained) > 0 { // nothing says that they suffer from the same
		found[0].Why = text.Paragraph(found[0].Why, fmt.Sprintf("Also not healthy, for reasons that are not known here: %s.", advice.Names(unexplained)))
	}
	return diagnose.Found(found...)
}

// readChildren reads the first child, for a person the others as well. A child of a child is not read.
func readChildren(in *diagnose.In, children []*child) {
	if diagnose.Nested(in) {
		return
	}
	for i, c := range children {
		switch {
		case evidence.HasPrivate(c.Ref.Name): // nothing of it is to be read
		case i == 0:
			c.status, _ = diagnose.Get(in, evidence.FactChild(c.Ref))
			c.tried = true
		case i < maxChildren:
			c.status, _ = diagnose.Look(in, evidence.FactChild(c.Ref))
			c.tried = in.Asked()
		}
	}
	if in.Waiting() {
		return
	}
	for _, c := range children {
		if c.status != nil {
			c.report = in.Alone(c.status)
		}
	}
}

// rank orders children: what one whose sync fails was to bring may be what another one lacks.
func (c *child) rank() int {
	switch {
	case c.report != nil && c.report.Verdict == diagnose.VerdictFailing && c.cause() != nil:
		return 0
	case c.report != nil && c.cause() != nil:
		return 1
	}
	return 2
}

// cause is what the diagnosis of a child found; nil where that is nothing.
func (c *child) cause() *diagnose.Finding {
	if c.report == nil {
		return nil
	}
	if root := c.report.Root(); root != nil {
		return root
	}
	if len(c.report.Findings) > 0 && c.Overdue() {
		return &c.report.Findings[0]
	}
	return nil
}

// finding is the finding about a child; ok is false for one that may just be on its way.
func (c *child) finding(in *diagnose.In) (f diagnose.Finding, ok bool) {
	f = childFinding(in, c.Resource)
	if c.ForLong() != "" {
		f.Why = text.Paragraph("It "+c.IsStill()+".", f.Why)
	}
	switch cause := c.cause(); {
	case cause != nil:
		return withCause(in, c.Resource, f, cause), true
	case evidence.HasPrivate(c.Ref.Name): // it says so
	case c.status == nil && c.tried:
		f.Why = text.Paragraph(f.Why, "The child Application could not be read.")
	case c.report != nil:
		f.Why = text.Paragraph(f.Why, "Its status gives no reason.")
	}
	return f, c.Overdue()
}
