//go:build live

package live_test

import "k8s.io/apimachinery/pkg/runtime/schema"

// drift is an application that is made to differ, and the fix of the report that must cure it.
type drift struct {
	manifest string
	// options are the application's sync options.
	options []any
	// resource, patch and manager: who writes what to the live object after the sync. Without a resource nobody does.
	resource      schema.GroupVersionResource
	object, patch string
	manager       string
	rule          string
	// fix is a word of the step that is applied; on says what its patch is merged into: the application, or the object.
	fix string
	on  string
	// survives: the live value is still there after another sync.
	survives []string
}

var (
	deployments = schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}
	services    = schema.GroupVersionResource{Version: "v1", Resource: "services"}
)

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 1
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - {name: proxy, image: "registry.example/proxy:1"}
      - name: web
        image: registry.example/web:1.0
        resources: {requests: {cpu: 100m}}
`

var drifts = map[string]drift{
	"an autoscaler of the application": {
		manifest: deployment + `---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec:
  minReplicas: 3
  maxReplicas: 5
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
`,
		rule: "drift/hpa", fix: "to ignore", on: "application",
		resource: deployments, object: "web", survives: []string{"spec", "replicas"},
	},
	"a controller that writes into a list with keys": {
		manifest: deployment, rule: "drift/vpa", fix: "to ignore", on: "application",
		resource: deployments, object: "web", manager: "vpa-updater",
		patch:    `{"spec":{"template":{"spec":{"containers":[{"name":"web","resources":{"requests":{"cpu":"250m"}}}]}}}}`,
		survives: []string{"spec", "template", "spec", "containers"},
	},
	"an annotation whose name has a slash and a tilde": {
		manifest: `apiVersion: v1
kind: Service
metadata:
  name: web
  annotations: {"cloud.example.com/neg-status": "none"}
spec: {ports: [{port: 80}], selector: {app: web}}
`,
		rule: "drift/annotation-only", fix: "to ignore", on: "application",
		resource: services, object: "web", manager: "neg-controller",
		patch:    `{"metadata":{"annotations":{"cloud.example.com/neg-status":"{\"zones\":[\"a\"]}"}}}`,
		survives: []string{"metadata", "annotations", "cloud.example.com/neg-status"},
	},
	"defaults under server-side apply": {
		manifest: `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  serviceName: db
  replicas: 1
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec: {containers: [{name: db, image: "registry.example/db:1"}]}
  volumeClaimTemplates:
  - metadata: {name: data}
    spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
`,
		options: []any{"ServerSideApply=true"},
		rule:    "drift/defaulted", fix: "let the API server compute the diff", on: "application",
	},
	"a value that was changed manually": {
		manifest: deployment, rule: "drift/manual-edit", fix: "To keep the change", on: "git",
		resource: deployments, object: "web", manager: "kubectl-edit",
		patch: `{"spec":{"template":{"spec":{"containers":[{"name":"web","image":"registry.example/web:1.1"}]}}}}`,
	},
}
