package rules

import "github.com/argo-why/argo-why/internal/diagnose"

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
		applyAPIServerTimeout,
		applySchemaInvalid,
		applyDependencyMissing,

		// The sync did not, or could not, run.
		operationSyncWindow,
		operationInProgress,
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

		// Applied, but not healthy.
		healthQuota,
	}
}
