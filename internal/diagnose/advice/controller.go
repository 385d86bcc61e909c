package advice

import (
	"fmt"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/text"
)

// ComparedWithin is what a controller that works may take between two comparisons: three minutes by default, with jitter and load.
const ComparedWithin = 10 * time.Minute

// Inactive is what is known of why the application controller does not act on the application, and what to check.
func Inactive(in *diagnose.In) (why string, fix []diagnose.Fix) {
	app, argo := in.App(), ArgoNamespace(in)
	runs, log := ControllerRuns(in), ControllerLog(in)
	compared := app.Status.ReconciledAt
	switch {
	case compared.IsZero() && app.Metadata.Namespace != "" && app.Metadata.Namespace != argo:
		return fmt.Sprintf("Argo CD has never compared it. It is in namespace %s, which the application controller may not watch.", app.Metadata.Namespace), []diagnose.Fix{watchNamespace(in), runs, log}
	case compared.IsZero():
		return "Argo CD has never compared it, so its application controller is probably down, or no shard of it manages this cluster.", []diagnose.Fix{runs, log}
	case in.Since(compared) >= ComparedWithin:
		return fmt.Sprintf("Argo CD last compared it %s ago, so its application controller is probably down, stuck or overloaded, or no shard of it manages this cluster.", text.Age(in.Since(compared))), []diagnose.Fix{runs, log}
	}
	return "The application controller still compares this application, but has not picked the request up. Its queue of operations may be full.", []diagnose.Fix{log, runs}
}

// ControllerRuns is the step that shows whether the application controller runs.
func ControllerRuns(in *diagnose.In) diagnose.Fix {
	return diagnose.Fix{Text: "Check that the application controller runs", Command: diagnose.Shell("kubectl -n %s get pods -l %s", ArgoNamespace(in), diagnose.Raw(ArgoPods(in, "application-controller")))}
}

// ControllerLog is the step that shows what the application controller says about the application.
func ControllerLog(in *diagnose.In) diagnose.Fix {
	return diagnose.Fix{Text: "Check its log for this application", Command: diagnose.Shell("kubectl -n %s logs %s --since=1h | grep -F %s", ArgoNamespace(in), Controller(in), in.App().Metadata.Name)}
}

// watchNamespace is the step after which Argo CD watches the namespace of the application.
func watchNamespace(in *diagnose.In) diagnose.Fix {
	return diagnose.Fix{
		Text:    fmt.Sprintf("Check that application.namespaces includes %s; if not, add it in %s and restart the application controller", in.App().Metadata.Namespace, Param("application.namespaces").Place(in)),
		Command: diagnose.Shell(`kubectl -n %s get configmap argocd-cmd-params-cm -o jsonpath='{.data.application\.namespaces}'`, ArgoNamespace(in)),
	}
}

// ApplicationNamespace is where the Application is.
func ApplicationNamespace(in *diagnose.In) string {
	if ns := in.App().Metadata.Namespace; ns != "" {
		return ns
	}
	return ArgoNamespace(in)
}
