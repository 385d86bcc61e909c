package apply

import (
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/evidence/clean"
)

// What ingress-nginx answers.
var (
	nginx       = pattern.MustCompile(`\[emerg\] \S+ (.*?)(?: in /\S+| nginx:|$)`)
	taken       = pattern.MustCompile(`already defined in ingress ([a-z0-9.\-]+)/([a-z0-9.\-]+)`)
	hostOf      = pattern.MustCompile(`host "([^"]*)"`)
	snippet     = pattern.MustCompile(`(?:^|\s)(\S+-snippets?) annotation cannot be used`)
	risky       = pattern.MustCompile(`annotation group (\w+) contains risky annotation`)
	wrongPath   = pattern.MustCompile(`path (\S+) cannot be used with pathType (\w+)`)
	nginxConfig = "kubectl get configmaps -A -l app.kubernetes.io/name=ingress-nginx -o yaml"
)

// byNginx reads the answers of ingress-nginx: the test of its configuration, a path that another Ingress has, what its owner turned off.
func byNginx(d *denial, _ string) bool {
	if m := nginx.FindStringSubmatch(d.reason); m != nil {
		d.reason, d.who = m[1], "Its test of the nginx configuration says"
		return true
	}
	if m := taken.FindStringSubmatch(d.reason); m != nil {
		d.holder = evidence.Ref{Group: "networking.k8s.io", Kind: "Ingress", Namespace: m[1], Name: m[2]}
		if host := hostOf.FindStringSubmatch(d.reason); host != nil {
			d.host = host[1]
		}
		d.change = fmt.Sprintf("Remove the host and path from this Ingress in Git, or from Ingress %s wherever that is deployed from, then push", m[2])
		d.exempt = fmt.Sprintf("If nothing deploys Ingress %s any longer, delete it; this shows it", m[2])
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

// movesHost adapts a denial because of a host that another Ingress of this application has: it may have lost the host in Git already, and
// only the live one still has it, since the sync that would change it is denied as a whole.
func (d *denial) movesHost(in *diagnose.In, f *diagnose.Finding, self evidence.Ref) {
	if d.holder.IsZero() {
		return
	}
	own := in.Resource(d.holder)
	if own == nil {
		return // another application's, or nobody's
	}
	d.change = fmt.Sprintf("Remove the host and path from %s or %s in Git, then push", self, d.holder)
	f.Fix = []diagnose.Fix{{Text: d.change}}
	managed, _ := diagnose.Get(in, evidence.FactManaged)
	diff := evidence.IndexOf(managed).Find(d.holder)
	argument := diagnose.Shell("%s:%s:%s/%s", d.holder.Group, d.holder.Kind, d.holder.Namespace, d.holder.Name)
	first := diagnose.Fix{Command: diagnose.Shell("argocd app sync %s --resource ", advice.AppName(in)) + argument}
	switch {
	case own.RequiresPruning:
		f.Why = fmt.Sprintf("Git no longer has %s, but it still exists and has the host.", d.holder)
		first.Text = fmt.Sprintf("Prune %s first, which ends its hosts until the next step", d.holder)
		first.Command += " --prune"
	case diff != nil && d.host != "" && servesHost(diff.LiveState, d.host) && diff.TargetState != "" && !servesHost(diff.TargetState, d.host):
		f.Why = fmt.Sprintf("In Git, host %s has moved away from %s, but the live one still has it.", d.host, d.holder)
		first.Text = fmt.Sprintf("Sync %s first, which ends host %s until the next step", d.holder, d.host)
	default:
		return
	}
	f.OutsideGit = true
	f.Says.Who = fmt.Sprintf("Webhook %s says", d.name)
	f.Fix = []diagnose.Fix{first, advice.Sync(in, fmt.Sprintf("Then sync the rest, which brings the host back with %s", self))}
	f.Sync = advice.Pointless(fmt.Sprintf("the request will be denied again until %s is synced by itself", d.holder))
}

// servesHost reports whether the state of an Ingress has a rule for a host.
func servesHost(state evidence.State, host string) bool {
	for _, rule := range clean.State(state).List("spec", "rules") {
		if rule.Text("host") == host {
			return true
		}
	}
	return false
}
