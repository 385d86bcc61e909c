package rules

import (
	"slices"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/rules/apply"
	"github.com/argo-why/argo-why/internal/diagnose/rules/compare"
	"github.com/argo-why/argo-why/internal/diagnose/rules/health"
	"github.com/argo-why/argo-why/internal/diagnose/rules/hooks"
	"github.com/argo-why/argo-why/internal/diagnose/rules/operation"
	"github.com/argo-why/argo-why/internal/diagnose/rules/outofsync"
	"github.com/argo-why/argo-why/internal/diagnose/rules/render"
	"github.com/argo-why/argo-why/internal/diagnose/rules/spec"
)

// All are the rules. The order of the groups is that in which a sync can fail. Within a group the order is precedence:
// a statement belongs to the first rule that recognises it, so the special stands before the general.
func All() []*diagnose.Rule {
	return diagnose.Resolve([]*diagnose.Rule{
		// The desired state could not be produced: Argo CD's own parts first, then what it talks to, then the tools.
		render.Hydrator,
		render.DiskFull,
		render.SymlinkOutOfBounds,
		render.RedisUnavailable,
		render.VersionSkew,
		render.ResponseTooLarge,
		render.RepoServerUnavailable,
		render.SignatureRequired,
		render.SubmoduleOrLFS,
		render.GitRevisionNotFound,
		render.PathNotFound,
		render.HelmDependency,
		render.Timeout,
		render.Plugin,
		render.Jsonnet,
		render.Kustomize,
		render.HelmTemplate,
		render.ChartRepositoryAuth,
		render.ChartRepository,
		render.GitRepositoryNotFound,
		render.GitAuth,
		render.GitUnreachable,
		render.InvalidYAML,

		// The application may not, or cannot, be compared.
		spec.ResourceNotPermitted,
		spec.NotPermitted,
		spec.Invalid,
		compare.ControllerSilent,
		compare.SkipReconcile,
		compare.NeverCompared,
		compare.RefreshPending,
		compare.NotCompared,
		compare.ClusterIgnored,
		compare.ConversionWebhookUnreachable,
		compare.ClusterForbidden,
		compare.ClusterUnreachable,
		compare.DiffFailed,

		// The API server refused something.
		apply.SharedResource,
		apply.PruneFailed,
		apply.AdmissionWebhookUnreachable,
		apply.AdmissionDenied,
		apply.NamespaceTerminating,
		apply.NamespaceMissing,
		apply.QuotaExceeded,
		apply.LimitRange,
		apply.PortConflict,
		apply.TooLarge,
		apply.ImmutableField,
		apply.FieldManagerConflict,
		apply.Conflict,
		apply.AlreadyExists,
		apply.MissingCRD,
		apply.Forbidden,
		across(apply.APIServerTimeout, operation.Terminated), // what was under way when the operation was ended breaks off
		apply.SchemaInvalid,
		apply.DependencyMissing,

		// The sync did not, or could not, run.
		operation.SyncWindow(outofsync.WaitsForSync),
		operation.NotStarted,
		across(reportingAs(operation.InProgress, operation.Stuck), hooks.WaveBlocked),
		operation.PermissionDenied,
		operation.Impersonation,
		operation.ControllerError,
		operation.PruneBlocked,
		operation.RollbackBlocked,
		operation.Terminated,
		operation.RetryExhausted,
		operation.Retrying,
		operation.AutosyncGaveUp,
		operation.Stuck,

		// A hook failed or does not end; a wave waits.
		hooks.DeletionStuck,
		hooks.TTLDeleted,
		hooks.AlreadyExists,
		hooks.ImagePull,
		hooks.Ordering,
		hooks.DependencyMissing,
		hooks.SidecarNeverExits,
		hooks.DeadlineExceeded,
		hooks.JobFailed,
		hooks.NotAwaited,
		hooks.NeverCreated,
		reportingAs(hooks.Stuck, operation.InProgress),
		hooks.WaveBlocked,
		reportingAs(hooks.WaveInProgress, operation.InProgress),

		// Desired and live differ. First what a sync does not cure, because it keeps the application out of sync.
		outofsync.RandomValues, // before an entry that was to hide what a chart generates
		outofsync.IgnoreRuleMismatch,
		outofsync.TrackingLabel,
		outofsync.KEDA,
		outofsync.HPA,
		outofsync.VPA,
		outofsync.ParameterOverride,
		outofsync.ControllerOwned,
		outofsync.Injected,
		outofsync.Normalized,
		outofsync.Conversion,
		outofsync.Defaulted,
		outofsync.AnnotationOnly,
		outofsync.ManualEdit,
		outofsync.TTLDeleted,
		across(outofsync.Missing, health.NamespaceTerminating, health.Deleting), // what is being deleted is missing next
		outofsync.Extraneous,
		outofsync.PendingPrune,
		reportingAs(outofsync.AutosyncOff, hooks.WaveInProgress), // a commit that auto-sync is about to apply
		outofsync.ServerSideDiff,
		outofsync.Unexplained,
		outofsync.SelfhealLoop,
		outofsync.SyncLoop,
		outofsync.DuplicateResource,
		outofsync.ExcludedResource,
		outofsync.Orphaned,
		across(outofsync.StaleRevision, unattended...),

		// Applied, but not healthy.
		health.NamespaceTerminating,
		health.Deleting,
		health.NodeNotReady,
		health.Evicted,
		health.PodSandbox,
		health.OOMKilled,
		health.Liveness,
		health.CrashLoop,
		health.ContainerCreate,
		health.ImagePull,
		health.ConfigMissing,
		health.JobFailed,
		health.Unschedulable,
		health.VolumePending,
		health.Quota,
		health.ServiceAccountMissing,
		health.Readiness,
		health.ExternalSecret,
		health.Certificate,
		health.RolloutDegraded,
		across(health.Stale, unattended...),
		health.StatefulSetStuck,
		health.ProgressDeadline,
		health.LoadBalancerPending,
		health.IngressNoAddress,
		health.Service,
		health.HPAMetrics,
		health.PDB,
		health.CustomResource,
		health.ChildApp,
		health.Missing,
		health.RolloutPaused,
		health.Suspended,
	})
}

// unattended are the rules about an application that no controller acts on: that its state is old follows from it.
var unattended = []diagnose.Cause{compare.SkipReconcile, compare.NeverCompared, compare.RefreshPending, compare.NotCompared}

// across is a rule that rules of other groups explain, too: what one group has to do with another only the list knows.
func across(r *diagnose.Rule, by ...diagnose.Cause) *diagnose.Rule {
	out := *r
	out.ExplainedBy = append(slices.Clone(r.ExplainedBy), diagnose.SymptomOf(by...)...)
	return &out
}

// reportingAs is a rule some of whose findings are another group's: the list alone knows both.
func reportingAs(r, other *diagnose.Rule) *diagnose.Rule {
	out := *r
	out.MayReportAs = other
	return &out
}
