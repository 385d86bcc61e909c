package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/argo-why/argo-why/internal/gateway"
)

// whyOptions are the command line of `bot why`.
type whyOptions struct {
	apps      []string
	files     []string
	namespace string
	project   string
	output    string
	save      string
	saving    bool   // --save was given
	noFile    bool   // --kubeconfig was given, and nothing with it
	asked     string // a flag that is about a server and was given, empty if none
	exitCode  bool
	timeout   time.Duration
	color     string
	reach     gateway.Options
}

func newWhy() *cobra.Command {
	o := &whyOptions{}
	cmd := &cobra.Command{
		Use:   "why [APP...] [-f FILE]...",
		Short: "Find the root cause of an application's failure",
		Long: `Find the root cause of an application's failure.

APP is NAME or NAMESPACE/NAME and is asked of Argo CD: of --server, of ARGOCD_SERVER
and ARGOCD_AUTH_TOKEN, or of the one that the argocd command is logged in to. What
Argo CD does not know (objects outside of the application, autoscalers) is read from
the cluster where kubectl's configuration, or --kubeconfig, leads there.

FILE is a case file (see --save) or what 'kubectl get application NAME -o yaml' or
'-o json' prints, one application or a list; - is standard input. Nothing is asked of
any server then.

Secrets are removed from everything that is printed or saved.

Exit codes: 0 diagnosed, 1 could not, 2 wrong usage, and with --exit-code 3 when an
application is neither healthy nor progressing; 130 after Ctrl-C.`,
		Example: `  bot why payments-api
  bot why payments-api --save case.json
  bot why -f case.json
  kubectl -n argocd get application payments-api -o yaml | bot why -f -`,
		RunE: func(cmd *cobra.Command, args []string) error {
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
			if err := o.check(); err != nil {
				return err
			}
			return o.run(cmd)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringArrayVarP(&o.files, "file", "f", nil, "diagnose what is in `FILE`, - for standard input (repeatable)")
	flags.StringVarP(&o.output, "output", "o", formatText, "text, json or yaml")
	flags.StringVar(&o.save, "save", "", "write the evidence to `FILE`, redacted, as a case file; an existing one is replaced")
	flags.BoolVar(&o.exitCode, "exit-code", false, "exit with 3 when an application is neither healthy nor progressing")
	flags.StringVar(&o.color, "color", colorAuto, "auto (on a terminal, unless NO_COLOR is set), always or never")
	flags.StringVarP(&o.namespace, "app-namespace", "N", "", "`namespace` of the application, when it is not Argo CD's own")
	flags.StringVar(&o.project, "project", "", "`project` of the application: tells a missing one from a forbidden one")
	flags.DurationVar(&o.timeout, "timeout", 30*time.Second, "give up on an application after this time")
	flags.StringVar(&o.reach.Argo.Server, "server", "", "`address` of Argo CD")
	flags.StringVar(&o.reach.Argo.AuthToken, "auth-token", "", "`token` of the account")
	flags.BoolVar(&o.reach.Argo.Insecure, "insecure", false, "do not verify the server's certificate")
	flags.BoolVar(&o.reach.Argo.PlainText, "plaintext", false, "no TLS")
	flags.BoolVar(&o.reach.Argo.GRPCWeb, "grpc-web", false, "gRPC-web, for a proxy without HTTP/2")
	flags.StringVar(&o.reach.Argo.GRPCWebRootPath, "grpc-web-root-path", "", "gRPC-web under this `path`")
	flags.StringVar(&o.reach.Argo.ServerCrt, "server-crt", "", "`file` with the authority of the server's certificate")
	flags.StringVar(&o.reach.Argo.ConfigPath, "config", "", "configuration `file` of the argocd command")
	flags.StringVar(&o.reach.Argo.Context, "argocd-context", "", "`name` of a login in it")
	flags.StringVar(&o.reach.Clusters.Kubeconfig, "kubeconfig", "", "`file` that leads to the application's cluster, for what Argo CD does not know")
	flags.StringVar(&o.reach.Clusters.Context, "kube-context", "", "`name` of a context in it")
	return cmd
}

// check finds what makes no sense before anything is read.
func (o *whyOptions) check() error {
	subjects := len(o.apps) + len(o.files)
	switch {
	case subjects == 0:
		return usageError("name an application, or a file with -f")
	case len(o.apps) > 0 && len(o.files) > 0:
		return usageError("give applications or files, not both")
	case len(o.files) > 0 && o.asked != "":
		return usageError(fmt.Sprintf("--%s is for applications that are asked of a server; -f asks none", o.asked))
	case slices.Contains(o.files, ""):
		return usageError("-f needs a file, or - for standard input")
	case !slices.Contains(formats, o.output):
		return usageError(fmt.Sprintf("-o %s is not known: %s", o.output, strings.Join(formats, ", ")))
	case !slices.Contains(colors, o.color):
		return usageError(fmt.Sprintf("--color %s is not known: %s", o.color, strings.Join(colors, ", ")))
	case o.saving && (o.save == "" || o.save == stdin):
		return usageError("--save needs the name of a file")
	case o.save != "" && subjects > 1:
		return usageError("--save takes one application at a time")
	case o.noFile:
		return usageError("--kubeconfig needs the name of a file")
	case o.timeout <= 0:
		return usageError("--timeout must be longer than nothing")
	}
	for _, app := range o.apps {
		namespace, name, qualified := strings.Cut(app, "/")
		switch {
		case app == "", qualified && (namespace == "" || name == "" || strings.Contains(name, "/")):
			return usageError(fmt.Sprintf("%q is not an application: expected NAME or NAMESPACE/NAME", app))
		case qualified && o.namespace != "" && o.namespace != namespace:
			return usageError(fmt.Sprintf("%s names another namespace than --app-namespace %s", app, o.namespace))
		}
	}
	return nil
}

// connection are the flags that mean nothing without a server.
var connection = []string{"server", "auth-token", "insecure", "plaintext", "grpc-web", "grpc-web-root-path", "server-crt", "config", "argocd-context", "kubeconfig", "kube-context"}
