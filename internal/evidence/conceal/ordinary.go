package conceal

import "strings"

// ordinary reports whether a name is a word that texts about anything have. Even the name of a child is then replaced only where a text speaks
// of applications: one that is called "error" would blank half of a log.
func ordinary(name string) bool { return len(name) < 4 || ordinaryWords[name] }

var ordinaryWords = func() map[string]bool {
	all := map[string]bool{}
	for w := range strings.FieldsSeq(ordinaryList) {
		all[w] = true
	}
	return all
}()

const ordinaryList = `
access account admin agent alert alerts alpha analytics apis application applications apply apps argo argocd audit auth backend backup
base beta billing binary broker build cache cert certificate chart check client cluster code collector common config connect connection
console consumer container context control controller core create cron dashboard data database debug default delete demo deploy
deployment docs domain edge email engine error errors event events example executor export external failed file files flow frontend
function gateway global grafana graph group groups grpc guest health hello helm home hook hooks host http https identity image images
import index infra ingest ingress init input instance internal invalid inventory items jobs kafka keys kube kubernetes label labels
limit list live load local logging login logs loki mail main manager master media memory mesh message messages metadata metrics
migration model mongo monitor monitoring mysql name names namespace network nginx node nodes none notification notifications object
operator order orders output parent password patch path payment payments plugin policy pool portal postgres postgresql prod producer
product production project projects prometheus proxy pull push query queue rabbitmq read redis refresh registry release remote report
reports request requests resource resources response rest result results role root route router rules running runtime sample schedule
scheduler schema search secret secrets security sensor server service services session settings setup shared site source spec stage
staging standard start state static status storage store stream support sync system target task tasks template test tests time token
tool tools tracing traefik tree true type unknown update upload user users value values version view volume wait watch webhook website
worker workers workflow workspace write zone
`
