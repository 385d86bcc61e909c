package commands

// Where a command is run.
type Where int

// The places.
const (
	Here      Where = iota + 1 // by the tests of this package, with simulations of Slack and Argo CD
	Lab                        // by test/install, in the lab
	Elsewhere                  // by what the file in Why contains: a step of CI, or a test of its own
	Never                      // Why says why not
)

// Run is where a command is run.
type Run struct {
	Where Where
	// File and Text say for Elsewhere what runs it.
	File, Text string
	// Why is the reason for Never and Elsewhere.
	Why string
}

// Plan has each command of the documentation by its name.
var Plan = map[string]Run{
	"go run ./cmd/bot demo": {Where: Here},
	"go run ./cmd/bot demo --script docs/images/incident.txtar":                                                   {Where: Here},
	"go run ./cmd/bot why -f internal/diagnose/rules/testdata/cases/hook/job-failed/lab-presync-hook-failed.json": {Where: Here},
	"go build -o argo-why ./cmd/bot":                                          {Where: Here},
	"./argo-why check -c config.yaml":                                         {Where: Here},
	"./argo-why serve -c config.yaml":                                         {Where: Here},
	"./argo-why why my-app":                                                   {Where: Here},
	`./argo-why why my-app --server argocd.example.com --auth-token "$TOKEN"`: {Where: Here},
	"./argo-why why team-a/my-app":                                            {Where: Here},
	"./argo-why why -f one.json -f two.json":                                  {Where: Here},
	"./argo-why why my-app --save case.json":                                  {Where: Here},
	"argo-why why my-app --exit-code":                                         {Where: Here},
	"argo-why check -c config.yaml":                                           {Where: Here},
	"argo-why serve -c config.yaml --dry-run":                                 {Where: Here},
	"argo-why generate argocd-notifications --url http://argo-why.argo-why.svc --instance prod > argocd-notifications.yaml": {Where: Here},
	"argo-why generate kubernetes-rbac --service-account tools:bot --applications argocd,team-a":                            {Where: Here},

	"kubectl -n argocd get application my-app -o yaml | ./argo-why why -f -":                                                                          {Where: Lab},
	"sh argo-why-install/secret.sh":                                                                                                                   {Where: Lab},
	"helm install argo-why deploy/charts/argo-why --namespace argo-why -f argo-why-install/values.yaml --wait":                                        {Where: Lab},
	"helm upgrade argo-why deploy/charts/argo-why --namespace argo-why -f argo-why-install/values.yaml":                                               {Where: Lab},
	"helm rollback argo-why --namespace argo-why":                                                                                                     {Where: Lab},
	"helm uninstall argo-why --namespace argo-why":                                                                                                    {Where: Lab},
	"kubectl delete crd incidents.argo-why.dev incidentmembers.argo-why.dev actionlogs.argo-why.dev":                                                  {Where: Lab},
	"kubectl delete namespace argo-why":                                                                                                               {Where: Lab},
	`kubectl -n argocd patch configmap argocd-cm --type merge -p '{"data": {"accounts.argo-why": null}}'`:                                             {Where: Lab},
	`kubectl -n argocd patch configmap argocd-rbac-cm --type merge -p '{"data": {"policy.argo-why.csv": null, "policy.argo-why-actions.csv": null}}'`: {Where: Lab},
	`kubectl -n argocd patch secret argocd-secret --type merge -p '{"data": {"accounts.argo-why.tokens": null}}'`:                                     {Where: Lab},
	"kubectl apply --server-side -f deploy/install.yaml":                                                                                              {Where: Lab},
	"kubectl -n argo-why get lease argo-why":                                                                                                          {Where: Lab},
	"kubectl apply -f deploy/crd":                                                                                                                     {Where: Lab},
	"kubectl -n argo-why apply -f deploy/rbac/journal.yaml":                                                                                           {Where: Lab},
	"kubectl -n argo-why create rolebinding argo-why-journal --role argo-why-journal --serviceaccount argo-why:argo-why":                              {Where: Lab},
	"kubectl -n argo-why get incidents":                                                                                                               {Where: Lab},
	"kubectl -n argo-why delete incident payments-api-k3v9q2mz":                                                                                       {Where: Lab},
	"kubectl -n argo-why get actionlogs":                                                                                                              {Where: Lab},
	"kubectl -n argo-why get actionlogs --field-selector last.state=Waiting":                                                                          {Where: Lab},
	`kubectl -n argo-why patch secret argo-why-button-keys --type merge --patch '{"data": {"keys.json": null}}'`:                                      {Where: Lab},
	"kubectl apply -f deploy/rbac/read.yaml":                                                                                                          {Where: Lab},
	"kubectl apply -f deploy/rbac/secret-keys.yaml":                                                                                                   {Where: Lab},
	"kubectl -n argocd patch configmap argocd-cm --type merge --patch-file deploy/argocd/account.yaml":                                                {Where: Lab},
	"kubectl -n argocd patch configmap argocd-rbac-cm --type merge --patch-file deploy/argocd/rbac.yaml":                                              {Where: Lab},
	"argocd account generate-token --account argo-why":                                                                                                {Where: Lab},
	"argo-why generate kubernetes-rbac --namespaces shop,payments | kubectl apply -f -":                                                               {Where: Lab},
	"argo-why generate kubernetes-rbac --configmaps shop,payments | kubectl apply -f -":                                                               {Where: Lab},
	"argo-why generate kubernetes-rbac --secret-keys | kubectl apply -f -":                                                                            {Where: Lab},
	`argo-why generate kubernetes-rbac --user argo-why --applications "" | kubectl --context eu apply -f -`:                                           {Where: Lab},
	"kubectl -n argo-why create secret generic argo-why --from-file=slack-bot-token --from-file=slack-app-token --from-file=argocd-token":             {Where: Lab},
	"helm install argo-why . --namespace argo-why -f my-values.yaml":                                                                                  {Where: Lab},

	"make image":        {Where: Elsewhere, File: ".ci/run", Text: "step make image-test\n", Why: "image-test begins with image, for one platform"},
	"make image-test":   {Where: Elsewhere, File: ".ci/run", Text: "step make image-test\n", Why: "a step of CI"},
	"argo-why init":     {Where: Elsewhere, File: "cmd/bot/init_test.go", Text: "func TestInitAsks(", Why: "it asks in a terminal, which that test gives it"},
	"./argo-why init":   {Where: Elsewhere, File: "cmd/bot/init_test.go", Text: "func TestInitAsks(", Why: "it asks in a terminal, which that test gives it"},
	"make bench-shards": {Where: Elsewhere, File: "Makefile", Text: "\t$(MAKE) shards SHARDAPPS=40 SHARDS=/2\n", Why: "CI runs a small one in its lab; in full it takes minutes, and measures"},
	"make bench-system": {Where: Never, Why: "takes an hour, and measures"},
	"test/lab/with bash -c 'make lab-scenario NAME=all && make bench-compare'": {Where: Never, Why: "measures, with a lab of its own"},
	"make image-push": {Where: Never, Why: "needs a registry that takes the push; tools/image pushes to one in memory"},
	"kubectl -n argo-why exec deploy/argo-why -- /argo-why check -c /etc/argo-why/config.yaml --post": {
		Where: Never, Why: "the pods of the lab are simulated, so there is no process to run it beside; cmd/bot and internal/app test the same check",
	},
	"kubectl -n argo-why exec deploy/argo-why -- /argo-why check -c /etc/argo-why/config.yaml": {
		Where: Never, Why: "the pods of the lab are simulated, so there is no process to run it beside; cmd/bot and internal/app test the same check",
	},
	"kubectl -n argo-why logs -l app.kubernetes.io/name=argo-why --prefix --tail=100": {Where: Lab},
}
