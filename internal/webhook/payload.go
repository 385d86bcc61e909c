package webhook

import (
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/foreign"
)

// Parse reads the body of a hook: {"app": NAME, "namespace": NAMESPACE}. Whatever else it holds is left alone, so that a
// template may be extended. Both must be names as Kubernetes takes them: they go into logs, keys and requests.
func Parse(body []byte) (diagnose.AppName, error) {
	var payload struct {
		App       string `json:"app"`
		Namespace string `json:"namespace"`
	}
	if err := foreign.Field.JSON(body, &payload); err != nil {
		return diagnose.AppName{}, fmt.Errorf("body is not the expected JSON: %w", err)
	}
	if payload.App == "" || payload.Namespace == "" {
		return diagnose.AppName{}, errors.New(`body lacks "app" or "namespace"`)
	}
	// https://kubernetes.io/docs/concepts/overview/working-with-objects/names/
	if len(validation.IsDNS1123Subdomain(payload.App)) > 0 {
		return diagnose.AppName{}, errors.New(`"app" is not a valid application name`)
	}
	if len(validation.IsDNS1123Label(payload.Namespace)) > 0 {
		return diagnose.AppName{}, errors.New(`"namespace" is not a valid namespace name`)
	}
	return diagnose.AppName{Namespace: payload.Namespace, Name: payload.App}, nil
}
