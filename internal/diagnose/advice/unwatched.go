package advice

import (
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
)

// Unwatched says why no application controller may look at an application that none has ever compared, and what to check.
func Unwatched(in *diagnose.In) (why string, fixes []diagnose.Fix) {
	app, argo := in.App(), ArgoNamespace(in)
	fixes = []diagnose.Fix{ControllerRuns(in), ControllerLog(in)}
	if app.Metadata.Namespace == "" || app.Metadata.Namespace == argo {
		return "Its application controller is probably down, or no shard of it manages this cluster.", fixes
	}
	return fmt.Sprintf("It is in namespace %s, which the application controller may not watch.", app.Metadata.Namespace), append([]diagnose.Fix{{
		Text:    fmt.Sprintf("Check that application.namespaces includes %s; if not, add it and restart the application controller", app.Metadata.Namespace),
		Command: diagnose.Shell(`kubectl -n %s get configmap argocd-cmd-params-cm -o jsonpath='{.data.application\.namespaces}'`, argo),
	}}, fixes...)
}

// ControllerRuns looks at the pods of the application controller.
func ControllerRuns(in *diagnose.In) diagnose.Fix {
	return diagnose.Fix{Text: "Check that the application controller runs", Command: diagnose.Shell("kubectl -n %s get pods -l %s", ArgoNamespace(in), diagnose.Raw(ArgoPods(in, "application-controller")))}
}

// ControllerLog looks for the application in the controller's log.
func ControllerLog(in *diagnose.In) diagnose.Fix {
	return diagnose.Fix{Text: "Check its log for this application", Command: diagnose.Shell("kubectl -n %s logs %s --since=1h | grep -F %s", ArgoNamespace(in), Controller(in), in.App().Metadata.Name)}
}
