package health

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
)

// awsEndpoint is the host of an API of AWS, with its region; awsRegion is how their regions are written.
var (
	awsEndpoint = pattern.MustCompile(`\b[a-z][\w-]*\.([a-z]{2}-[a-z0-9-]+)\.amazonaws\.com`)
	awsRegion   = pattern.MustCompile(`^[a-z]{2}(?:-[a-z]+)+-\d+$`)
)

// endpointSteps are about a controller that does not reach the API of its cloud: that is a setting of the controller, and not of what it
// reports on. Nil where the words are about something else.
func endpointSteps(said string) []diagnose.Fix {
	host := hostUnreached(said)
	name, _, _ := strings.Cut(host, ":")
	if host == "" || !message.CannotReach(said) || strings.HasSuffix(name, ".svc") || strings.Contains(name, ".svc.") {
		return nil
	}
	if !message.CannotResolve(said) {
		return []diagnose.Fix{{Text: fmt.Sprintf("Check the way from the controller's pod to %s: network policies, a firewall, NAT or a private endpoint, a proxy", host)}}
	}
	fix := fmt.Sprintf("Check the name that the controller looks up, %s: it comes from the region or endpoint in its settings. If it is right, check the DNS of the cluster", name)
	if m := awsEndpoint.FindStringSubmatch(name); m != nil && !awsRegion.MatchString(m[1]) {
		fix = fmt.Sprintf("Correct the region in the settings of the controller: it looks up %s, and %s is no region of AWS (they look like eu-west-1)", name, m[1])
	} else if m != nil {
		fix = fmt.Sprintf("Check the region in the settings of the controller: it looks up %s. If region %s is right, check the DNS of the cluster", name, m[1])
	}
	return []diagnose.Fix{{Text: fix}}
}
