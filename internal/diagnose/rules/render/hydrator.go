package render

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// hydrationTakes is how long the hydrator may take. Argo CD starts again every few minutes, so a hydration that hangs rarely looks older.
const hydrationTakes = 5 * time.Minute

var Hydrator = &diagnose.Rule{
	ID: "render/hydrator",
	Doc: diagnose.Doc{
		Title:    "Source hydrator failed or waits",
		What:     "The source hydrator renders the dry source and commits the result to a branch, from which Argo CD syncs. When that fails or hangs, or when nobody merges the staging branch, the application stays on the commit that was hydrated last, and may be shown as Synced and Healthy.",
		Decisive: "status.sourceHydrator.currentOperation: phase Failed with its message, or Hydrating for more than 5 minutes; or spec.sourceHydrator without any operation.",
		Example:  "Failed to hydrate revision \"4f1c2aa\": failed to hydrate apps: failed to commit hydrated manifests: rpc error: code = Internal desc = failed to push: exit status 128",
		Fix:      "Fix what the message names: the dry source, the credentials for pushing, a shared destination path, or the commit server.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/source-hydrator/"},
	},
	Sync: advice.Pointless("a sync applies only what was hydrated last"),
	Check: func(in *diagnose.In) diagnose.Outcome {
		spec, op := in.App().Spec.SourceHydrator, in.App().Status.SourceHydrator.CurrentOperation
		if spec == nil {
			return diagnose.Nothing
		}
		var f diagnose.Finding
		switch {
		case op == nil && in.Since(in.App().Metadata.CreationTimestamp) >= hydrationTakes:
			f = neverHydrated(in)
		case op == nil:
			return diagnose.Nothing
		case op.Phase == evidence.HydratorFailed:
			f = hydrationFailed(in, op)
		case op.Phase == evidence.HydratorRunning && in.Since(op.StartedAt) >= hydrationTakes:
			f = hydrationHangs(in, op)
		case spec.HydrateTo != nil && op.HydratedSHA != "":
			return waitsForMerge(in, op)
		default:
			return diagnose.Nothing
		}
		f.Why = text.Paragraph(f.Why, stillHydrated(in))
		if s := missingBranch(in); s != nil {
			f = f.On(s)
		}
		return diagnose.Found(f)
	},
}

// missingBranch is what Argo CD says about the branch or path that the hydrator should have written; nil where it says nothing.
func missingBranch(in *diagnose.In) *diagnose.Statement {
	all := in.Statements()
	for i := range all {
		if all[i].Failure.Stage == message.StageRender && ofBranch(in, &all[i]) {
			return &all[i]
		}
	}
	return nil
}

// ofBranch reports whether a statement says that the branch or path to sync from does not exist.
func ofBranch(in *diagnose.In, s *diagnose.Statement) bool {
	return s.Failure.Has("app path does not exist") ||
		s.Failure.Has("unable to resolve", "couldn't find remote ref", "unknown revision") && strings.Contains(s.Failure.Text, in.App().Spec.SourceHydrator.SyncSource.TargetBranch)
}

// stillHydrated says what is synced meanwhile.
func stillHydrated(in *diagnose.In) string {
	branch := in.App().Spec.SourceHydrator.SyncSource.TargetBranch
	last := in.App().Status.SourceHydrator.LastSuccessfulOperation
	if last == nil || last.DrySHA == "" {
		return fmt.Sprintf("Branch %s does not get new commits until that is fixed.", branch)
	}
	return fmt.Sprintf("Branch %s stays at what was hydrated from %s.", branch, text.Revision(last.DrySHA))
}

// dryCommit names the commit that is hydrated.
func dryCommit(in *diagnose.In, op *evidence.HydrateOperation) string {
	if op.DrySHA != "" {
		return text.Revision(op.DrySHA)
	}
	return cmp.Or(in.App().Spec.SourceHydrator.DrySource.TargetRevision, "HEAD")
}

func hydrationFailed(in *diagnose.In, op *evidence.HydrateOperation) diagnose.Finding {
	out := diagnose.Finding{
		Confidence: diagnose.Certain,
		Title:      "Hydrating " + dryCommit(in, op) + " failed",
		Why:        "Argo CD tries again every few minutes.",
		Says:       diagnose.Said{Who: "The hydrator says", Text: hydratorSays(op.Message)},
		Evidence:   []diagnose.Quote{{From: "status.sourceHydrator", Text: strings.TrimSpace("Failed: " + op.Message)}},
		Fix:        hydratorFix(in, op),
	}
	switch m := ignoredCluster.FindStringSubmatch(op.Message); {
	case strings.Contains(op.Message, sameDestination):
		out.Title = "Another application hydrates to the same path"
	case m != nil:
		out.Title = "Hydrator cannot read cluster " + strings.TrimPrefix(m[1], "https://") + ": wrong shard"
		out.Short, out.Says = "Hydrator cannot read a cluster of another shard", diagnose.Said{}
	case isProtected(op.Message):
		out.Title = "Hydrator is not allowed to push to " + pushedBranch(in, op)
		out.Short = "Hydrator is not allowed to push to a branch"
		out.Why = "The Git host protects the branch. " + out.Why
		out.Says = ofGitHost(op)
	case breaksRule(op.Message):
		out.Title = "Git host's rules refuse the hydrator's push to " + pushedBranch(in, op)
		out.Short = "Git host's rules refuse the hydrator's push"
		out.Says = ofGitHost(op)
	case noCommitServer(op.Message):
		out.Title = "Argo CD's commit server cannot be reached"
	case pushRaces(op.Message):
		out.Title = "Hydrator's push collided with another one"
		out.Why = "Something else pushed to the same branch or notes at the same moment, so the Git host refused this push. Nothing is known to be wrong with the manifests. " + out.Why
		out.Says = diagnose.Said{}
	case refusesHydrator(op.Message):
		out.Title = "Git host rejects the hydrator's credentials for pushing"
		out.Short = "Git host rejects the hydrator's credentials"
		if message.HasAny(strings.ToLower(op.Message), "no write credentials", "no hydrator credentials") {
			out.Title, out.Short = "Hydrator has no credentials for pushing to "+shortRepository(in.App().Spec.SourceHydrator.DrySource.RepoURL), "Hydrator has no credentials for pushing"
		}
	}
	return out
}

// sameDestination is what the hydrator says of two applications that would overwrite each other.
const sameDestination = "multiple app hydrators use the same destination"

// ignoredCluster is how the hydrator fails on a cluster that another shard of the application controller manages.
var ignoredCluster = pattern.MustCompile(`controller is configured to ignore cluster (\S+)`)

// hydratorLayer is one of the steps that led to an error: `failed to get manifests for app "web": `.
var hydratorLayer = pattern.MustCompile(`^[Ff]ailed to (?:hydrate|get|collect) (?:[^":]|"[^"]*")*: `)

// hydratorSays is a message without the layers that every failure of the hydrator has around it.
func hydratorSays(said string) string {
	said = text.OneLine(said)
	if i := strings.LastIndex(said, " failed exit status "); i >= 0 { // behind the command line of a tool
		if _, inner, ok := strings.Cut(said[i:], ": "); ok {
			said = inner
		}
	}
	for _, layer := range []string{"failed to hydrate apps: ", "failed to commit hydrated manifests: ", "failed to get relevant apps for hydration: ", "failed to get repo objects: ", "failed to generate manifest for source 1 of 1: ", "failed to commit and push: ", "failed to push: ", "failed to push: ", "exit status 128: ", "exit status 1: "} {
		if _, inner, ok := strings.Cut(said, layer); ok {
			said = inner
		}
	}
	for {
		if layer := hydratorLayer.FindString(said); layer != "" {
			said = said[len(layer):]
			continue
		}
		_, inner, ok := strings.Cut(said, " desc = ")
		if !ok || !strings.HasPrefix(said, "rpc error: ") {
			return said
		}
		said = inner
	}
}

// hydratorFix is what helps, by the step that failed: collect the applications, render, get credentials, commit and push.
func hydratorFix(in *diagnose.In, op *evidence.HydrateOperation) []diagnose.Fix {
	spec, lower := in.App().Spec.SourceHydrator, strings.ToLower(op.Message)
	again := diagnose.Fix{
		Text:    "After the fix, have it hydrated again at once",
		Command: diagnose.Shell("kubectl -n %s annotate application %s argocd.argoproj.io/hydrate=normal --overwrite", cmp.Or(in.App().Metadata.Namespace, advice.ArgoNamespace(in)), in.App().Metadata.Name),
	}
	log := diagnose.Fix{Text: "Check the commit server's log", Command: diagnose.Shell("kubectl -n %s logs deployment/%s --tail=100", advice.ArgoNamespace(in), advice.ArgoPart(in, "commit-server"))}
	f := message.Parse(op.Message)
	switch {
	case strings.Contains(lower, sameDestination):
		return []diagnose.Fix{{
			Text:    "Give each application its own spec.sourceHydrator.syncSource.path, or its own branch, in Git. Find those that share it",
			Command: diagnose.Shell(`kubectl get applications -A -o custom-columns='NAMESPACE:.metadata.namespace,NAME:.metadata.name,BRANCH:.spec.sourceHydrator.syncSource.targetBranch,PATH:.spec.sourceHydrator.syncSource.path' | grep -F %s`, spec.SyncSource.Path),
		}, again}
	case noCommitServer(op.Message):
		return []diagnose.Fix{{
			Text:    "Check that the commit server runs; the source hydrator needs it",
			Command: diagnose.Shell("kubectl -n %s get deployment,endpoints %s", advice.ArgoNamespace(in), advice.ArgoPart(in, "commit-server")),
		}, log}
	case message.HasAny(lower, "configured to ignore cluster"):
		return []diagnose.Fix{{
			Text: "Put the clusters of all applications that hydrate this revision to this branch on one shard of the application controller, or hydrate them to different branches: one shard cannot read the others' clusters",
		}, again}
	case isProtected(op.Message):
		return []diagnose.Fix{{Text: fmt.Sprintf("Allow the hydrator's account to push to branch %s of %s, or set spec.sourceHydrator.hydrateTo to a branch without protection and merge that", pushedBranch(in, op), spec.DrySource.RepoURL)}, again}
	case breaksRule(op.Message):
		return []diagnose.Fix{{Text: fmt.Sprintf("Exempt the hydrator's account from that rule for branch %s of %s, or set spec.sourceHydrator.hydrateTo to a branch without it and merge that", pushedBranch(in, op), spec.DrySource.RepoURL)}, again}
	case pushRaces(op.Message):
		again.Text = "If the next attempt has not succeeded in a few minutes, have it hydrated again"
		return []diagnose.Fix{again}
	case refusesHydrator(op.Message):
		return []diagnose.Fix{{
			Text:    "Store credentials that may push to " + spec.DrySource.RepoURL + " in a Secret with the label argocd.argoproj.io/secret-type: repository-write; those for reading are not used. List what there is",
			Command: diagnose.Shell("kubectl -n %s get secrets -l 'argocd.argoproj.io/secret-type in (repository-write,repo-write-creds)' -o custom-columns='NAME:.metadata.name'", advice.ArgoNamespace(in)),
		}, again}
	case strings.Contains(lower, "repo objects") || message.HasAny(lower, "helm template", "kustomize build", "app path does not exist", "manifest generation", "generate manifest"):
		return []diagnose.Fix{{
			Text: fmt.Sprintf("Fix the dry source in Git: path %s at %s of %s does not render. All applications that hydrate this revision to branch %s wait for it", cmp.Or(spec.DrySource.Path, "."), cmp.Or(spec.DrySource.TargetRevision, "HEAD"), spec.DrySource.RepoURL, spec.Branch()),
		}}
	}
	if f.Network() != message.NetworkOK {
		return []diagnose.Fix{{Text: "Check the Git host, and whether firewalls and network policies let the commit server's pod connect to it"}, log, again}
	}
	return []diagnose.Fix{log, again}
}

func hydrationHangs(in *diagnose.In, op *evidence.HydrateOperation) diagnose.Finding {
	took := text.Age(in.Since(op.StartedAt))
	return diagnose.Finding{
		Confidence: diagnose.Likely,
		Title:      fmt.Sprintf("Hydrating %s has not finished after %s", dryCommit(in, op), took),
		Why:        "It usually takes seconds. The commit server or the application controller probably hangs.",
		Evidence:   []diagnose.Quote{{From: "status.sourceHydrator", Text: fmt.Sprintf("%s since %s %s", op.Phase, op.StartedAt.UTC().Format(time.RFC3339), op.Message)}},
		Fix: []diagnose.Fix{
			{Text: "Check that the commit server runs", Command: diagnose.Shell("kubectl -n %s get deployment,endpoints %s", advice.ArgoNamespace(in), advice.ArgoPart(in, "commit-server"))},
			{Text: "Check its log", Command: diagnose.Shell("kubectl -n %s logs deployment/%s --tail=100", advice.ArgoNamespace(in), advice.ArgoPart(in, "commit-server"))},
			{Text: "Check the application controller's log for the hydrator", Command: diagnose.Shell("kubectl -n %s logs %s --since=1h | grep -i hydrat", advice.ArgoNamespace(in), advice.Controller(in))},
		},
	}
}

func neverHydrated(in *diagnose.In) diagnose.Finding {
	return diagnose.Finding{
		Confidence: diagnose.Likely,
		Title:      "Source hydrator has never run",
		Why:        "The Application has spec.sourceHydrator, but Argo CD has not begun to hydrate it. The hydrator is off by default.",
		Evidence:   []diagnose.Quote{{From: "application", Text: "spec.sourceHydrator is set, status.sourceHydrator is empty"}},
		Fix: []diagnose.Fix{
			{Text: "Check that hydrator.enabled is true; if not, set it in " + advice.Param("hydrator.enabled").Place(in) + " and restart the application controller", Command: diagnose.Shell(`kubectl -n %s get configmap argocd-cmd-params-cm -o jsonpath='{.data.hydrator\.enabled}'`, advice.ArgoNamespace(in))},
			{Text: "Check that the commit server is installed", Command: diagnose.Shell("kubectl -n %s get deployment argocd-commit-server", advice.ArgoNamespace(in))},
		},
	}
}

// waitsForMerge is about a staging branch. That the branch to sync from lacks it is known only where Argo CD misses the path there;
// else the two may differ for the merge alone.
func waitsForMerge(in *diagnose.In, op *evidence.HydrateOperation) diagnose.Outcome {
	spec := in.App().Spec.SourceHydrator
	from, to := spec.Branch(), spec.SyncSource.TargetBranch
	if from == to || op.HydratedSHA == in.App().Status.Sync.Revision {
		return diagnose.Nothing
	}
	f := diagnose.Finding{
		Title:    fmt.Sprintf("Waiting for a merge into branch %s", to),
		Why:      fmt.Sprintf("The hydrator committed %s to branch %s, but Argo CD syncs from branch %s. Something outside Argo CD has to move it there.", text.Revision(op.HydratedSHA), from, to),
		Evidence: []diagnose.Quote{{From: "status.sourceHydrator", Text: fmt.Sprintf("hydrated %s from %s", text.Revision(op.HydratedSHA), text.Revision(op.DrySHA))}},
		Fix: []diagnose.Fix{{
			Text:    "Merge it, with a pull request or a promoter. In a clone, show what it brings",
			Command: diagnose.Shell("git fetch origin && git log --oneline %s..%s", "origin/"+to, "origin/"+from),
		}},
		Sync: advice.Pointless("a sync applies only what is on branch " + to),
	}
	if s := missingBranch(in); s != nil {
		f.Confidence = diagnose.Certain
		return diagnose.Found(f.On(s))
	}
	f.Title = fmt.Sprintf("May be waiting for a merge into branch %s", to)
	f.Role, f.Confidence = diagnose.RoleNote, diagnose.Possible
	return diagnose.Found(f)
}
