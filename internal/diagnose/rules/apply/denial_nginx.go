package apply

import (
	"fmt"
	"regexp"

	"github.com/argo-why/argo-why/internal/diagnose"
)

// What ingress-nginx answers.
var (
	nginx       = regexp.MustCompile(`\[emerg\] \S+ (.*?)(?: in /\S+| nginx:|$)`)
	taken       = regexp.MustCompile(`already defined in ingress ([a-z0-9.\-]+)/([a-z0-9.\-]+)`)
	snippet     = regexp.MustCompile(`(?:^|\s)(\S+-snippets?) annotation cannot be used`)
	risky       = regexp.MustCompile(`annotation group (\w+) contains risky annotation`)
	wrongPath   = regexp.MustCompile(`path (\S+) cannot be used with pathType (\w+)`)
	nginxConfig = "kubectl get configmaps -A -l app.kubernetes.io/name=ingress-nginx -o yaml"
)

// byNginx reads the answers of ingress-nginx: the test of its configuration, a path that another Ingress has, what its owner turned off.
func byNginx(d *denial, _ string) bool {
	if m := nginx.FindStringSubmatch(d.reason); m != nil {
		d.reason, d.who = m[1], "Its test of the nginx configuration says"
		return true
	}
	if m := taken.FindStringSubmatch(d.reason); m != nil {
		d.change = "Remove the host and path from one of the two Ingresses in Git, then push"
		d.exempt = fmt.Sprintf("If Ingress %s is a leftover, delete it; this shows it", m[2])
		d.show = diagnose.Shell("kubectl -n %s get ingress %s -o yaml", m[1], m[2])
		return true
	}
	if m := snippet.FindStringSubmatch(d.reason); m != nil {
		d.change = fmt.Sprintf("Remove the annotation %s in Git, then push", m[1])
		d.exempt = "If it is needed, ask the owner of ingress-nginx to set allow-snippet-annotations: \"true\" and annotations-risk-level: Critical in its ConfigMap, which lets anyone who can write an Ingress change the configuration of nginx; this shows what is set"
		d.show = nginxConfig
		return true
	}
	if m := risky.FindStringSubmatch(d.reason); m != nil {
		d.change = fmt.Sprintf("Remove the annotations of group %s in Git, then push", m[1])
		d.exempt = "If they are needed, ask the owner of ingress-nginx to raise annotations-risk-level in its ConfigMap; this shows what is set"
		d.show = nginxConfig
		return true
	}
	if m := wrongPath.FindStringSubmatch(d.reason); m != nil {
		d.change = fmt.Sprintf("Set pathType: ImplementationSpecific for path %s in Git, as a regular expression needs it; then push", m[1])
		d.exempt = "Or ask the owner of ingress-nginx to set strict-validate-path-type: \"false\" in its ConfigMap; this shows what is set"
		d.show = nginxConfig
		return true
	}
	return false
}
