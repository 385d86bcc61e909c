package message

import (
	"slices"
	"testing"
)

func TestInvalidFieldsListsEachFieldWithItsReason(t *testing.T) {
	f := Parse("Deployment.apps \"w\" is invalid: [spec.template.metadata.labels: Invalid value: map[string]string{\"app\":\"w2\"}: `selector` does not match template `labels`, spec.selector: Invalid value: v1.LabelSelector{}: field is immutable, provisioner: Forbidden: updates to provisioner are forbidden.]")
	var fields []string
	for _, v := range f.InvalidFields() {
		fields = append(fields, v.Field)
	}
	if want := []string{"spec.template.metadata.labels", "spec.selector", "provisioner"}; !slices.Equal(fields, want) {
		t.Errorf("fields %q, want %q", fields, want)
	}
}

func TestAllForbiddenTellsRBACFromOtherAuthorizers(t *testing.T) {
	f := Parse(`configmaps is forbidden: User "u" cannot create resource "configmaps" in API group "" in the namespace "a",deployments.apps is forbidden: User "u" cannot patch resource "deployments/scale" in API group "apps" in the namespace "a": GKE Warden authz [denied by managed-namespaces-limitation]: the namespace "a" is managed and the request's verb "patch" is denied`)
	all := f.AllForbidden()
	if len(all) != 2 || all[0].Authorizer != "" || all[1].Authorizer == "" || all[1].Resource != "deployments/scale" {
		t.Errorf("%+v", all)
	}
}

func TestRetryNoteOfTheSyncTimeoutIsCutUnlessTheOperationWasTerminated(t *testing.T) {
	for said, want := range map[string]string{
		"one or more synchronization tasks are not valid due to application controller sync timeout. Retrying attempt #3 at 7:31PM.": "",
		`namespaces "x" not found due to application controller sync timeout. Retrying attempt #3 at 7:31PM.`:                        `namespaces "x" not found`,
		"Operation terminated due to application controller sync timeout. Retrying attempt #1 at 3:04PM.":                            "Operation terminated due to application controller sync timeout",
	} {
		if f := Parse(said); f.Cause != want {
			t.Errorf("%q: %q, want %q", said, f.Cause, want)
		}
	}
}
