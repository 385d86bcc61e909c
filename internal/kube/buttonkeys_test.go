package kube_test

import (
	"encoding/base64"
	"errors"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/kube"
)

const keysPath = "/api/v1/namespaces/bot/secrets/argo-why-button-keys"

// keysSecret is the Secret as the API server gives it; without keys it is the one of deploy/rbac/journal.yaml.
func keysSecret(version, keys string) object {
	o := object{"apiVersion": "v1", "kind": "Secret", "type": "Opaque", "metadata": object{"name": "argo-why-button-keys", "namespace": "bot", "resourceVersion": version}}
	if keys != "" {
		o["data"] = object{"keys.json": base64.StdEncoding.EncodeToString([]byte(keys))}
	}
	return o
}

func TestButtonKeysAreInTheirSecret(t *testing.T) {
	j, s := journal(t,
		answer{"GET " + keysPath, 200, keysSecret("7", "")},
		answer{"GET " + keysPath, 200, keysSecret("7", "")},
		answer{"PUT " + keysPath, 200, keysSecret("8", "two keys")},
		answer{"GET " + keysPath, 200, keysSecret("8", "two keys")},
	)
	keys, version, err := j.ButtonKeys(t.Context())
	if keys != nil || version != "7" || err != nil {
		t.Fatalf("an empty Secret: %q %q %v", keys, version, err)
	}
	if err := j.PutButtonKeys(t.Context(), []byte("two keys"), version); err != nil {
		t.Fatal(err)
	}
	if sent := s.sent[2]; !strings.Contains(sent, `"resourceVersion":"7"`) || !strings.Contains(sent, `"keys.json":"`+base64.StdEncoding.EncodeToString([]byte("two keys"))) {
		t.Errorf("it wrote %s", sent)
	}
	if keys, version, err = j.ButtonKeys(t.Context()); string(keys) != "two keys" || version != "8" || err != nil {
		t.Errorf("read back: %q %q %v", keys, version, err)
	}
}

func TestButtonKeysOfAnotherProcessAreNotOverwritten(t *testing.T) {
	j, _ := journal(t, answer{"GET " + keysPath, 200, keysSecret("8", "theirs")}, answer{"PUT " + keysPath, 409, status("Conflict", "the object has been modified", 409)})
	if err := j.PutButtonKeys(t.Context(), []byte("mine"), "7"); !errors.Is(err, incident.ErrConflict) {
		t.Errorf("got %v, want a conflict", err)
	}
}

func TestMissingRightsToButtonKeysAreNamed(t *testing.T) {
	absent := status("NotFound", `secrets "argo-why-button-keys" not found`, 404)
	absent["details"] = object{"kind": "secrets", "name": "argo-why-button-keys"}
	for want, a := range map[string]answer{
		"read the key of buttons: there is no Secret argo-why-button-keys in namespace bot; set rbac.journal=true in the Helm chart, or kubectl apply -f deploy/rbac/journal.yaml": {"GET " + keysPath, 404, absent},
		"read the key of buttons: system:serviceaccount:bot:argo-why cannot get secrets in namespace bot; set rbac.journal=true in the Helm chart, or kubectl apply -f deploy/rbac/journal.yaml and bind it to that account": {
			"GET " + keysPath, 403,
			status("Forbidden", `secrets "argo-why-button-keys" is forbidden: User "system:serviceaccount:bot:argo-why" cannot get resource "secrets" in API group "" in the namespace "bot"`, 403),
		},
	} {
		j, _ := journal(t, a)
		_, _, err := j.ButtonKeys(t.Context())
		var e *kube.Error
		if !errors.As(err, &e) || e.Problem != kube.Forbidden || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}
