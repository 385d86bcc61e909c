package apply

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
)

// refusedByAuthorizer is the finding about an authorizer of the cloud provider that refuses the request: RBAC is not involved, so
// no Role helps.
func refusedByAuthorizer(s *diagnose.Statement, v message.Forbidden) diagnose.Finding {
	f := diagnose.Finding{
		Confidence: diagnose.Certain,
		Title:      of(statement.Name(s), "an authorizer of the cluster refuses it"),
		Why:        fmt.Sprintf("%s is not allowed to %s %s. Another authorizer than RBAC decided that, so a Role does not help.", v.User, v.Verb, resourceArgument(v)),
		Says:       diagnose.Said{Who: "It says", Text: v.Authorizer},
		Sync:       advice.Pointless("the authorizer will refuse the request again"),
		Fix:        advice.Steps("Ask the owner of the cluster to allow it there, or remove the resource from Git"),
	}
	switch by := strings.ToLower(v.Authorizer); {
	case strings.HasPrefix(by, "gke") && v.Namespace != "":
		f.Title = of(statement.Name(s), fmt.Sprintf("GKE manages namespace %s", v.Namespace))
		f.Why = fmt.Sprintf("GKE itself refuses to let anybody %s %s there, so a Role does not help.", v.Verb, v.Resource)
		f.Fix = advice.Steps(fmt.Sprintf("Move it out of namespace %s in Git, then push (a chart usually has a value for it, such as the namespace of its leader election)", v.Namespace))
	case strings.HasPrefix(by, "gke"):
		f.Title = of(statement.Name(s), "GKE Autopilot does not allow it")
		f.Why = fmt.Sprintf("GKE itself refuses to let anybody %s %s, so a Role does not help.", v.Verb, v.Resource)
		f.Fix = advice.Steps("Remove it from Git, then push (a chart usually has a value that turns it off); or deploy to a Standard cluster")
	case strings.Contains(by, "azure"):
		f.Title = of(statement.Name(s), "Argo CD's account lacks an Azure role")
		f.Why = fmt.Sprintf("Azure RBAC decides what %s is allowed to do, so a Role in the cluster does not help.", v.User)
		f.OutsideGit = true
		f.Fix = []diagnose.Fix{{Text: fmt.Sprintf("Assign the account an Azure role on the cluster that lets it %s %s, such as Azure Kubernetes Service RBAC Cluster Admin; this lists the roles it has", v.Verb, v.Resource), Command: diagnose.Shell("az role assignment list --all --assignee %s --output table", v.User)}}
	}
	return f
}
