package argo

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"strings"

	"github.com/argoproj/argo-cd/v2/pkg/apis/application/v1alpha1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/foreign"
)

// watchedFields are those of an application whose change is worth a look: Argo CD's stream has them, and the digest is made of them,
// wherever an application comes from. What is left out changes only together with one of them, or says nothing new:
//
//   - times of a look (status.reconciledAt, status.health.lastTransitionTime, those of conditions), versions and annotations: Argo CD
//     writes them every few minutes;
//   - names and health of resources: the list of their sync states is in the order of their names, and the health of the whole counts
//     (Argo CD leaves that of single resources out of lists from 3.0 on);
//   - what an operation did to each resource: its message, phase and number of retries say how it goes;
//   - status.history, status.summary and status.sync.comparedTo: copies of what an operation or the spec say.
//
// Argo CD keeps what it sent last for each application and stream, so each field costs its memory, too.
var watchedFields = []string{
	"metadata.name", "metadata.namespace", "metadata.labels", "metadata.deletionTimestamp", "spec", "operation.sync.revision",
	"status.sync.status", "status.sync.revision", "status.sync.revisions", "status.health.status", "status.health.message",
	"status.conditions.type", "status.conditions.message", "status.resources.status",
	"status.operationState.phase", "status.operationState.message", "status.operationState.retryCount",
	"status.operationState.startedAt", "status.operationState.finishedAt",
	"status.sourceHydrator.currentOperation.phase", "status.sourceHydrator.currentOperation.message",
	"status.sourceHydrator.currentOperation.startedAt",
}

// watched are these fields.
type watched struct {
	Labels     map[string]string
	Spec       json.RawMessage
	Requested  bool
	Deleted    *metav1.Time
	Sync       []string
	Health     string
	Message    string
	Resources  string
	Conditions []string
	Operation  *operation
	Hydrator   []string
}

type operation struct {
	Phase, Message string
	Retries        int64
	Started        metav1.Time
	Finished       *metav1.Time
}

// digests are those of an application: of all that is watched, and of what is wanted alone, which is its spec and the commits.
func digests(app *v1alpha1.Application) (all, wanted uint64, err error) {
	spec, err := canonical(&app.Spec)
	if err != nil {
		return 0, 0, err
	}
	st := &app.Status
	w := watched{
		Labels: app.Labels, Spec: spec, Requested: app.Operation != nil, Deleted: app.DeletionTimestamp,
		Sync: append([]string{string(st.Sync.Status), st.Sync.Revision}, st.Sync.Revisions...), Health: string(st.Health.Status), Message: st.Health.Message,
	}
	for i := range st.Conditions {
		w.Conditions = append(w.Conditions, st.Conditions[i].Type, st.Conditions[i].Message)
	}
	var resources strings.Builder
	for i := range st.Resources {
		resources.WriteString(string(st.Resources[i].Status))
		resources.WriteByte(' ')
	}
	w.Resources = resources.String()
	if op := st.OperationState; op != nil {
		w.Operation = &operation{string(op.Phase), op.Message, op.RetryCount, op.StartedAt, op.FinishedAt}
	}
	if op := st.SourceHydrator.CurrentOperation; op != nil {
		w.Hydrator = []string{string(op.Phase), op.Message}
	}
	digest, want := fnv.New64a(), fnv.New64a()
	if err := json.NewEncoder(digest).Encode(&w); err != nil {
		return 0, 0, err
	}
	_, _ = fmt.Fprintf(want, "%s %q", spec, w.Sync[1:]) // a hash takes everything
	return digest.Sum64(), want.Sum64(), nil
}

// sourcesOf is a digest of all that the sources of an application say.
func sourcesOf(spec *v1alpha1.ApplicationSpec) evidence.Digest {
	if sources := spec.GetSources(); len(sources) > 0 {
		return digestOf(v1alpha1.ApplicationSpec{Sources: sources})
	}
	return evidence.Digest{}
}

// comparedSources is one of the sources that Argo CD compared with last; zero where it never did.
func comparedSources(to *v1alpha1.ComparedTo) evidence.Digest {
	spec := v1alpha1.ApplicationSpec{Sources: to.Sources}
	if !to.Source.IsZero() {
		spec.Source = &to.Source
	}
	return sourcesOf(&spec)
}

// policyOf is a digest of how the application is synced, and of what is ignored.
func policyOf(spec *v1alpha1.ApplicationSpec) evidence.Digest {
	return digestOf(v1alpha1.ApplicationSpec{SyncPolicy: spec.SyncPolicy, IgnoreDifferences: spec.IgnoreDifferences})
}

func digestOf(part v1alpha1.ApplicationSpec) evidence.Digest {
	raw, err := canonical(&part)
	if err != nil {
		return evidence.Digest{}
	}
	return evidence.DigestOf(raw)
}

// canonical is the spec as JSON. Values for Helm are kept as they were written; over HTTP their keys come sorted, over gRPC not.
func canonical(spec *v1alpha1.ApplicationSpec) (json.RawMessage, error) {
	raw, err := json.Marshal(spec)
	if err != nil || !bytes.Contains(raw, []byte(`"valuesObject"`)) {
		return raw, err
	}
	var sorted any
	if err := foreign.Application.JSON(raw, &sorted); err != nil {
		return nil, err
	}
	return json.Marshal(sorted)
}

// outlined is the digest of what a list shows of an application and every other source, too.
func (s *AppState) outlined() uint64 {
	digest := fnv.New64a()
	_, _ = fmt.Fprintf(digest, "%q %q %q %q %q %q %d %d %t %d", s.Project, s.Cluster, s.Labels, s.Sync, s.Health, s.Phase, // a hash takes everything
		s.StartedAt.Unix(), s.FinishedAt.Unix(), s.Requested, s.DeletedAt.Unix())
	return digest.Sum64()
}
