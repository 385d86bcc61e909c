package render

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
)

func wrongKubernetes(r rendered, m []string) diagnose.Finding {
	has := strings.TrimRight(m[2], ".")
	out := diagnose.Finding{
		Title: fmt.Sprintf("The chart needs Kubernetes %s; the cluster has %s", m[1], has),
		Short: "The chart does not support Kubernetes " + has,
		Fix:   advice.Steps("Use a version of the chart that supports this cluster"),
	}
	switch old, limit := outsideRange(m[1], has); {
	case old:
		out.Fix[0].Text += ", or upgrade the cluster"
	case limit != "":
		out.Why = "The cluster is newer than the chart allows."
		out.Fix = append(out.Fix, diagnose.Fix{
			Text:  "As a workaround, let Helm render for a version that the chart allows, in " + r.place() + "; check that the cluster still serves the API versions of the chart",
			Patch: "helm:\n  kubeVersion: \"" + limit + "\"\n",
		})
	}
	return out
}

// bound is one end of a range of versions; cluster the version that Helm renders for.
var (
	bound   = pattern.MustCompile(`(>=?|<=?)\s*v?(\d+)\.(\d+)`)
	cluster = pattern.MustCompile(`^v?(\d+)\.(\d+)`)
)

// outsideRange says on which side of a chart's range a cluster is: too old, or too new, with a version in
// the range. Neither where the range has alternatives or another form.
func outsideRange(versions, has string) (old bool, limit string) {
	at := cluster.FindStringSubmatch(has)
	if at == nil || strings.Contains(versions, "||") {
		return false, ""
	}
	minor := func(major, minor string) int {
		a, _ := strconv.Atoi(major)
		b, _ := strconv.Atoi(minor)
		return a*1000 + b
	}
	runs := minor(at[1], at[2])
	for _, m := range bound.FindAllStringSubmatch(versions, -1) {
		end := minor(m[2], m[3])
		switch {
		case m[1][0] == '>' && runs < end:
			return true, ""
		case m[1] == "<=" && runs > end:
			limit = fmt.Sprintf("%d.%d.0", end/1000, end%1000)
		case m[1] == "<" && runs >= end && end%1000 > 0:
			limit = fmt.Sprintf("%d.%d.0", end/1000, end%1000-1)
		}
	}
	return false, limit
}
