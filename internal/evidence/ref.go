package evidence

import "strings"

// Ref names one Kubernetes object. Namespace is empty for cluster-scoped objects, Group for the core API.
type Ref struct {
	Group     string `json:"group,omitempty"`
	Kind      string `json:"kind"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
}

// String is the short form that people use: "Deployment/web". A status may name what it likes, so what is no name stands in quotation marks.
func (r Ref) String() string {
	switch kind, name := quotedIfOdd(r.Kind), quotedIfOdd(r.Name); {
	case r.Kind == "":
		return name
	case r.Name == "":
		return kind
	default:
		return kind + "/" + name
	}
}

// Ref is the reference itself, for an [Index] of references.
func (r Ref) Ref() Ref { return r }

// IsZero reports whether the reference names nothing.
func (r Ref) IsZero() bool { return r.Kind == "" && r.Name == "" }

// Resource is the argument kubectl takes for the object: "deployment.apps/web", "job.batch/migrate", "pod/web-0".
func (r Ref) Resource() string {
	kind := strings.ToLower(r.Kind)
	if r.Group != "" {
		kind += "." + r.Group
	}
	return kind + "/" + r.Name
}

// Same compares two references; an unknown group or namespace on either side matches any.
func (r Ref) Same(o Ref) bool {
	return r.Kind == o.Kind && r.Name == o.Name &&
		(r.Group == o.Group || r.Group == "" || o.Group == "") &&
		(r.Namespace == o.Namespace || r.Namespace == "" || o.Namespace == "")
}

// HoldsData reports whether deleting an object of that kind loses data, or everything in it: what a prune must name first.
func (r Ref) HoldsData() bool {
	switch r.Kind {
	case "PersistentVolumeClaim", "PersistentVolume", "StatefulSet", "Secret", "Namespace", "CustomResourceDefinition", "VolumeSnapshot", "ScheduledBackup", "Application":
		return true
	}
	// Operators name their databases after what they are: a Postgresql, a KafkaTopic, an RDSInstance, a bucket.
	kind := strings.ToLower(r.Kind)
	for _, word := range []string{"postgres", "mysql", "mariadb", "mongo", "redis", "kafka", "elasticsearch", "opensearch", "cassandra", "clickhouse", "rabbitmq", "etcdcluster", "database", "rdsinstance", "dbinstance", "dbcluster", "bucket", "vaultcluster", "minio", "nats"} {
		if strings.Contains(kind, word) {
			return true
		}
	}
	return kind == "cluster" && !strings.Contains(r.Group, "cluster.x-k8s.io") || strings.Contains(r.Group, "sql.") || strings.Contains(r.Group, "rds.")
}
