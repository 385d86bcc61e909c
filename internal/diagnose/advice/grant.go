package advice

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
)

// awsDenied is how AWS refuses an action to a role.
var awsDenied = pattern.MustCompile(`User: arn:aws[\w-]*:sts::\d+:assumed-role/([^/ ]+)/\S+ is not authorized to perform: ([\w-]+:\w+)`)

// Grant are the steps that allow what a text says that an account may not do; none where it says nothing like that.
func Grant(warning string) []diagnose.Fix {
	if m := awsDenied.FindStringSubmatch(warning); m != nil {
		return Steps(fmt.Sprintf("Allow %s in the policy of the IAM role %s", m[2], m[1]))
	}
	parsed := message.Parse(warning)
	v, ok := parsed.Forbidden()
	if !ok || v.Verb == "" || v.Resource == "" || v.Authorizer != "" {
		return nil
	}
	account := strings.ReplaceAll(strings.TrimPrefix(v.User, "system:serviceaccount:"), ":", "/")
	where, flag := "in the cluster", diagnose.Raw("")
	if v.Namespace != "" {
		where, flag = "in namespace "+v.Namespace, diagnose.Raw(diagnose.Shell("-n %s ", v.Namespace))
	}
	return []diagnose.Fix{
		{Text: fmt.Sprintf("In Git, let %s %s %s %s: extend its Role (and the resourceNames in it)", account, v.Verb, v.Resource, where)},
		{Text: "Show what it may do now", Command: diagnose.Shell("kubectl %sauth can-i --list --as=%s", flag, v.User)},
	}
}
