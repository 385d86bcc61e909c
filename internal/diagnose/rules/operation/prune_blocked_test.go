package operation

import "testing"

func TestResourceName(t *testing.T) {
	for said, want := range map[string]string{
		"v1/Secret/master-key":                     "Secret/master-key",
		"/PersistentVolumeClaim/data.":             "PersistentVolumeClaim/data",
		"Namespace/old-tenant":                     "Namespace/old-tenant",
		"apps/Deployment/web and 2 more resources": "Deployment/web and 2 more",
		"the resource":                             "a resource",
		"":                                         "a resource",
		"apps/Deployment/web, which has it switched on": "Deployment/web",
	} {
		if got := resourceName(said); got != want {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
}
