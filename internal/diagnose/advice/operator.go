package advice

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/evidence"
)

// operators are how the pods of operators are named, by the groups of their kinds.
var operators = []struct{ group, pods string }{
	{"strimzi.io", "strimzi"},
	{"postgresql.cnpg.io", "cloudnative-pg|cnpg"},
	{"acid.zalan.do", "postgres-operator"},
	{"k8s.elastic.co", "elastic-operator"},
	{"monitoring.coreos.com", "operator"},
	{"helm.toolkit.fluxcd.io", "helm-controller"},
	{"kustomize.toolkit.fluxcd.io", "kustomize-controller"},
	{"source.toolkit.fluxcd.io", "source-controller"},
	{"keda.sh", "keda"},
	{"external-secrets.io", "external-secrets"},
	{"bitnami.com", "sealed-secrets"},
	{"onepassword.com", "onepassword"},
	{"cert-manager.io", "cert-manager"},
	{"rabbitmq.com", "rabbitmq"},
	{"knative.dev", "knative"},
	{"velero.io", "velero"},
	{"cluster.x-k8s.io", "capi|cap.-controller"},
	{"secrets.hashicorp.com", "vault-secrets-operator"},
	{"operators.coreos.com", "olm-operator|catalog-operator"},
	{"services.k8s.aws", "ack-"},
	{"cnrm.cloud.google.com", "cnrm"},
	{"min.io", "minio-operator"},
	{"percona.com", "percona|operator"},
	{"upbound.io", "provider-"},
	{"crossplane.io", "crossplane|provider-"},
	{"kro.run", "kro"},
	{"istio.io", "istiod"},
}

// OperatorSteps are the steps that lead to the operator of an object; strict: it is not known to have seen the object at all.
func OperatorSteps(ref evidence.Ref, strict bool) []diagnose.Fix {
	said := "Read the log of its operator"
	if strict {
		said = fmt.Sprintf("Check that the controller for kind %s is running%s", ref.Kind, message.After(" and watches namespace ", ref.Namespace))
	}
	for _, o := range operators {
		if ref.Group == o.group || strings.HasSuffix(ref.Group, "."+o.group) {
			return []diagnose.Fix{{Text: said + ". List its pods", Command: diagnose.Shell("kubectl get pods -A | grep -iE %s", o.pods)}}
		}
	}
	if strict {
		return Steps(said)
	}
	return nil
}
