package outofsync

import (
	"testing"

	"github.com/argo-why/argo-why/internal/diagnose/drift"
	"github.com/argo-why/argo-why/internal/evidence"
)

func TestJQCovers(t *testing.T) {
	bundle := drift.Path{{Field: "webhooks"}, {Member: true, Keys: map[string]any{"name": "b"}}, {Field: "clientConfig"}, {Field: "caBundle"}}
	stamp := drift.Path{{Field: "metadata"}, {Field: "annotations"}, {Field: "x.io/stamp"}}
	r := &resource{Resource: drift.Resource{Live: evidence.Object{"webhooks": []any{map[string]any{"name": "a"}, map[string]any{"name": "b"}}}}}
	for _, c := range []struct {
		expression string
		path       drift.Path
		want       bool
	}{
		{".webhooks[]?.clientConfig.caBundle", bundle, true},
		{".webhooks[] | .clientConfig", bundle, true},
		{`.webhooks[] | select(.name=="b") | .clientConfig.caBundle`, bundle, true},
		{`.webhooks[] | select(.name == "a") | .clientConfig.caBundle`, bundle, false},
		{`.webhooks[] | select(.name | startswith("b")) | .clientConfig.caBundle`, bundle, false}, // not understood
		{".webhooks[1].clientConfig.caBundle", bundle, true},
		{".webhooks[0].clientConfig.caBundle", bundle, false},
		{".webhooks[].clientConfig.caBundle.more", bundle, false},
		{".webhooks[].client", bundle, false},
		{`.metadata.annotations["x.io/stamp"]`, stamp, true},
		{`.metadata.annotations."x.io/stamp"`, stamp, true},
		{`.["metadata"].annotations`, stamp, true},
		{".metadata.annotations.x.io/stamp", stamp, false},
		{".", stamp, false},
		{"", stamp, false},
	} {
		if got := jqCovers(c.expression, c.path, r.isAt); got != c.want {
			t.Errorf("%s covers %s: %v", c.expression, c.path, got)
		}
	}
}
