package statement_test

import (
	"testing"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
)

func TestReasonLeavesOutTheNameAndTheAsides(t *testing.T) {
	for said, want := range map[string]string{
		`pods "web-1" is forbidden: maximum cpu usage per Container is 16, but request is 17.`:                                                                                    "maximum cpu usage per Container is 16, but request is 17",
		`pods "web-1" is forbidden: [minimum cpu is 1, maximum memory is 1Gi]`:                                                                                                    "minimum cpu is 1, maximum memory is 1Gi",
		`"big.example.com" is invalid: metadata.annotations: Too long`:                                                                                                            "metadata.annotations: Too long",
		`Service "web" is invalid: spec.ports[0].nodePort: Invalid value: 30030: taken`:                                                                                           "spec.ports[0].nodePort: Invalid value: 30030: taken",
		`ServiceAccount "a_b" is invalid: metadata.name: Invalid value: "a_b": must consist of lower case characters (e.g. 'example.com', regex used for validation is '[a-z]+')`: `metadata.name: Invalid value: "a_b": must consist of lower case characters`,
		`PodDisruptionBudget "web" is invalid: spec.minAvailable: Invalid value: intstr.IntOrString{Type:1, IntVal:0, StrVal:"1"}: must end with '%'`:                             `spec.minAvailable: Invalid value: "1": must end with '%'`,
		`Job "migrate" is invalid: spec.template: Invalid value: core.PodTemplateSpec{ObjectMeta:v1.ObjectMeta{Name:""}}: field is immutable`:                                     "spec.template: field is immutable",
		`services "web" already exists`: `services "web" already exists`,
	} {
		s := diagnose.Statement{Failure: message.Parse(said)}
		if got := statement.Reason(&s); got != want {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
}
