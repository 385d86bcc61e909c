package health

import (
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/text"
)

// evictions are the pods of a resource that were evicted before the one that waits for a node now.
type evictions struct {
	count int
	// node is the one that all of them were on; empty where there is none, or several.
	node string
	// said is what the kubelet said of one of them, of one that names a container if there is one.
	said string
}

func evictedBefore(p *unhealthy.Picture, s *unhealthy.Resource) evictions {
	out := evictions{}
	for _, d := range p.Descendants(s.Ref) {
		if d.Kind != "Pod" || !wasEvicted(&d) {
			continue
		}
		at := d.InfoValue("Node")
		if out.count > 0 && out.node != at {
			at = ""
		}
		out.node = at
		out.count++
		if said := text.OneLine(d.Health.Message); out.said == "" || usedMore.MatchString(said) && !usedMore.MatchString(out.said) {
			out.said = said
		}
	}
	return out
}

// first puts the pressure that evicted the earlier pods before the other reasons of the scheduler.
func (e evictions) first(reasons []pods.NodeReason) {
	if i := slices.IndexFunc(reasons, ofPressure); i > 0 && e.count > 0 {
		r := reasons[i]
		copy(reasons[1:i+1], reasons[:i])
		reasons[0] = r
	}
}

// ofPressure reports whether nodes take no pod because they are short of something.
func ofPressure(r pods.NodeReason) bool { return strings.Contains(r.Text, "-pressure") }

// sentence says that, from where, and what the kubelet said.
func (e evictions) sentence(s *unhealthy.Resource) string {
	if e.count == 0 {
		return ""
	}
	out := fmt.Sprintf("%s evicted before%s.", text.Count(e.count, "pod of "+s.Ref.String()+" was", "pods of "+s.Ref.String()+" were"), message.After(", from node ", e.node))
	if usedMore.MatchString(e.said) {
		out += " " + text.Sentence("The kubelet said: "+withoutModest(lowResource.ReplaceAllString(e.said, " ($2 available, threshold $1)")))
	}
	return out
}

// telling is how many bytes a container must have used for its own request to matter: others fill the node where it used less.
const telling = 256 << 20

// mostUsed is how much the container used that used most, by the kubelet's words.
func mostUsed(said string) float64 {
	most := 0.0
	for _, m := range usedMore.FindAllStringSubmatch(said, -1) {
		most = max(most, amount(m[2]))
	}
	return most
}

// steps keep the pod from being evicted again, and show the node. Freeing what the node lacks is a step of the reason already.
func (e evictions) steps(s *unhealthy.Resource) []diagnose.Fix {
	if e.count == 0 {
		return nil
	}
	evicted := *s
	evicted.Symptom = pods.Symptom{Trouble: pods.Evicted, Text: e.said}
	var out []diagnose.Fix
	if what, own := pressure(e.said); mostUsed(e.said) >= telling {
		for _, fix := range evictionSteps(&evicted, what, own) {
			if fix.Patch != "" {
				out = append(out, fix)
			}
		}
	}
	if e.node != "" {
		out = append(out, describeNode(e.node))
	}
	return out
}
