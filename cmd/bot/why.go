package main

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/argo-why/argo-why/internal/gateway"
)

// whyOptions are the command line of `bot why`.
type whyOptions struct {
	apps          []string
	files         []string
	namespace     string // -n
	appNamespace  string // -N, as the argocd command calls it
	allNamespaces bool   // -A, which is refused
	project       string
	output        string
	save          string
	saving        bool   // --save was given
	noFile        bool   // --kubeconfig was given without a value
	asked         string // a flag that is about a server and was given, empty if none
	exitCode      bool
	timeout       time.Duration
	color         string
	reach         gateway.Options
}

func newWhy() *cobra.Command {
	o := &whyOptions{}
	cmd := &cobra.Command{
		Use:        "why [APP...] [-f FILE]...",
		SuggestFor: []string{"diagnose", "explain", "describe", "analyze", "analyse", "debug", "app", "get", "status"},
		Short:      "Find the root cause of an application's failure",
		Long: `Find the root cause of an application's failure.

APP is NAME, NAMESPACE/NAME, or the address of the application's page in Argo CD. The
bot reads it from Argo CD: that of the address, the one given by --server, by
ARGOCD_SERVER and ARGOCD_AUTH_TOKEN, or the one that the argocd command is logged in
to. What Argo CD does not know (objects outside the application, autoscalers) is read
from the cluster, if kubectl's configuration or --kubeconfig has a context for it.

FILE is a case file (see --save), or what 'kubectl get applications -o yaml' or
'argocd app list -o json' print: one application, a list, or a stream of changes,
also with prompts and warnings around it. - is standard input. With -f no server is
contacted. An application is judged as of the newest date in its file, a case file
as of its own.

Secrets are removed from everything that is printed or saved.

Exit codes: 0 diagnosed, 1 not diagnosed, 2 wrong usage, 3 (only with --exit-code) if an
application is neither healthy nor progressing; 130 after Ctrl-C.`,
		Example: `  bot why payments-api
  bot why payments-api -n team-payments
  bot why https://argocd.example.com/applications/argocd/payments-api
  bot why payments-api --save case.json
  bot why -f case.json
  kubectl -n argocd get application payments-api -o yaml | bot why -f -`,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.take(cmd, args)
			if err := o.takePages(); err != nil {
				return err
			}
			if err := o.check(); err != nil {
				return err
			}
			return o.run(cmd)
		},
	}
	o.flags(cmd)
	o.completeValues(cmd)
	return cmd
}

func (o *whyOptions) flags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringArrayVarP(&o.files, "file", "f", nil, "diagnose the application in `FILE`; - is standard input (repeatable)")
	flags.StringVarP(&o.namespace, "namespace", "n", "", "`NAMESPACE` of the Application object, if it is not Argo CD's own; also -N, --app-namespace")
	flags.StringVar(&o.project, "project", "", "`PROJECT` of the application: distinguishes a missing application from one without access")
	flags.StringVarP(&o.output, "output", "o", formatText, "print the report as `FORMAT`: text, json or yaml")
	flags.StringVar(&o.save, "save", "", "write the evidence, without secrets, to the case file `FILE`, replacing an existing one")
	flags.BoolVar(&o.exitCode, "exit-code", false, "exit with 3 if an application is neither healthy nor progressing")
	flags.StringVar(&o.color, "color", colorAuto, colorUsage)
	flags.DurationVar(&o.timeout, "timeout", 30*time.Second, "give up on an application after this `DURATION`, such as 5s or 2m")
	flags.StringVar(&o.reach.Argo.Server, "server", "", "`ADDRESS` of Argo CD, such as argocd.example.com")
	flags.StringVar(&o.reach.Argo.AuthToken, "auth-token", "", "`TOKEN` of the Argo CD account")
	flags.BoolVar(&o.reach.Argo.Insecure, "insecure", false, "do not verify the server's certificate")
	flags.BoolVar(&o.reach.Argo.PlainText, "plaintext", false, "connect without TLS")
	flags.BoolVar(&o.reach.Argo.GRPCWeb, "grpc-web", false, "use gRPC-web, for a proxy that does not support HTTP/2")
	flags.StringVar(&o.reach.Argo.GRPCWebRootPath, "grpc-web-root-path", "", "use gRPC-web; Argo CD is under this `PATH`")
	flags.StringVar(&o.reach.Argo.ServerCrt, "server-crt", "", "PEM `FILE` with the CA of the server's certificate")
	flags.StringVar(&o.reach.Argo.ConfigPath, "config", "", "configuration `FILE` of the argocd command")
	flags.StringVar(&o.reach.Argo.Context, "argocd-context", "", "`NAME` of a context in that file")
	flags.StringVar(&o.reach.Clusters.Kubeconfig, "kubeconfig", "", "kubeconfig `FILE` for the application's cluster, to read what Argo CD does not know")
	flags.StringVar(&o.reach.Clusters.Context, "kube-context", "", "`NAME` of a context in the kubeconfig")
	// -N is what the argocd command calls -n; -A is a habit from kubectl, and its error says what to do instead.
	flags.StringVarP(&o.appNamespace, "app-namespace", "N", "", "the same as --namespace")
	flags.BoolVarP(&o.allNamespaces, "all-namespaces", "A", false, "not supported")
	for _, name := range []string{"app-namespace", "all-namespaces"} {
		flags.Lookup(name).Hidden = true
	}
}

// take notes what was given, which the values alone do not show.
func (o *whyOptions) take(cmd *cobra.Command, args []string) {
	o.apps = args
	flags := cmd.Flags()
	off := func(name string, value bool) bool { return flags.Changed(name) && !value }
	o.saving = flags.Changed("save")
	if i := slices.IndexFunc(connection, flags.Changed); i >= 0 {
		o.asked = connection[i]
	}
	o.noFile = flags.Changed("kubeconfig") && o.reach.Clusters.Kubeconfig == ""
	server := &o.reach.Argo
	server.Off.Insecure = off("insecure", server.Insecure)
	server.Off.PlainText = off("plaintext", server.PlainText)
	server.Off.GRPCWeb = off("grpc-web", server.GRPCWeb)
}

// check finds what makes no sense before anything is read.
func (o *whyOptions) check() error {
	subjects := len(o.apps) + len(o.files)
	switch {
	case o.allNamespaces:
		return usageError("-A is not supported: name each application, as NAME or NAMESPACE/NAME; 'kubectl get applications -A' lists them")
	case subjects == 0:
		return usageError("no application given: name one, or give a file with -f")
	case len(o.apps) > 0 && len(o.files) > 0:
		return usageError("both applications and files given: name applications or use -f, not both")
	case len(o.files) > 0 && o.asked != "":
		return usageErrorf("--%s has no effect on a file: -f contacts no server; leave one of the two out", o.asked)
	case slices.Contains(o.files, ""):
		return usageError("-f needs the name of a file, or - for standard input")
	case !slices.Contains(formats, o.output):
		return notOneOf("-o", o.output, formats)
	case !slices.Contains(colors, o.color):
		return notOneOf("--color", o.color, colors)
	case o.saving && (o.save == "" || o.save == stdin):
		return usageError("--save needs the name of a file, such as case.json")
	case o.save != "" && subjects > 1:
		return usageErrorf("--save takes one application at a time, and %d are given", subjects)
	case o.noFile:
		return usageError("--kubeconfig needs the name of a file")
	case o.timeout <= 0:
		return usageErrorf("--timeout must be greater than 0, not %s: give a duration such as 5s", o.timeout)
	}
	return o.checkNames()
}

// checkNames looks at the names of applications, and at the namespace that is given beside them.
func (o *whyOptions) checkNames() error {
	if o.namespace != "" && o.appNamespace != "" && o.namespace != o.appNamespace {
		return usageErrorf("-n %s and -N %s are both the namespace of the application: leave one out", o.namespace, o.appNamespace)
	}
	o.namespace = cmp.Or(o.namespace, o.appNamespace)
	for _, app := range o.apps {
		namespace, name, qualified := strings.Cut(app, "/")
		switch {
		case isFile(app):
			return usageErrorf("%s is a file: use -f %s", app, app)
		case app == "", qualified && (namespace == "" || name == "" || strings.Contains(name, "/")):
			return usageErrorf("%q is not the name of an application: expected NAME, NAMESPACE/NAME or the address of its page in Argo CD", app)
		case qualified && o.namespace != "" && o.namespace != namespace:
			return usageErrorf("%s is in namespace %s, but -n says %s: leave one of the two out", app, namespace, o.namespace)
		}
	}
	return nil
}

// isFile reports whether a name is that of a file as the bot or kubectl writes them, and not of an application.
func isFile(name string) bool {
	switch filepath.Ext(name) {
	case ".json", ".yaml", ".yml":
		info, err := os.Stat(name)
		return err == nil && info.Mode().IsRegular()
	}
	return false
}

// connection are the flags that mean nothing without a server.
var connection = []string{"namespace", "app-namespace", "project", "server", "auth-token", "insecure", "plaintext", "grpc-web", "grpc-web-root-path", "server-crt", "config", "argocd-context", "kubeconfig", "kube-context"}
