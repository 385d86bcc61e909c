package rules

import (
	"slices"

	"github.com/argo-why/argo-why/internal/diagnose"
)

// All are the rules. The order of the groups is that in which a sync can fail. Within a group the order is precedence:
// a statement belongs to the first rule that recognises it, so the special stands before the general.
func All() []*diagnose.Rule {
	return []*diagnose.Rule{
		// The desired state could not be produced: Argo CD's own parts first, then what it talks to, then the tools.
		renderRedisUnavailable,
		renderVersionSkew,
		renderResponseTooLarge,
		renderRepoServerUnavailable,
		renderSignatureRequired,
		renderSubmoduleOrLFS,
		renderGitRevisionNotFound,
		renderPathNotFound,
		renderHelmDependency,
		renderTimeout,
		renderPlugin,
		renderJsonnet,
		renderKustomize,
		renderHelmTemplate,
		renderChartRepositoryAuth,
		renderChartRepository,
		renderGitRepositoryNotFound,
		renderGitAuth,
		renderGitUnreachable,
		renderInvalidYAML,

		// The application may not, or cannot, be compared.
		specResourceNotPermitted,
		specNotPermitted,
		specInvalid,
		compareConversionWebhookUnreachable,
		compareClusterForbidden,
		compareClusterUnreachable,
		compareDiffFailed,

		// The API server refused something.
		applySharedResource,
		applyPruneFailed,
		applyAdmissionWebhookUnreachable,
		applyAdmissionDenied,
		applyNamespaceTerminating,
		applyNamespaceMissing,
		applyQuotaExceeded,
		applyLimitRange,
		applyPortConflict,
		applyTooLarge,
		applyImmutableField,
		applyFieldManagerConflict,
		applyConflict,
		applyAlreadyExists,
		applyMissingCRD,
		applyForbidden,
		across(applyAPIServerTimeout, operationTerminated), // what was under way when the operation was ended breaks off
		applySchemaInvalid,
		applyDependencyMissing,

		// The sync did not, or could not, run.
		operationSyncWindow,
		across(operationInProgress, waveBlocked),
		operationPermissionDenied,
		operationPruneBlocked,
		operationRollbackBlocked,
		operationTerminated,
		operationRetryExhausted,
		operationRetrying,
		operationAutosyncGaveUp,
		operationStuck,

		// A hook failed or does not end; a wave waits.
		hookDeletionStuck,
		hookTTLDeleted,
		hookAlreadyExists,
		hookImagePull,
		hookOrdering,
		hookDependencyMissing,
		hookSidecarNeverExits,
		hookDeadlineExceeded,
		hookJobFailed,
		hookNotAwaited,
		hookNeverCreated,
		hookStuck,
		waveBlocked,
		waveInProgress,

		// Desired and live differ. First what a sync does not cure, because it keeps the application out of sync.
		driftIgnoreRuleMismatch,
		driftTrackingLabel,
		driftKEDA,
		driftHPA,
		driftVPA,
		driftRandomValues,
		driftParameterOverride,
		driftControllerOwned,
		driftInjected,
		driftNormalized,
		driftConversion,
		driftDefaulted,
		driftAnnotationOnly,
		driftManualEdit,
		driftTTLDeleted,
		across(driftMissing, healthNamespaceTerminating, healthDeleting), // what is being deleted is missing next
		driftExtraneous,
		driftPendingPrune,
		driftAutosyncOff,
		driftServerSideDiff,
		driftUnexplained,
		driftSelfhealLoop,
		driftSyncLoop,
		driftDuplicateResource,
		driftExcludedResource,
		driftOrphaned,
		driftStaleRevision,

		// Applied, but not healthy.
		healthNamespaceTerminating,
		healthDeleting,
		healthOOMKilled,
		healthLiveness,
		healthCrashLoop,
		healthImagePull,
		healthConfigMissing,
		healthJobFailed,
		healthUnschedulable,
		healthVolumePending,
		healthQuota,
		healthServiceAccountMissing,
		healthReadiness,
		healthExternalSecret,
		healthCertificate,
		healthRolloutDegraded,
		healthStale,
		healthStatefulSetStuck,
		healthProgressDeadline,
		healthLoadBalancerPending,
		healthIngressNoAddress,
		healthHPAMetrics,
		healthPDB,
		healthCustomResource,
		healthChildApp,
		healthMissing,
		healthRolloutPaused,
		healthSuspended,
	}
}

// across is a rule that rules of other groups explain, too: what one group has to do with another only the list knows.
func across(r *diagnose.Rule, by ...diagnose.Cause) *diagnose.Rule {
	out := *r
	out.ExplainedBy = append(slices.Clone(r.ExplainedBy), diagnose.SymptomOf(by...)...)
	return &out
}
